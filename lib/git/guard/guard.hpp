// git, inside only: the guard remembers, when a race starts, the parts of the user's repository that decide
// what the user's git runs and shows, and compares them at the race's end and before a merge. In a sandbox
// with a private workspace no agent can reach them; `exposed` means that an agent could.
#pragma once

#include "base/result.hpp"
#include "git/environment.hpp"
#include "git/refs.hpp"
#include "git/repository.hpp"
#include "model/race_spec.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::git {

namespace fs = std::filesystem;

/// Returns whether a configuration key (lower case except its middle part, as git lists keys) with this value
/// names no program, path or filter and weakens no check.
bool is_harmless(std::string_view key, std::string_view value);

class Guard {
 public:
  /// `store`: Hydra's store of the race. `exposed`: agents could write to the repository, because their
  /// workspaces are linked to it or they run without a sandbox.
  Guard(fs::path store, const model::RepositoryFacts& facts, bool exposed, std::string path_variable,
        std::string home);

  /// Remembers the present state; `refs`: refs that the caller has just read.
  Result<void> save() const;
  Result<void> save(const std::vector<Ref>& refs) const;
  /// Returns the refs as git lists them. `trusted`: no agent could have written yet, so libgit2 reads them in
  /// the process.
  [[nodiscard]] Result<std::vector<Ref>> refs(bool trusted) const;
  /// Names the differences from the remembered state ("hooks/pre-commit", "config core.fsmonitor",
  /// "refs/heads/main (was 1234abcd5678)"), sorted. Refs, index and work tree are read only when no file that
  /// git obeys differs: a changed one would decide what that git runs.
  /// `all`: also differences that block nothing, which reads the refs once more.
  [[nodiscard]] Result<RepositoryChanges> compare(bool all) const;
  /// Returns the differences that remain after the user's decision was carried out; `refused` when a relevant
  /// difference has no decision. Keys that decide nothing about what runs (is_harmless) go to `harmless`.
  [[nodiscard]] Result<std::vector<std::string>> judge(bool accept, bool repair, bool dry_run,
                                                       std::vector<std::string>* harmless = nullptr) const;
  /// Puts remembered files back, and removes index flags that were not set; replaced content is kept in the
  /// store under `replaced`. Refs are left to the user.
  Result<void> repair() const;

 private:
  struct Item {
    std::string mode, bytes;
    bool operator==(const Item&) const = default;
  };
  using Items = std::map<std::string, Item>;  ///< by name
  struct Difference;

  // guard_look.cpp
  [[nodiscard]] Items look_at_files() const;
  void look_at_refs(const std::vector<Ref>& refs, Items& items) const;
  [[nodiscard]] Result<void> look_at_checkout(Items& items) const;
  [[nodiscard]] Result<void> look_at_hooks_elsewhere(const Command& git, Items& items) const;
  [[nodiscard]] Result<Items> saved() const;
  [[nodiscard]] bool exists() const;
  [[nodiscard]] Command git() const { return Command::in_repository(facts_, path_variable_, home_); }
  [[nodiscard]] fs::path path_of(const std::string& name) const;

  [[nodiscard]] Result<void> compare_files(const Items& before, const Items& now,
                                           RepositoryChanges& changes) const;
  [[nodiscard]] Result<void> compare_refs(const Items& before, const Items& now,
                                          RepositoryChanges& changes) const;
  [[nodiscard]] Result<void> compare_all(const Items& before, RepositoryChanges& changes) const;
  static void compare_checkout(const Items& before, const Items& now, RepositoryChanges& changes);
  [[nodiscard]] Result<void> compare_keys(const std::string& name, const std::string& before,
                                          const std::string& now, RepositoryChanges& changes) const;

  // guard_place.cpp
  [[nodiscard]] Result<void> save_place() const;
  /// Explains why git finds another repository or none at the remembered place; empty: no problem.
  [[nodiscard]] std::string place_problem() const;
  [[nodiscard]] std::string refs_problem() const;
  [[nodiscard]] Result<void> keep_replaced(const fs::path& path, const std::string& name) const;
  [[nodiscard]] Result<void> repair_place() const;
  [[nodiscard]] Result<void> repair_packed_refs() const;

  // guard_repair.cpp
  [[nodiscard]] Result<void> stays_inside(const std::string& name) const;
  [[nodiscard]] Result<void> repair_flags(const Items& before) const;

  fs::path store_;
  const model::RepositoryFacts& facts_;
  bool exposed_;
  std::string path_variable_, home_;
};

/// Names and kinds of items.
namespace guard {

inline constexpr std::string_view kRef = "ref ", kRefs = "refs ", kWorktree = "worktree ", kFlag = "flag ",
                                  kDirty = "dirty ", kHook = "hook ";
/// Returns whether the item is a file of the repository that repair() can put back.
bool is_file(std::string_view name);
/// Ignore rules and the choice of files run nothing, and people edit them: a change counts only where an
/// agent could have made it to hide something from the user.
bool only_hides(std::string_view name);

}  // namespace guard

}  // namespace hydra::git
