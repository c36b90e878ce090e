// git: all access to repositories. No room above this one calls git.
// All functions block and are called from pool threads.
#pragma once

#include "base/result.hpp"
#include "model/agent_run.hpp"
#include "model/race_spec.hpp"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

namespace hydra::git {

namespace fs = std::filesystem;

struct InspectRequest {
  fs::path directory;  ///< the user's current directory
  std::string ref;     ///< base; empty: HEAD
  bool include_dirty =
      false;  ///< true: base becomes a snapshot commit of the checkout (made in the user's object store)
  std::string path_variable;  ///< the user's PATH, for git and filters
  std::string home;           ///< the user's HOME, for the user's git configuration
};

/// Inspects the user's repository and freezes the facts that a race needs. Refuses, before anything starts
/// and naming the cause and the remedy: no repository, bare, no commit yet, unknown ref, a branch named
/// `hydra`, a partial clone whose missing blobs can't be fetched, dubious ownership, an unreadable directory.
Result<model::RepositoryFacts> inspect(const InspectRequest& request);

class Command;
class Guard;
class IgnoredPaths;
class SharedFiles;
class ObjectDatabase;
struct RawEntry;

/// A path that differs between two commits. A rename is a deletion and an addition.
struct TreeChange {
  std::string path;
  char status = 'M';           ///< A M D T
  std::string old_mode, mode;  ///< as git prints them, "100644"; "000000": absent
  std::string id;              ///< id of the new content
  std::string old_id{};        ///< id of the base's content; zeros: absent
};

/// Differences of the user's repository from the race's start, by name; each list is sorted.
struct RepositoryChanges {
  std::vector<std::string>
      blocking;  ///< decides what the user's git runs or hides: blocks a merge until the user decides
  std::vector<std::string> harmless;   ///< configuration keys that have no such effect
  std::vector<std::string> meanwhile;  ///< ordinary work: commits, fetches, edits
};

/// An edit of one path in the tree of a commit.
struct TreeEdit {
  std::string path;
  std::string mode;                   ///< "100644", …; empty: removes the path
  std::string id;                     ///< blob; used when `text` is absent
  std::optional<std::string> text{};  ///< new content
};

struct PublishItem {
  std::string branch;  ///< "hydra/codex-1708646400"
  std::string commit;  ///< in the store
};

struct DiffEntry {
  std::string path, old_path;  ///< old_path differs for renames only
  char status = 'M';           ///< A M D R T
  bool binary = false;
  std::int64_t added = 0, removed = 0;
};

/// Two commits to compare, and the options.
struct CompareRequest {
  std::string from, to;
  std::string path;  ///< one file; empty: all files
  int context = 3;   ///< lines around a change
  bool ignore_space = false;
  bool utf8 = false;  ///< patch(): other bytes are written in quotes or base 85, and binary contents, too
};

/// A part of one result: the files of `commit` at or below `paths`, but none of `without`.
struct Part {
  std::string name, commit;  ///< name: the agent's, for messages
  std::vector<std::string> paths;
  std::unordered_set<std::string> without{};
};

/// Renames the entry at `path` away (".old-…" beside it): deleting first slows down creating, and loses work.
/// Returns the new name; empty: `path` did not exist.
Result<fs::path> move_aside(const fs::path& path);

/// An agent's work tree.
struct Worktree {
  fs::path directory;
  /// Checkout of the base (make_shared_base) below the overlayfs layer `directory`/upper; empty: `directory`
  /// is a complete tree.
  fs::path base{};
  [[nodiscard]] bool layered() const { return !base.empty(); }
  /// Directory with the files that the agent has written.
  [[nodiscard]] fs::path written() const { return layered() ? directory / "upper" : directory; }
};

/// Hydra's store of one race: an object database that borrows the user's objects, plus indexes and rules. A
/// value that holds paths only: cheap to copy, safe to use from several pool threads at once.
class Store {
 public:
  /// Makes the store directory (idempotent: a half-made store is completed) with frozen conversion settings,
  /// the base's attributes and ignores, and pins the base in the user's repository as refs/hydra/base/<race>.
  /// `cache`: directory for histories of bases, kept for later races; empty: none.
  static Result<Store> create(const fs::path& directory, const model::RaceSpec& spec,
                              const fs::path& cache = {});
  /// Opens a store that create() made.
  static Store open(const fs::path& directory, const model::RaceSpec& spec);

  /// Makes a private repository (or a linked worktree) at the base, and saves the index for the capture.
  /// Renames an existing directory away: only for attempts that have not started. `name`: the agent's.
  [[nodiscard]] Result<void> make_workspace(const Worktree& tree, const std::string& name) const;
  /// Makes the base of layered workspaces: `directory`/tree, a checkout of the base without a repository,
  /// with its index beside it. Replaces `directory` as a whole.
  [[nodiscard]] Result<void> make_shared_base(const fs::path& directory) const;

  /// Captures the agent's files as a commit of this store. Equal trees give equal commit ids. Any step that
  /// fails is an Error: a failed capture is never "no change". No overlay of `tree` may be mounted.
  [[nodiscard]] Result<model::Capture> capture(const Worktree& tree, const std::string& name,
                                               const std::vector<std::string>& litter) const;

  /// Lines added and removed so far, read without any change to `tree`: for the live table only.
  [[nodiscard]] Result<model::DiffStat> live_diff(const Worktree& tree, const std::string& name) const;

  /// Checks `commit` out in `directory` (detached HEAD, separate .git, objects by alternates).
  /// `objects_inside`: paths of objects_dirs() in a sandbox, in their order; empty: the real ones.
  [[nodiscard]] Result<void> checkout(const fs::path& directory, const std::string& commit,
                                      const std::vector<fs::path>& objects_inside) const;
  /// Object directories that a checkout needs: the store's, the user's, and the user's alternates.
  [[nodiscard]] std::vector<fs::path> objects_dirs() const;

  /// Object directories that an agent's repository borrows: only what the base reaches. The user's directory
  /// when that set is unknown (a partial clone) or the user's is required (a linked worktree).
  [[nodiscard]] std::vector<fs::path> agent_objects() const;

  /// Brings commits into the user's repository as new branches, objects first. A name that exists gets a
  /// suffix (-2, -3, …); the returned names are those of the branches made, in the order of the items. An
  /// item that can't be imported is an Error in its place (`refused`: git's check of its objects, by path),
  /// leaves nothing behind and does not affect the others.
  /// Idempotent: an existing branch of that name and commit counts as made.
  [[nodiscard]] std::vector<Result<std::string>> publish(const std::vector<PublishItem>& items) const;

  /// Raw unified diff base..commit (color never, no external programs), at most `max_bytes`.
  [[nodiscard]] Result<std::string> diff(const std::string& commit, std::size_t max_bytes) const;
  [[nodiscard]] Result<std::vector<DiffEntry>> diff_entries(const std::string& commit) const;
  /// diff_entries() of any two commits.
  [[nodiscard]] Result<std::vector<DiffEntry>> compare(const CompareRequest& request) const;
  [[nodiscard]] Result<std::string> patch(const CompareRequest& request, std::size_t max_bytes) const;

  /// Differences between a check workspace of `commit` and one of the base, without submodules.
  [[nodiscard]] Result<std::vector<TreeChange>> changes(const std::string& commit) const;
  /// Paths of the base's tree, sorted bytewise.
  [[nodiscard]] Result<std::vector<std::string>> base_paths() const;
  /// Returns those of `paths` that the base's ignore rules name, tracked or not.
  [[nodiscard]] Result<std::vector<std::string>> ignored_by_base(const std::vector<std::string>& paths) const;
  /// Writes the new content of `changes` below `directory` (new or empty) as a checkout would. `index`
  /// becomes `base_index` (of a checkout of the base) updated by the changes.
  [[nodiscard]] Result<void> materialise(const std::vector<TreeChange>& changes, const fs::path& directory,
                                         const fs::path& base_index, const fs::path& index) const;

  /// Bytes of blobs, in the order asked; absent: missing or larger than `max_bytes`. The sum stays within 64
  /// MiB: later blobs are absent then.
  [[nodiscard]] Result<std::vector<std::optional<std::string>>> blobs(const std::vector<std::string>& ids,
                                                                      std::size_t max_bytes) const;
  /// Bytes of the files of a commit.
  [[nodiscard]] Result<std::uint64_t> bytes_of(const std::string& commit) const;
  /// Bytes of a file of the base; absent: missing or too large.
  [[nodiscard]] std::optional<std::string> base_file(const std::string& path, std::size_t max_bytes) const;
  /// Makes a commit of this store from the tree of `commit` with the edits applied in order. Equal edits give
  /// equal ids. `name` identifies the commit in messages and file names.
  [[nodiscard]] Result<std::string> edited(const std::string& commit, const std::vector<TreeEdit>& edits,
                                           const std::string& name) const;
  /// Makes `directory` an object directory with the base's history and file names only: no contents, no
  /// result of any race. At most 20,000 commits. Idempotent.
  [[nodiscard]] Result<void> write_history(const fs::path& directory) const;
  /// Tree id of a commit of this store: commits of equal content have equal trees.
  [[nodiscard]] Result<std::string> tree_of(const std::string& commit) const;
  /// Combines parts of results into one commit on top of the base. `not_found` names a path that its result
  /// does not change; `refused` a path to which two results give different content.
  [[nodiscard]] Result<model::Capture> combine(const std::vector<Part>& parts, const std::string& name) const;

  /// Compares the user's repository with the race's start. Fingerprints of the files that git obeys are
  /// always compared, and refs; index flags and checkout only where agents could have written to the
  /// repository (no sandbox).
  [[nodiscard]] Result<RepositoryChanges> compare_repository() const;
  /// Restores configuration, hooks, info and index flags. Replaced content is kept in directory() /
  /// "replaced". Returns the differences that remain.
  [[nodiscard]] Result<RepositoryChanges> repair_repository() const;
  /// Returns whether agents of this race could write to the user's repository.
  [[nodiscard]] bool exposed() const { return exposed_; }

  [[nodiscard]] const fs::path& directory() const { return directory_; }

 private:
  friend class Merge;
  friend class Undo;
  Store(fs::path directory, const model::RaceSpec& spec);
  [[nodiscard]] Guard guard() const;
  /// git in the store, with an empty work tree.
  [[nodiscard]] Command command() const;
  [[nodiscard]] ObjectDatabase database() const;
  /// Writes files, index and submodules of `commit` to `directory`, which holds only a repository.
  [[nodiscard]] Result<void> fill(const fs::path& directory, const std::string& commit) const;
  /// Makes an agent's `.git` in `directory`, without an index.
  [[nodiscard]] Result<void> make_repository(const fs::path& directory) const;
  [[nodiscard]] Result<model::DiffStat> live_layer(const Worktree& tree, const std::string& name) const;
  [[nodiscard]] Result<std::string> tree_with(const Command& git, const std::vector<RawEntry>& entries) const;
  /// Keeps git's comparison of a captured commit with the base, which the capture computed anyway.
  [[nodiscard]] Result<void> keep_diff(const std::string& commit, const std::string& text) const;
  [[nodiscard]] Result<model::Capture> commit_tree(const Command& store, const std::string& tree,
                                                   const std::string& name) const;
  [[nodiscard]] Result<std::vector<std::string>> publish_together(
      const Command& user, const std::vector<PublishItem>& items) const;
  [[nodiscard]] Result<std::vector<std::string>> create_branches(const Command& user,
                                                                 const std::vector<PublishItem>& items,
                                                                 bool look_first) const;
  [[nodiscard]] Result<model::Capture> capture_removed(const std::string& name) const;
  [[nodiscard]] Result<std::vector<std::string>> ask_ignored(const std::vector<std::string>& paths) const;
  fs::path directory_;
  std::string race_;
  model::RepositoryFacts repository_;
  bool exposed_;
  std::vector<std::string> generated_, copied_;
  std::uint64_t max_new_bytes_ = 0;
  std::string path_variable_, home_;
  std::int64_t created_seconds_ = 0;
  using Paths = std::vector<std::string>;
  [[nodiscard]] Result<std::shared_ptr<const Paths>> paths_of_base() const;
  // Shared by all copies:
  std::shared_ptr<IgnoredPaths> ignored_;
  std::shared_ptr<std::atomic<std::shared_ptr<const Paths>>> base_paths_;
  std::shared_ptr<SharedFiles> base_files_;
};

/// Changes that a merge brings in only with the user's consent, by kind:
///   attributes  .gitattributes             submodules  .gitmodules, a submodule's commit or files
///   symlinks    new links out of the tree  lfs         large-file pointers, and .lfsconfig
///   ci          pipelines of CI services   hooks       git hooks, their configuration, commands of filters
///   branch      the checkout is on another branch than at the race's start, or lacks the race's base
///   tampered, unchecked   findings of a result's checks, or no checks; the caller sets both
///                         (MergeRequest::consent)
/// model/consent.hpp has the list for people.
struct Consent {
  std::string kind;
  std::vector<std::string> paths;
};

/// Called with the name of each step of a checkout's move once the step is done; true abandons the move
/// there, as the end of the process would.
using StepObserver = std::function<bool(std::string_view)>;

struct MergeRequest {
  fs::path journal;    ///< directory of this merge's journal, in Hydra's state
  std::string branch;  ///< full name, for messages
  std::string commit;  ///< result to merge, in the store
  std::string message;
  bool squash = false;
  bool ff_only = false;
  bool ff = false;  ///< fast-forwards when possible, merges otherwise
  bool dry_run = false;
  std::string expected_ref;        ///< the user's branch at the request; empty: a detached HEAD is refused
  std::vector<std::string> allow;  ///< kinds that the user allows, see Consent
  std::vector<std::string> parts;  ///< paths; only files at or below them are merged; empty: everything
  std::unordered_set<std::string> without;  ///< files that are not merged
  /// submodules whose files the result changes: no tree of the result has them
  std::vector<std::string> submodules;
  std::vector<Consent> consent;  ///< further changes that need the user's consent
  bool accept_changes = false;   ///< true: accepts the repository's changed configuration as the user's own
  bool repair_changes = false;   ///< true: restores the configuration of the race's start first
  /// The user's variables that signing needs (SSH_AUTH_SOCK, GNUPGHOME, GPG_TTY, …).
  std::vector<std::pair<std::string, std::string>> environment;
  /// A stop request kills the user's programs (hooks, filters, signing). A move that has begun stays as it
  /// is, for recover_merge().
  std::stop_token stop{};
  StepObserver at_step{};
};

/// A recorded merge to undo.
struct UndoRequest {
  fs::path journal;
  std::string commit, before;  ///< commits of the branch after and before the merge
  std::string ref;
  std::string state;  ///< commit of the uncommitted state that was merged too; empty: none
  bool dry_run = false;
  bool accept_changes = false, repair_changes = false;  ///< see MergeRequest
  std::stop_token stop{};                               ///< see MergeRequest
  StepObserver at_step{};
};

/// Content of a conflicting file between its marks; see conflict_regions().
struct ConflictText {
  std::string path, text;
};

/// New files of a result that a merge leaves out.
struct LeftOutFiles {
  std::string what;  ///< kind ("node_modules/", "*.log") or path
  std::int64_t files = 0;
  bool generated = false;  ///< true: left out for its kind; false: by the user's wish
};

struct MergePreview {
  std::string ref;                            ///< branch that moves
  std::string old_commit, new_commit;         ///< new_commit is empty in a dry run that would conflict
  std::vector<std::string> conflicts;         ///< paths
  std::vector<ConflictText> conflict_text{};  ///< dry run only: regions of the readable ones
  std::vector<std::string> overlap;  ///< the user's dirty or untracked paths that the merge would touch
  model::DiffStat diff;
  std::int64_t line_ends = 0;  ///< files of `diff` whose only change is line ends
  bool already_merged = false;
  std::string note;                  ///< a post-merge hook that failed; may be empty
  std::string state;                 ///< commit of the uncommitted state that is merged too; empty: none
  bool signed_ = false;              ///< true: the merge commit carries the user's signature
  std::vector<Consent> consent;      ///< changes that need the user's consent
  std::vector<std::string> changed;  ///< configuration of the repository that differs from the race's start
  std::vector<LeftOutFiles> left_out{};  ///< largest first; the caller sets both (MergeRequest::without)
  std::vector<std::string> unnamed{};    ///< new files that are merged and that nothing names
};

/// Merges a result into the user's checked-out branch (docs/merging.md): computed and imported first, then
/// journalled, with compare-and-swap. On any Error the user's checkout is unchanged. `refused` names: an
/// operation in progress, a moved branch, dirty overlap, untracked files in the way, conflicts, a foreign
/// index.lock.
Result<MergePreview> merge(const Store& store, const model::RaceSpec& spec, const MergeRequest& request);

/// Undoes a merge while it is the branch's newest commit and nothing else holds it. The user's own changes
/// stay, and an uncommitted state that was merged is uncommitted again.
/// `refused` explains how to undo the merge by hand.
Result<MergePreview> undo_merge(const Store& store, const model::RaceSpec& spec, const UndoRequest& request);

/// Outcome of a journal whose move is complete; nothing: the move did not arrive.
struct Landed {
  std::string ref, before, commit, state;
};
std::optional<Landed> landed(const fs::path& journal);

/// Returns whether this journal is settled: its directory may be removed then.
bool merge_settled(const fs::path& journal);

struct Recovery {
  bool accept_changes = false;  ///< true: accepts the repository's present configuration
  std::stop_token stop{};       ///< see MergeRequest
};

/// Finishes or undoes a merge whose process died; waits for its orphaned git children. Safe to call on any
/// journal directory. Returns a sentence about the recovery, empty: nothing to do. `refused` when files would
/// have to go back through filters, and the repository's configuration or hooks differ from those at the
/// merge's begin; `conflict` when the user removed the merge's lock. Both touch nothing.
Result<std::string> recover_merge(const fs::path& journal, const model::RepositoryFacts& repository,
                                  const std::string& path_variable, const std::string& home,
                                  const Recovery& how = {});

/// "hydra/codex-1708646400" from the race's seconds; people type the part after the slash.
std::string branch_name(const std::string& agent, std::int64_t created_ms);

}  // namespace hydra::git
