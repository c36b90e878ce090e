// git, inside only: the steps of one capture of one directory (docs/workspaces.md), the snapshot of a dirty
// checkout, and the agent's own commits.
#pragma once

#include "git/capture/scan.hpp"
#include "git/environment.hpp"
#include "git/repository.hpp"
#include "git/store/diff.hpp"
#include "git/store/objects.hpp"
#include "model/agent_run.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <time.h>
#include <unordered_set>
#include <vector>

namespace hydra::git {

/// Commits the user's tracked changes and untracked, not ignored files on top of HEAD in the user's object
/// store, without their index. `facts.base` becomes that commit when anything differs; all else stays.
Result<void> snapshot_checkout(const Command& git, model::RepositoryFacts& facts);

/// Changes that a layer makes to its base checkout.
struct LayerChanges {
  std::vector<std::string> removed;  ///< paths of the base, in the base's order
  std::vector<std::string> written;  ///< paths in the base and in the layer: changed, or touched only
  std::vector<std::string> added;    ///< files that the base lacks
};
/// Compares a layer with `base`, the paths of the base's files, sorted bytewise. Pure.
LayerChanges layer_changes(const Scan& layer, const std::vector<std::string>& base);

/// Counts a file's lines as git does, while an agent works; 0 for links out of reach, binaries and files too
/// large to count often.
std::int64_t count_lines(const fs::path& path);
/// Adds the output of `git diff --numstat -z` to `stat`.
void add_numbers(std::string_view numstat, model::DiffStat& stat);

/// Commits that an agent made itself. The result is the content of the agent's directory, not these commits;
/// people are told their number and what git refuses in them.
struct OwnCommits {
  std::int64_t count = 0;  ///< reachable from the agent's HEAD, branches and tags, and not from the base
  /// objects that git refuses, by path; or why the commits were not inspected
  std::vector<std::string> refused;  ///< git's complaints about their content
  std::vector<std::string> warnings;
  /// branches, "refs/stash" and "worktrees/NAME/HEAD" whose commits contribute nothing to the result
  std::vector<std::string> beside;
};
/// Reads refs and objects of the repository in `work` without obeying its configuration. `store`: git in
/// Hydra's store at `store_dir`; `result_tree`: the captured tree.
OwnCommits own_commits(const Command& store, const fs::path& store_dir, const fs::path& work,
                       const model::RepositoryFacts& facts, const fs::path& lender,
                       const std::string& result_tree);

/// Whether a path is of this kind (S_IFREG, …), without following a link.
bool is_kind(const fs::path& path, mode_t kind);

class Capturing {
 public:
  /// `store`: git in the store; `directory`: the store; `tree`: the agent's work tree.
  Capturing(Command store, fs::path directory, const Worktree& tree, std::string name);

  /// Finds the differences from the saved index.
  Result<void> list(const std::vector<Gitlink>& gitlinks);
  /// list() without git and without submodules; paths that the base ignores are listed as new files until
  /// drop() removes them. False: the saved index has too little information, and nothing was listed.
  Result<bool> list_in_process();
  /// Lists a layer's changes to the base, whose files are `base` in git's order; reads nothing but the layer.
  /// Paths that the base ignores are listed as new files until drop() removes them.
  Result<void> list_layer(const std::vector<std::string>& base);
  [[nodiscard]] const std::vector<std::string>& untracked() const { return untracked_; }
  void drop(const std::vector<std::string>& untracked);
  /// Lists the files of nested repositories as plain files.
  Result<void> add_nested();
  /// Drops files that the base's rules ignore when letter case does not count, as in the user's checkout.
  /// Hydra's own directories and list() keep names apart that differ in case only.
  Result<void> drop_ignored_in_any_case();
  Result<void> drop_generated(const std::vector<std::string>& generated);
  /// Leaves out larger new files, and keeps the base's content of larger changed ones; the report names all.
  void drop_large();
  /// Leaves out the largest new files until the rest takes at most `most` bytes; 0: no limit.
  void drop_largest(std::uint64_t most);
  void drop_litter(const std::vector<std::string>& patterns);
  /// Leaves out files that match `patterns` ([workspace] copy); those that equal the file of `checkout`
  /// without a row.
  void drop_copied(std::vector<std::string> patterns, fs::path checkout);
  /// Leaves out new files in worktrees of the agent's repository. `registry`: its "worktrees" directory.
  void drop_worktrees(const fs::path& registry);
  [[nodiscard]] bool nothing_changed() const {
    return removed_.empty() && changed_.empty() && untracked_.empty();
  }
  /// Writes the changed files into the store and compares them with the base in the process; the text equals
  /// that of git's own comparison. Nothing: git must compare, because content is converted, a file may have
  /// been renamed, or only git can read a file. Then call update() and ask git.
  std::optional<std::string> compare_in_process(const model::RepositoryFacts& facts);
  /// Updates the index to the files on disk.
  Result<void> update();
  /// Checks that every listed file is in the result; a missing file becomes a warning and a row.
  Result<void> verify(const std::vector<RawEntry>& entries);
  [[nodiscard]] Result<bool> only_white_space(const std::vector<RawEntry>& entries,
                                              const std::string& base_tree, const std::string& tree) const;
  Result<void> add_flags(const std::vector<RawEntry>& entries, model::Capture& capture) const;
  /// Flags ignore rules that the result adds and that name files of the result (the base's or new ones).
  Result<void> flag_hiding_rules(const std::vector<RawEntry>& entries, model::Capture& capture);
  /// Adds the rows of left-out files, and the warnings.
  void report(model::Capture& capture) const;

  /// Captures content of the base's submodules as separate trees where it differs from the base.
  Result<void> add_submodules(const std::vector<Gitlink>& gitlinks, const model::RepositoryFacts& facts,
                              const std::string& ref_prefix, model::Capture& capture);

  [[nodiscard]] const Command& git() const { return git_; }

 private:
  Result<void> note(const exec::ToolOutput& output, std::string_view step);
  [[nodiscard]] Result<std::unordered_set<std::string>> ignored_paths(const Command& git,
                                                                      const std::vector<std::string>& paths,
                                                                      bool no_index) const;
  [[nodiscard]] Command rules_of_base() const;
  /// Removes the `paths` for which `goes` is true, and appends them to `gone`.
  template <class Goes>
  static void take_out(std::vector<std::string>& paths, std::vector<std::string>& gone, const Goes& goes) {
    std::erase_if(paths, [&](const std::string& path) {
      const bool out = goes(path);
      if (out) gone.push_back(path);
      return out;
    });
  }
  void warn(std::string text);
  /// git that reads the ignore files of the agent's tree.
  [[nodiscard]] Result<Command> rules_of_agent() const;
  void spare_second_comparison() const;
  [[nodiscard]] bool needs_git(const model::RepositoryFacts& facts) const;
  /// A removed path lies below a path that is a file now.
  [[nodiscard]] bool removed_below_file() const;
  /// A removed path still resolves to something for git: below a link, a FIFO, or another file's name.
  [[nodiscard]] bool must_remove_first() const;
  Result<std::string> tree_of_submodule(const Gitlink& link, const fs::path& clone, const fs::path& index);
  [[nodiscard]] bool in_gitlink(const std::string& path) const;
  [[nodiscard]] bool as_copied(const std::string& path) const;
  [[nodiscard]] bool in_worktree(const std::string& path) const;

  Command git_;
  fs::path store_, work_;
  fs::path base_;  ///< base checkout of a layer; empty: not layered
  std::string name_;
  fs::path index_;
  Scan scan_;
  timespec listed_at_{};
  std::unordered_set<std::string> tracked_;
  std::vector<std::string> removed_, changed_, untracked_, nested_;
  std::vector<std::string> hidden_, litter_, copied_, large_, above_, missed_, warnings_;
  std::vector<std::string> worktrees_;  ///< directories that drop_worktrees() found
  std::vector<std::string> copies_;     ///< patterns of drop_copied()
  fs::path checkout_;
  std::vector<std::string> gitlink_paths_;
};

}  // namespace hydra::git
