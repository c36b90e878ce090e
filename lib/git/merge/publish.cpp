#include "base/strings.hpp"
#include "git/environment.hpp"
#include "git/merge/import.hpp"
#include "git/repository.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace hydra::git {
namespace {

constexpr int kAttempts = 8;

/// The name's n-th successor: "hydra/codex-17" gives "hydra/codex-17-2", "hydra/codex-17-3".
std::string counted(const std::string& name, int n) { return n < 2 ? name : name + "-" + std::to_string(n); }

}  // namespace

std::vector<Result<std::string>> Store::publish(const std::vector<PublishItem>& items) const {
  std::vector<Result<std::string>> made(items.size(), Result<std::string>(std::string{}));
  if (items.empty()) return made;
  const Command user = Command::in_repository(repository_, path_variable_, home_);
  const bool objects = std::any_of(items.begin(), items.end(),
                                   [&](const auto& item) { return item.commit != repository_.base; });
  if (auto copied = objects ? copy_large_files(directory_, repository_) : Result<void>{}; !copied.ok()) {
    std::fill(made.begin(), made.end(), Result<std::string>(copied.error()));
    return made;
  }
  // All items together need three programs in total. A failure of one item must not affect the others: then
  // each item is published alone.
  if (auto names = publish_together(user, items); names.ok()) {
    for (std::size_t i = 0; i < items.size(); ++i) made[i] = std::move((*names)[i]);
  } else if (items.size() == 1) {
    made.front() = std::move(names).error();
  } else {
    for (std::size_t i = 0; i < items.size(); ++i) {
      auto alone = publish_together(user, {items[i]});
      if (alone.ok())
        made[i] = std::move(alone->front());
      else
        made[i] = std::move(alone).error();
    }
  }
  return made;
}

Result<std::vector<std::string>> Store::publish_together(const Command& user,
                                                         const std::vector<PublishItem>& items) const {
  std::vector<std::string> commits;
  for (const auto& item : items) {
    // The base exists already; git accepts an empty pack, but the import would cost two programs.
    if (item.commit != repository_.base) commits.push_back(item.commit);
  }
  KeptPack kept;
  if (!commits.empty()) {
    HYDRA_TRY(kept, import_commits(command(), directory_, user, fs::path(repository_.common_dir) / "objects",
                                   commits, repository_.base));
  }
  Result<std::vector<std::string>> made = Error{Errc::conflict, "branches could not be made", {}, {}};
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    // Names are usually free: the look-up, which costs a program, waits for a conflict.
    made = create_branches(user, items, attempt > 0);
    if (made.ok() || made.error().code != Errc::conflict) break;
  }
  release(kept);
  return made;
}

Result<std::vector<std::string>> Store::create_branches(const Command& user,
                                                        const std::vector<PublishItem>& items,
                                                        bool look_first) const {
  std::map<std::string, std::string, std::less<>> existing;
  if (look_first) {
    HYDRA_TRY(auto text,
              user.output({"for-each-ref", "--format=%(objectname) %(refname)", "refs/heads/hydra"}));
    for (const auto line : lines(text)) {
      const auto blank = line.find(' ');
      existing.emplace(std::string(line.substr(blank + 1)), std::string(line.substr(0, blank)));
    }
  }
  std::vector<std::string> names;
  std::set<std::string> taken;
  std::string orders;
  for (const auto& item : items) {
    int n = 1;
    for (;; ++n) {
      const std::string ref = "refs/heads/" + counted(item.branch, n);
      if (taken.contains(ref)) continue;
      const auto found = existing.find(ref);
      if (found != existing.end() && found->second != item.commit) continue;
      if (found == existing.end()) orders += "create " + ref + " " + item.commit + "\n";
      taken.insert(ref);
      break;
    }
    names.push_back(counted(item.branch, n));
  }
  if (orders.empty()) return names;
  HYDRA_TRY(auto done, user.run({"update-ref", "-m", "hydra: result of " + race_, "--stdin"}, orders));
  if (done.ok()) return names;
  Error error = git_error("making the branches", done);
  // Another process made the branch meanwhile: the caller looks again.
  if (done.err.find("already exists") != std::string::npos ||
      done.err.find("Unable to create") != std::string::npos)
    error.code = Errc::conflict;
  return error;
}

}  // namespace hydra::git
