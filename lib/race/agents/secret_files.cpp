#include "race/agents/secret_files.hpp"

#include "base/strings.hpp"
#include "model/capture_words.hpp"

#include <algorithm>
#include <set>

namespace hydra::race {
namespace {

constexpr std::size_t kMaxFile = 8u << 20, kMostFlags = 20;

}  // namespace

Result<std::string> flag_secrets(const git::Store& store, model::Capture& capture, const Secrets& secrets) {
  if (secrets.empty() || !capture.changed) return std::string{};
  HYDRA_TRY(auto changes, store.changes(capture.commit));
  std::erase_if(changes, [](const auto& change) { return change.status == 'D'; });
  std::vector<std::string> ids;
  for (const auto& change : changes) ids.push_back(change.id);
  HYDRA_TRY(const auto contents, store.blobs(ids, kMaxFile));
  std::vector<std::string> paths;
  std::set<std::string> names;
  for (std::size_t i = 0; i < changes.size() && paths.size() < kMostFlags; ++i) {
    auto found = secrets_in(changes[i].path, secrets);
    if (contents[i])
      for (auto& name : secrets_in(*contents[i], secrets)) found.push_back(std::move(name));
    if (found.empty()) continue;
    if (changes[i].status == 'M') {
      HYDRA_TRY(const auto before, store.blobs({changes[i].old_id}, kMaxFile));
      if (before[0] && secrets_in(*before[0], secrets) == found) continue;
    }
    paths.push_back(changes[i].path);
    names.insert(found.begin(), found.end());
  }
  if (paths.empty()) return std::string{};
  std::string shown;
  for (const auto& path : paths) {
    capture.flags.push_back(std::string(model::kHoldsSecret) + path);
    shown += (shown.empty() ? "" : ", ") + sanitize(path);
  }
  return "its result holds the value of " + join({names.begin(), names.end()}, ", ") + ": " + shown +
         " (the branch keeps its bytes: take it out before you merge or push, and renew the key)";
}

}  // namespace hydra::race
