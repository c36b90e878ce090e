// git, inside only: one capture of one directory, step by step (core recipes, section 2), and what else is
// found out about the work of an agent.
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

/// A commit of the user's checkout as it stands, without touching their index: makes tracked changes and
/// untracked files that are not ignored a commit on top of HEAD in the user's object store; `facts.base`
/// becomes that commit where anything differs. Nothing else of the repository changes.
Result<void> snapshot_checkout(const Command& git, model::RepositoryFacts& facts);

/// What a layer over a checkout of the base changes.
struct LayerChanges {
  std::vector<std::string> removed;  ///< of the base, in its order
  std::vector<std::string> written;  ///< of the base and in the layer: changed, or touched only
  std::vector<std::string> added;    ///< files that the base has not
};
/// `base`: paths of the base's files, sorted bytewise. Pure.
LayerChanges layer_changes(const Scan& layer, const std::vector<std::string>& base);

/// Lines of a file as git counts them, while an agent works; 0 for links out of reach, binaries and what is
/// too large to count often.
std::int64_t count_lines(const fs::path& path);
/// What `git diff --numstat -z` printed.
void add_numbers(std::string_view numstat, model::DiffStat& stat);

/// The commits that an agent made itself. They are no part of its result, which is what its directory holds;
/// people are told how many there are, and what git refuses in them.
struct OwnCommits {
  std::int64_t count = 0;             ///< reachable from its HEAD, branches and tags, and not from the base
  std::vector<std::string> warnings;  ///< what git refuses in them, by paths; why they were not looked at
  std::vector<std::string> beside;    ///< branches with commits that the result has nothing of
};
/// Reads refs and objects of the repository in `work`, and runs nothing of its configuration. `store`: git in
/// Hydra's store at `store_dir`; `result_tree`: what was captured.
OwnCommits own_commits(const Command& store, const fs::path& store_dir, const fs::path& work,
                       const model::RepositoryFacts& facts, const fs::path& lender,
                       const std::string& result_tree);

class Capturing {
 public:
  /// `store`: git in the store; `directory`: the store; `tree`: what the agent wrote.
  Capturing(Command store, fs::path directory, const Worktree& tree, std::string name);

  /// Finds what differs from the saved index.
  Result<void> list(const std::vector<Gitlink>& gitlinks);
  /// The same without git, and without submodules; what the base ignores is among the new files until drop()
  /// takes it out. False: the saved index tells too little, nothing was found.
  Result<bool> list_in_process();
  /// Finds what a layer changes of the base, whose files are `base` in git's order: looks at nothing but the
  /// layer. What the base ignores is among the new files until drop() takes it out.
  Result<void> list_layer(const std::vector<std::string>& base);
  [[nodiscard]] const std::vector<std::string>& untracked() const { return untracked_; }
  void drop(const std::vector<std::string>& untracked);
  /// Files of nested repositories count as files.
  Result<void> add_nested();
  /// What the base's rules name where they count for every letter case, as in the user's checkout. Hydra's
  /// own directories keep names apart that differ in case only, and so does the listing.
  Result<void> drop_ignored_in_any_case();
  Result<void> drop_generated(const std::vector<std::string>& generated);
  /// Larger files are left out, changed ones keep the base's content; all are named.
  void drop_large(std::uint64_t max_bytes);
  void drop_litter(const std::vector<std::string>& patterns);
  [[nodiscard]] bool nothing_changed() const {
    return removed_.empty() && changed_.empty() && untracked_.empty();
  }
  /// Writes what is on disk into the store and compares it with the base, all in the process; the text is
  /// that of git's own comparison. Nothing where git has to do it: content is converted, a file may have been
  /// renamed, or is one that only git reads. Then update(), and ask git.
  std::optional<std::string> compare_in_process(const model::RepositoryFacts& facts);
  /// Brings the index to what is on disk.
  Result<void> update();
  /// Everything that was fed in must be in the result; what is not becomes a warning and a row.
  Result<void> verify(const std::vector<RawEntry>& entries);
  [[nodiscard]] Result<bool> only_white_space(const std::vector<RawEntry>& entries,
                                              const std::string& base_tree, const std::string& tree) const;
  Result<void> add_flags(const std::vector<RawEntry>& entries, model::Capture& capture) const;
  /// Ignore rules that the result adds and that name files of it: those of the base, or its own.
  Result<void> flag_hiding_rules(const std::vector<RawEntry>& entries, model::Capture& capture);
  /// Rows of what was left out, and warnings.
  void report(model::Capture& capture) const;

  /// Content of the base's submodules as trees of their own where it differs from the base.
  Result<void> add_submodules(const std::vector<Gitlink>& gitlinks, const model::RepositoryFacts& facts,
                              const std::string& ref_prefix, model::Capture& capture);

  [[nodiscard]] const Command& git() const { return git_; }

 private:
  Result<void> note(const exec::ToolOutput& output, std::string_view step);
  [[nodiscard]] Result<std::unordered_set<std::string>> ignored_paths(const Command& git,
                                                                      const std::vector<std::string>& paths,
                                                                      bool no_index) const;
  [[nodiscard]] Command rules_of_base() const;
  /// Takes those of `paths` out that are to go, and remembers them in `gone`.
  template <class Goes>
  static void take_out(std::vector<std::string>& paths, std::vector<std::string>& gone, const Goes& goes) {
    std::erase_if(paths, [&](const std::string& path) {
      const bool out = goes(path);
      if (out) gone.push_back(path);
      return out;
    });
  }
  void warn(std::string text);
  /// git where it finds the ignore files of the agent's tree.
  [[nodiscard]] Result<Command> rules_of_agent() const;
  void spare_second_comparison() const;
  [[nodiscard]] bool needs_git(const model::RepositoryFacts& facts) const;
  /// Below what is a file now.
  [[nodiscard]] bool removed_below_file() const;
  /// Removed, but git would find something under that name: below a link, a FIFO, or another file's.
  [[nodiscard]] bool must_remove_first() const;
  Result<std::string> tree_of_submodule(const Gitlink& link, const fs::path& clone, const fs::path& index);
  [[nodiscard]] bool in_gitlink(const std::string& path) const;

  Command git_;
  fs::path store_, work_;
  fs::path base_;  ///< of a layer: what it is over; else empty
  std::string name_;
  fs::path index_;
  Scan scan_;
  timespec listed_at_{};
  std::unordered_set<std::string> tracked_;
  std::vector<std::string> removed_, changed_, untracked_, nested_;
  std::vector<std::string> hidden_, litter_, large_, missed_, warnings_;
  std::vector<std::string> gitlink_paths_;
};

}  // namespace hydra::git
