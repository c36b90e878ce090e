#include "git/guard/guard.hpp"

#include "base/files.hpp"
#include "base/strings.hpp"
#include "git/merge/checkout_move.hpp"

#include <algorithm>
#include <future>
#include <unistd.h>

namespace hydra::git {

using namespace guard;

namespace {

constexpr std::size_t kMostAsked = 64;  ///< branches for which git is asked how they moved

bool is_config(std::string_view name) {
  return name == "config" || name.ends_with("/config") || name.ends_with("config.worktree");
}

/// Values of one key in one file.
using Values = std::vector<std::string>;

bool all_harmless(const std::string& key, const Values& values) {
  return std::all_of(values.begin(), values.end(), [&](const auto& v) { return is_harmless(key, v); });
}

void add(std::vector<std::string>& list, std::string name) {
  if (std::find(list.begin(), list.end(), name) == list.end()) list.push_back(std::move(name));
}

}  // namespace

Guard::Guard(fs::path store, const model::RepositoryFacts& facts, bool exposed, std::string path_variable,
             std::string home)
    : store_(std::move(store)),
      facts_(facts),
      exposed_(exposed),
      path_variable_(std::move(path_variable)),
      home_(std::move(home)) {}

/// A name whose item differs between both sides.
struct Guard::Difference {
  const Item* was;  ///< null: absent before
  const Item* is;   ///< null: absent now

  static std::map<std::string, Difference> between(const Items& before, const Items& now) {
    std::map<std::string, Difference> all;
    for (const auto& [name, item] : before) {
      const auto found = now.find(name);
      if (found == now.end() || !(found->second == item))
        all[name] = {&item, found == now.end() ? nullptr : &found->second};
    }
    for (const auto& [name, item] : now)
      if (!before.contains(name)) all[name] = {nullptr, &item};
    return all;
  }
};

Result<void> Guard::compare_keys(const std::string& name, const std::string& before, const std::string& now,
                                 RepositoryChanges& changes) const {
  std::map<std::string, Values> keys[2];
  for (int i = 0; i < 2; ++i) {
    Command git(path_variable_, home_);
    git.cwd(store_);
    HYDRA_TRY(const auto listed,
              git.run({"config", "--file", "-", "--no-includes", "-z", "--list"}, i == 0 ? before : now));
    if (!listed.ok()) {  // git can't read the file: a difference
      add(changes.blocking, name);
      return {};
    }
    for (const auto record : records(listed.out)) {
      const auto end = record.find('\n');
      keys[i][std::string(record.substr(0, end))].emplace_back(
          end == std::string_view::npos ? "" : record.substr(end + 1));
    }
  }
  for (int i = 0; i < 2; ++i)
    for (const auto& [key, values] : keys[i]) {
      const auto other = keys[1 - i].find(key);
      if (other != keys[1 - i].end() && other->second == values) continue;
      const bool quiet =
          all_harmless(key, values) && (other == keys[1 - i].end() || all_harmless(key, other->second));
      // `git push -u` and `git branch --set-upstream-to` write keys of branches in daily work.
      if (quiet && key.starts_with("branch.")) continue;
      add(quiet ? changes.harmless : changes.blocking, name + " " + sanitize(key));
    }
  return {};
}

Result<void> Guard::compare_files(const Items& before, const Items& now, RepositoryChanges& changes) const {
  for (const auto& [name, found] : Difference::between(before, now)) {
    if (!is_file(name)) continue;
    if (is_config(name)) {
      HYDRA_CHECK(compare_keys(name, found.was != nullptr ? found.was->bytes : std::string(),
                               found.is != nullptr ? found.is->bytes : std::string(), changes));
      continue;
    }
    auto& list = only_hides(name) && !exposed_ ? changes.meanwhile : changes.blocking;
    add(list, name + (found.is == nullptr ? " (gone)" : ""));
  }
  return {};
}

// New commits on a branch are work; commits removed from a branch would go unnoticed and be lost.
Result<void> Guard::compare_refs(const Items& before, const Items& now, RepositoryChanges& changes) const {
  std::size_t asked = 0;
  for (const auto& [name, found] : Difference::between(before, now)) {
    if (name == "HEAD") add(changes.meanwhile, "HEAD");
    if (name.starts_with(kRefs)) add(changes.meanwhile, name.substr(kRefs.size()));
    if (name.starts_with(kWorktree))
      add(changes.meanwhile, "worktrees/" + name.substr(kWorktree.size()) +
                                 (found.is == nullptr    ? " (gone)"
                                  : found.was == nullptr ? " (new)"
                                                         : ""));
    if (!name.starts_with(kRef)) continue;
    const auto ref = name.substr(kRef.size());
    const bool of_hydra = ref.starts_with("refs/heads/hydra/");
    if (of_hydra && (found.was == nullptr || found.is == nullptr)) continue;
    const auto was = found.was == nullptr ? "" : " (was " + found.was->bytes.substr(0, 12) + ")";
    if (ref.starts_with("refs/replace/")) {
      add(exposed_ ? changes.blocking : changes.meanwhile, ref + was);
    } else if (found.was == nullptr) {
      add(changes.meanwhile, ref + " (new)");
    } else if (!exposed_) {
      add(changes.meanwhile, ref);
    } else {
      bool on_top = false;
      if (found.is != nullptr && ref.starts_with("refs/heads/") && ++asked <= kMostAsked) {
        HYDRA_TRY(on_top, git().succeeds({"merge-base", "--is-ancestor", found.was->bytes, found.is->bytes}));
      }
      add(on_top ? changes.meanwhile : changes.blocking,
          on_top ? ref : ref + (found.is == nullptr ? " (gone, " + was.substr(2) : was));
    }
  }
  return {};
}

void Guard::compare_checkout(const Items& before, const Items& now, RepositoryChanges& changes) {
  for (const auto& [name, found] : Difference::between(before, now)) {
    if (name == "index") add(changes.meanwhile, "index");
    if (name.starts_with(kDirty)) add(changes.meanwhile, name.substr(kDirty.size()));
    if (name.starts_with(kHook))
      add(changes.blocking, name.substr(kHook.size()) + (found.is == nullptr ? " (gone)" : ""));
    if (name.starts_with(kFlag) && found.is != nullptr)
      add(changes.blocking, found.is->bytes + " " + name.substr(kFlag.size()));
  }
}

// Compares refs, and the checkout where agents could have written to it; git is asked for both at once.
Result<void> Guard::compare_all(const Items& before, RepositoryChanges& changes) const {
  Items now;
  std::future<Result<void>> looked;
  if (exposed_) looked = side_by_side([&] { return look_at_checkout(now); });
  const auto refs_now = refs(false);
  if (!refs_now.ok()) {
    auto problem = exposed_ ? refs_problem() : std::string();
    if (problem.empty()) return refs_now.error();
    changes.blocking.push_back(std::move(problem));
    return {};
  }
  if (exposed_) HYDRA_CHECK(looked.get());
  look_at_refs(*refs_now, now);
  HYDRA_CHECK(compare_refs(before, now, changes));
  if (exposed_) compare_checkout(before, now, changes);
  return {};
}

Result<RepositoryChanges> Guard::compare(bool all) const {
  RepositoryChanges changes;
  if (!exists()) {
    // An agent that can write to the store can remove the guard's files.
    if (exposed_ && ::access((store_ / "complete").c_str(), F_OK) == 0)
      changes.blocking.emplace_back("what was remembered of the repository is gone");
    return changes;
  }
  // This check precedes every git call: git would find another repository.
  if (auto problem = exposed_ ? place_problem() : std::string(); !problem.empty()) {
    changes.blocking.push_back(std::move(problem));
    return changes;
  }
  HYDRA_TRY(const auto before, saved());
  HYDRA_CHECK(compare_files(before, look_at_files(), changes));
  if (changes.blocking.empty() && (exposed_ || all)) HYDRA_CHECK(compare_all(before, changes));
  for (auto* list : {&changes.blocking, &changes.harmless, &changes.meanwhile})
    std::sort(list->begin(), list->end());
  return changes;
}

Result<std::vector<std::string>> Guard::judge(bool accept, bool repair_it, bool dry_run,
                                              std::vector<std::string>* harmless) const {
  HYDRA_TRY(auto changes, compare(false));
  if (harmless != nullptr) *harmless = changes.harmless;
  if (changes.blocking.empty() || dry_run) return changes.blocking;
  if (repair_it) {
    HYDRA_CHECK(repair());
    HYDRA_TRY(changes, compare(false));
    if (changes.blocking.empty()) return changes.blocking;
  }
  if (accept) {
    HYDRA_CHECK(save());
    return changes.blocking;
  }
  return refused("the repository itself has changed since the race started: " + listed(changes.blocking),
                 "look at it; --accept-changes takes it as it is, --repair-changes puts configuration and "
                 "hooks back as they were");
}

}  // namespace hydra::git
