// trees: runs a project's own build, tests and lint on a captured commit. Check workspaces have one
// interface, so that templates and overlays can replace fresh checkouts.
#pragma once

#include "base/result.hpp"
#include "exec/job.hpp"
#include "git/repository.hpp"
#include "model/check.hpp"
#include "model/event.hpp"
#include "model/race_spec.hpp"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace hydra::trees {

namespace fs = std::filesystem;

/// A tree to run checks in. In a sandbox it is at the real path of the user's checkout, so that absolute
/// paths in build directories and environments mean the candidate's code (docs/workspaces.md).
struct Workspace {
  fs::path host;       ///< path outside; for an overlay an empty directory: only its jobs see the tree
  fs::path inside;     ///< path for the payload; equals `host` without a sandbox
  fs::path home;       ///< $HOME of its jobs, outside; empty: the caller decides
  fs::path byte_code;  ///< byte code compiled by the base's checks (trees/byte_code.hpp); empty: none
  std::vector<exec::Bind> binds;             ///< binds that a sandbox needs, in order
  std::vector<exec::OverlayMount> overlays;  ///< mounted for each job, in order
  exec::OverlayAs overlay_as = exec::OverlayAs::automatic;
};

struct WorkspaceRequest {
  /// cold: without build results of the base. cross: the repository is the base's, with the commit as
  /// uncommitted changes, so that nothing names the commit's author (layered workspaces only).
  model::Subject subject;
  std::string commit;
  bool copy = false;  ///< true: never an overlay
  fs::path hidden{};  ///< tests to lay over the tree; empty: none
};

struct PreparedWorkspace {
  Workspace workspace;
  model::WorkspaceFacts facts;  ///< `setup`: the caller must run the set-up
};

class WorkspaceProvider {
 public:
  virtual ~WorkspaceProvider() = default;
  /// Makes the workspace of a subject; remains of an earlier try are moved away first. Blocking; called from
  /// pool threads, for several subjects at once.
  [[nodiscard]] virtual Result<PreparedWorkspace> prepare(const WorkspaceRequest& request) const = 0;
  /// Returns the workspace that prepare() made, after a restart.
  [[nodiscard]] virtual Workspace at(const model::Subject& subject,
                                     const model::WorkspaceFacts& facts) const = 0;
  /// Moves the workspace out of the way; it is deleted later.
  virtual void discard(const model::Subject& subject) const = 0;
};

/// Path at which a sandbox shows a store's object directory of this index: the user's own directory is below
/// the path that workspaces are mounted over.
fs::path objects_inside(std::size_t index);

/// Makes a fresh checkout for each subject, with `copy` and `share` copied from the user's checkout. `trash`:
/// directory for discarded trees (on the file system of `directory`).
std::unique_ptr<WorkspaceProvider> fresh_workspaces(git::Store store, const model::RaceSpec& spec,
                                                    fs::path directory, fs::path trash);

/// Renames `path` into `trash` under a unique name; a missing path is success. Deleting right away would slow
/// the next checkout down tenfold on ext4.
void move_to_trash(const fs::path& path, const fs::path& trash);

/// Expands configured paths in the checkout: a pattern of base/glob.hpp becomes all directories and files
/// that it matches at any depth, none of them inside another match, a .git, installed dependencies
/// (node_modules, .venv) or one of `except`. Sorted; plain paths stay as they are.
std::vector<std::string> expand_paths(const fs::path& checkout, const std::vector<std::string>& paths,
                                      const std::vector<std::string>& except = {});

/// Copies the configured paths of the user's checkout into a workspace; missing ones are skipped.
Result<void> copy_from_checkout(const fs::path& checkout, const fs::path& workspace,
                                const std::vector<std::string>& paths);

}  // namespace hydra::trees
