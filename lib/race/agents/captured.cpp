#include "race/agents/captured.hpp"

#include "base/strings.hpp"
#include "checks/effect.hpp"
#include "checks/reach.hpp"
#include "config/file_class.hpp"

#include <algorithm>
#include <set>

namespace hydra::race {
namespace {

constexpr std::string_view kAttributes = ".gitattributes";
constexpr std::size_t kMostAttributeFiles = 64, kMostAttributeBytes = 1u << 20;

bool is_attributes(const std::string& path) {
  return path == kAttributes || path.ends_with("/" + std::string(kAttributes));
}

// Sorts deeper files last, since their rules take precedence.
Result<config::FileClasses> classes_of(const git::Store& store) {
  HYDRA_TRY(auto paths, store.base_paths());
  std::erase_if(paths, [](const auto& path) { return !is_attributes(path); });
  const auto depth = [](const std::string& path) { return std::count(path.begin(), path.end(), '/'); };
  std::stable_sort(paths.begin(), paths.end(),
                   [&](const auto& a, const auto& b) { return depth(a) < depth(b); });
  if (paths.size() > kMostAttributeFiles) paths.resize(kMostAttributeFiles);
  std::vector<config::FileClasses::Attributes> attributes;
  for (const auto& path : paths)
    if (auto text = store.base_file(path, kMostAttributeBytes)) {
      const auto slash = path.rfind('/');
      attributes.push_back({slash == std::string::npos ? "" : path.substr(0, slash), std::move(*text)});
    }
  return config::FileClasses(attributes);
}

}  // namespace

Result<void> weigh(integrity::KnownRules& known, const git::Store& store, const model::RaceSpec& spec,
                   model::Capture& capture) {
  if (!capture.changed) return {};
  HYDRA_TRY(const auto classes, classes_of(store));
  HYDRA_TRY(const auto entries, store.diff_entries(capture.commit));
  std::vector<config::CountedLines> files;
  std::vector<std::string> paths;
  for (const auto& entry : entries) {
    files.push_back({entry.path, entry.added, entry.removed});
    paths.push_back(entry.path);
  }
  auto found = config::weigh_diff(files, classes);
  const bool all_count = found.written.files == static_cast<std::int64_t>(files.size());
  HYDRA_TRY(const auto tests, checks::test_paths(known, store, spec, paths));
  model::DiffStat sum;
  for (const auto& file : files) {
    const bool counts = all_count || classes.of(file.path) == config::FileClass::written;
    if (!counts || !tests.contains(file.path)) continue;
    sum.lines_added += file.added;
    sum.lines_removed += file.removed;
    ++sum.files_changed;
  }
  if (sum.files_changed > 0) capture.tests = sum;
  HYDRA_CHECK(checks::find_trivial(known, store, spec, capture));
  HYDRA_CHECK(checks::find_unreached(known, store, spec, capture));
  if (all_count) return {};
  capture.weighed = {found.written.added, found.written.removed, found.written.files};
  capture.set_apart = std::move(found.set_apart);
  return {};
}

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
    capture.flags.push_back({model::FlagKind::holds_secret, path});
    shown += (shown.empty() ? "" : ", ") + sanitize(path);
  }
  return "its result holds the value of " + join({names.begin(), names.end()}, ", ") + ": " + shown +
         " (the branch keeps its bytes: take it out before you merge or push, and renew the key)";
}

}  // namespace hydra::race
