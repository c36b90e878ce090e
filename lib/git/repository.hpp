// git: everything that touches a repository. Nothing above this room knows how git is called.
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
#include <utility>
#include <vector>

namespace hydra::git {

namespace fs = std::filesystem;

struct InspectRequest {
  fs::path directory;  ///< where the user stands
  std::string ref;     ///< base; empty: HEAD
  bool include_dirty =
      false;  ///< base becomes a snapshot commit of the checkout (made in the user's object store)
  std::string path_variable;  ///< the user's PATH: where git and filters are found
  std::string home;           ///< the user's HOME: where the user's git configuration is
};

/// Looks at the user's repository and freezes what a race needs. Refuses, before anything starts and naming
/// the cause and the remedy: no repository, bare, no commit yet, unknown ref, a branch named `hydra`, a
/// partial clone whose missing blobs can't be fetched, dubious ownership, an unreadable directory.
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
  std::string old_mode, mode;  ///< as git prints them, "100644"; "000000" where there is none
  std::string id;              ///< of the new content
  std::string old_id{};        ///< of the base's content; zeros where there is none
};

/// How the user's repository differs from when the race started, by name; each list sorted.
struct RepositoryChanges {
  std::vector<std::string>
      blocking;  ///< what decides what the user's git runs or hides: no merge before a word
  std::vector<std::string> harmless;   ///< keys of the configuration that decide nothing of it
  std::vector<std::string> meanwhile;  ///< as people work: commits, fetches, edits; nobody's fault
};

/// One path of a tree that is made out of a commit.
struct TreeEdit {
  std::string path;
  std::string mode;                   ///< "100644", …; empty: the path goes
  std::string id;                     ///< of a blob; used where there is no text
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

/// Which two commits are compared, and how.
struct CompareRequest {
  std::string from, to;
  std::string path;  ///< of one file; empty: of all
  int context = 3;   ///< lines around a change
  bool ignore_space = false;
};

/// Files of one result: of `commit`, what lies at or below `paths`.
struct Part {
  std::string name, commit;  ///< name: whose, for messages
  std::vector<std::string> paths;
};

/// Renames what stands at `path` away (".old-…" beside it): deleting first makes creating slow, and loses
/// work. Its new name; empty where nothing stood there.
Result<fs::path> move_aside(const fs::path& path);

/// Where an agent works.
struct Worktree {
  fs::path directory;
  /// A checkout of the base (make_shared_base) over which `directory`/upper is a layer, as overlayfs writes
  /// it; empty: `directory` is a tree of its own.
  fs::path base{};
  [[nodiscard]] bool layered() const { return !base.empty(); }
  /// Where what the agent has written lies.
  [[nodiscard]] fs::path written() const { return layered() ? directory / "upper" : directory; }
};

/// Hydra's own store of one race: an object database that borrows the user's, plus indexes and rules. A value
/// that holds paths only; cheap to copy, safe to use from several pool threads at once.
class Store {
 public:
  /// Makes the store directory (idempotent: a half-made one is completed) with frozen conversion settings,
  /// the base's attributes and ignores, and pins the base in the user's repository as refs/hydra/base/<race>.
  /// `cache`: where histories of bases are kept for later races; empty: nowhere.
  static Result<Store> create(const fs::path& directory, const model::RaceSpec& spec,
                              const fs::path& cache = {});
  /// Opens a store that create() made.
  static Store open(const fs::path& directory, const model::RaceSpec& spec);

  /// Makes a private repository (or a linked worktree) at the base, and saves the index that the capture
  /// starts from. A directory that is there already is renamed away first: call it only for attempts that
  /// have not started. `name` is the agent's.
  [[nodiscard]] Result<void> make_workspace(const Worktree& tree, const std::string& name) const;
  /// What workspaces can be layers over: `directory`/tree, a checkout of the base without a repository, and
  /// its index beside it. It takes the place of `directory` as a whole.
  [[nodiscard]] Result<void> make_shared_base(const fs::path& directory) const;

  /// Captures what the agent left as a commit of this store. The same tree twice gives the same commit id.
  /// Any step that fails is an Error: a failed capture is never "no change". No overlay of it may be mounted.
  [[nodiscard]] Result<model::Capture> capture(const Worktree& tree, const std::string& name,
                                               const std::vector<std::string>& litter) const;

  /// Lines added and removed so far, without changing anything there: for the live table only.
  [[nodiscard]] Result<model::DiffStat> live_diff(const Worktree& tree, const std::string& name) const;

  /// A fresh checkout of `commit` in `directory`, with a .git of its own: HEAD detached there, objects by
  /// alternates. `objects_inside` are the paths under which a sandbox shows objects_dirs(), in their order;
  /// empty: the real ones.
  [[nodiscard]] Result<void> checkout(const fs::path& directory, const std::string& commit,
                                      const std::vector<fs::path>& objects_inside) const;
  /// Object directories that a checkout needs: the store's, the user's, and what the user's alternates name.
  [[nodiscard]] std::vector<fs::path> objects_dirs() const;

  /// Object directories that an agent's repository borrows: what the base reaches and nothing else. The
  /// user's where that can't be told (a partial clone), is asked for (a linked worktree).
  [[nodiscard]] std::vector<fs::path> agent_objects() const;

  /// Brings commits into the user's repository as new branches, objects first. Names that exist are counted
  /// up (-2, -3, …) before the trailing number's meaning is lost: the names, in the order of the items, are
  /// the ones that were made. One that can't be brought in is an Error in its place (`refused`: git's own
  /// check of its objects, by their paths), leaves nothing there and keeps none of the others.
  /// Idempotent: a branch of that name that already holds that commit counts as made.
  [[nodiscard]] std::vector<Result<std::string>> publish(const std::vector<PublishItem>& items) const;

  /// Raw unified diff base..commit (color never, no external programs), at most `max_bytes`.
  [[nodiscard]] Result<std::string> diff(const std::string& commit, std::size_t max_bytes) const;
  [[nodiscard]] Result<std::vector<DiffEntry>> diff_entries(const std::string& commit) const;
  /// The same of any two commits.
  [[nodiscard]] Result<std::vector<DiffEntry>> compare(const CompareRequest& request) const;
  [[nodiscard]] Result<std::string> patch(const CompareRequest& request, std::size_t max_bytes) const;

  /// What a check workspace of `commit` differs in from one of the base. Submodules are not among it.
  [[nodiscard]] Result<std::vector<TreeChange>> changes(const std::string& commit) const;
  /// Paths of the base's tree, sorted bytewise.
  [[nodiscard]] Result<std::vector<std::string>> base_paths() const;
  /// Those of `paths` that the base's ignore rules name, tracked or not.
  [[nodiscard]] Result<std::vector<std::string>> ignored_by_base(const std::vector<std::string>& paths) const;
  /// Writes the new content of `changes` below `directory` (new or empty) as a checkout would, and `index`:
  /// that of `base_index` (a checkout of the base) brought up to the changes.
  [[nodiscard]] Result<void> materialise(const std::vector<TreeChange>& changes, const fs::path& directory,
                                         const fs::path& base_index, const fs::path& index) const;

  /// Bytes of blobs, in the order asked; absent for one that is missing or larger than `max_bytes`. All of
  /// them together stay within 64 MiB: later ones are absent then.
  [[nodiscard]] Result<std::vector<std::optional<std::string>>> blobs(const std::vector<std::string>& ids,
                                                                      std::size_t max_bytes) const;
  /// Bytes of a file of the base; absent where there is none, or it is too large.
  [[nodiscard]] std::optional<std::string> base_file(const std::string& path, std::size_t max_bytes) const;
  /// A commit of this store whose tree is that of `commit` with the edits carried out in their order. The
  /// same edits give the same id. `name` tells it from others in messages and file names.
  [[nodiscard]] Result<std::string> edited(const std::string& commit, const std::vector<TreeEdit>& edits,
                                           const std::string& name) const;
  /// Makes `directory` an object directory with the base's history and the names of its files, and nothing
  /// else: no contents, no result of any race. At most 20,000 commits. Idempotent.
  [[nodiscard]] Result<void> write_history(const fs::path& directory) const;
  /// The tree of a commit of this store: what tells commits of one content from others.
  [[nodiscard]] Result<std::string> tree_of(const std::string& commit) const;
  /// Parts of results as one commit on top of the base. `not_found` names a path that its result does not
  /// change; `refused` one that two results give different content.
  [[nodiscard]] Result<model::Capture> combine(const std::vector<Part>& parts, const std::string& name) const;

  /// The user's repository compared with the race's start. Fingerprints of what git obeys are always
  /// compared; refs too, and where agents could have written to it (linked workspaces, no sandbox) the
  /// index's flags and the checkout.
  [[nodiscard]] Result<RepositoryChanges> compare_repository() const;
  /// Puts back what can be: configuration, hooks, info, flags of the index. What stood there instead is kept
  /// in directory() / "replaced". Returns what differs afterwards.
  [[nodiscard]] Result<RepositoryChanges> repair_repository() const;
  /// Whether agents of this race could write to the user's repository.
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
  [[nodiscard]] Result<void> make_linked(const fs::path& directory) const;
  /// Files, index and submodules of `commit` in `directory`, which holds a repository and nothing else.
  [[nodiscard]] Result<void> fill(const fs::path& directory, const std::string& commit) const;
  /// An agent's own `.git` in `directory`, without an index.
  [[nodiscard]] Result<void> make_repository(const fs::path& directory) const;
  [[nodiscard]] Result<model::DiffStat> live_layer(const Worktree& tree, const std::string& name) const;
  [[nodiscard]] Result<std::string> tree_with(const Command& git, const std::vector<RawEntry>& entries) const;
  /// git's comparison of a captured commit with the base, which the capture has made anyway.
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
  model::WorkspaceIsolation isolation_;
  bool exposed_;
  std::vector<std::string> generated_;
  std::uint64_t max_file_bytes_ = 0;
  std::string path_variable_, home_;
  std::int64_t created_seconds_ = 0;
  using Paths = std::vector<std::string>;
  [[nodiscard]] Result<std::shared_ptr<const Paths>> paths_of_base() const;
  // By all copies together:
  std::shared_ptr<IgnoredPaths> ignored_;
  std::shared_ptr<std::atomic<std::shared_ptr<const Paths>>> base_paths_;
  std::shared_ptr<SharedFiles> base_files_;
};

/// Changes that a merge brings in only with the user's consent, by kind:
///   attributes  .gitattributes             submodules  .gitmodules, a submodule's commit or files
///   symlinks    new links out of the tree  lfs         large-file pointers, and .lfsconfig
///   ci          pipelines of CI services   hooks       git hooks, their configuration, commands of filters
///   branch      the checkout is on another branch than when the race started, or lacks the race's base
///   tampered, unchecked   what the checks of a result say, or that there were none; only the caller knows
///   that
///                         (MergeRequest::consent)
/// model/consent.hpp has the same list for people.
struct Consent {
  std::string kind;
  std::vector<std::string> paths;
};

struct MergeRequest {
  fs::path journal;    ///< directory of this merge's journal, in Hydra's state
  std::string branch;  ///< full name, for messages
  std::string commit;  ///< result to merge, in the store
  std::string message;
  bool squash = false;
  bool ff_only = false;
  bool ff = false;  ///< moves the branch forward where that is possible, merges else
  bool dry_run = false;
  std::string expected_ref;        ///< branch that the user stood on when asked; empty: detached is refused
  std::vector<std::string> allow;  ///< kinds that the user allows, see Consent
  std::vector<std::string> parts;  ///< only what lies at or below these paths; empty: everything
  std::vector<std::string> submodules;  ///< whose files the result changes: they are in no tree of it
  std::vector<Consent> consent;         ///< what else needs a word
  bool accept_changes = false;          ///< takes the repository's changed configuration for the user's own
  bool repair_changes = false;          ///< puts the configuration of the race's start back first
  /// The user's variables that signing needs (SSH_AUTH_SOCK, GNUPGHOME, GPG_TTY, …).
  std::vector<std::pair<std::string, std::string>> environment;
  /// Asked for: programs of the user's (hooks, filters, signing) are killed. What has begun to move stays as
  /// it is, for recover_merge().
  std::stop_token stop{};
};

/// A merge that shall be undone, as it was recorded.
struct UndoRequest {
  fs::path journal;
  std::string commit, before;  ///< what the branch held after and before
  std::string ref;
  std::string state;  ///< commit of the uncommitted state that went in with it; empty: none
  bool dry_run = false;
  bool accept_changes = false, repair_changes = false;  ///< see MergeRequest
  std::stop_token stop{};                               ///< see MergeRequest
};

/// What a merge would leave in a file between its marks; see conflict_regions().
struct ConflictText {
  std::string path, text;
};

struct MergePreview {
  std::string ref;                            ///< branch that moves
  std::string old_commit, new_commit;         ///< new_commit is empty in a dry run that would conflict
  std::vector<std::string> conflicts;         ///< paths
  std::vector<ConflictText> conflict_text{};  ///< of a dry run: of those that can be read
  std::vector<std::string> overlap;  ///< dirty or untracked paths of the user that the merge would touch
  model::DiffStat diff;
  bool already_merged = false;
  std::string note;                  ///< a post-merge hook that failed; may be empty
  std::string state;                 ///< commit of the uncommitted state that goes in with it; empty: none
  bool signed_ = false;              ///< the merge commit carries the user's signature
  std::vector<Consent> consent;      ///< what needs a word
  std::vector<std::string> changed;  ///< what of the repository's configuration is not as at the start
};

/// Brings a result into the user's checked-out branch (core recipes, section 6): computed and imported first,
/// then journalled, with compare-and-swap. On any Error nothing that the user sees has changed. `refused`
/// names: an operation in progress, a moved branch, dirty overlap, untracked files in the way, conflicts, a
/// foreign index.lock.
Result<MergePreview> merge(const Store& store, const model::RaceSpec& spec, const MergeRequest& request);

/// Takes a merge back while it is the newest commit of the branch and nothing else holds it: as if it had
/// not been; the user's own changes stay, and an uncommitted state that went in is uncommitted again.
/// `refused` says how to do it by hand.
Result<MergePreview> undo_merge(const Store& store, const model::RaceSpec& spec, const UndoRequest& request);

/// What a journal whose move is done did; nothing where it did not arrive.
struct Landed {
  std::string ref, before, commit, state;
};
std::optional<Landed> landed(const fs::path& journal);

/// Whether nothing of this journal is left to do: then its directory may go.
bool merge_settled(const fs::path& journal);

struct Recovery {
  bool accept_changes = false;  ///< the repository's configuration as it is now
  std::stop_token stop{};       ///< see MergeRequest
};

/// Finishes or undoes a merge whose process died; waits for its orphaned git children. Safe to call on any
/// journal directory. Returns a sentence about what was done, empty for nothing. `refused` where files would
/// have to go back through filters and the repository's configuration or hooks are not those that the merge
/// began with; `conflict` where the user removed its lock. Both touch nothing.
Result<std::string> recover_merge(const fs::path& journal, const model::RepositoryFacts& repository,
                                  const std::string& path_variable, const std::string& home,
                                  const Recovery& how = {});

/// "hydra/codex-1708646400" of the race's seconds; the part after the slash is what people type.
std::string branch_name(const std::string& agent, std::int64_t created_ms);

}  // namespace hydra::git
