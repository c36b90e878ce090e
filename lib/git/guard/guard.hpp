// git, inside only: what of the user's repository decides what their git runs and shows, remembered when a
// race starts and compared at its end and before a merge. In a sandbox with a private workspace no agent can
// reach it; `exposed` says that one could.
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

/// Whether a key of the configuration (lower case but for its middle part, as git lists it) with this value
/// makes git run nothing and decides nothing about what a checkout holds. Everything unknown does.
bool is_harmless(std::string_view key, std::string_view value);

class Guard {
 public:
  /// `store`: Hydra's store of the race. `exposed`: the repository could be written to by agents, because
  /// their workspaces are linked to it or they run without a sandbox.
  Guard(fs::path store, const model::RepositoryFacts& facts, bool exposed, std::string path_variable,
        std::string home);

  /// Remembers the present state; `refs`: those of just now, where they are known.
  Result<void> save() const;
  Result<void> save(const std::vector<Ref>& refs) const;
  /// As git lists them. Where no agent could have written, or none yet (`trusted`), they are read in the
  /// process.
  [[nodiscard]] Result<std::vector<Ref>> refs(bool trusted) const;
  /// What differs from the remembered state, by name ("hooks/pre-commit", "config core.fsmonitor",
  /// "refs/heads/main (was 1234abcd5678)"), sorted. Refs, index and work tree are asked for only where no
  /// file of the repository differs that git obeys: what stands there now would decide what that git runs.
  /// `all`: also what blocks nothing, which takes another look at refs.
  [[nodiscard]] Result<RepositoryChanges> compare(bool all) const;
  /// What still differs after the user's word was carried out; `refused` where there was none and it matters.
  /// Keys that decide nothing about what runs (is_harmless) go to `harmless`.
  [[nodiscard]] Result<std::vector<std::string>> judge(bool accept, bool repair, bool dry_run,
                                                       std::vector<std::string>* harmless = nullptr) const;
  /// Puts remembered files back, and takes flags of the index away that were not there; what stood there
  /// instead is kept in the store, under `replaced`. Refs are the user's to judge.
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
  /// Why git finds another repository there, or none; empty: it does not.
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

/// How items are named, and what they are.
namespace guard {

inline constexpr std::string_view kRef = "ref ", kRefs = "refs ", kWorktree = "worktree ", kFlag = "flag ",
                                  kDirty = "dirty ", kHook = "hook ";
/// A file of the repository that can be put back.
bool is_file(std::string_view name);
/// Ignore rules and the choice of files run nothing, and people edit them: they count where an agent could
/// have, to hide something from the user's eyes.
bool only_hides(std::string_view name);

}  // namespace guard

}  // namespace hydra::git
