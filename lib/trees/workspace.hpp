// trees: where and how a project's own build, tests and lint run on a captured commit, and what came out of
// it. Check workspaces stand behind one interface, so that templates and overlays can take the place of fresh
// checkouts.
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

/// A tree to run checks in. Inside a sandbox it stands at the real path of the user's checkout, so that
/// absolute paths in build directories and environments mean the candidate's code (toolchains reference,
/// section 1).
struct Workspace {
  fs::path host;       ///< where it is outside; an overlay is empty there, it is seen by its jobs only
  fs::path inside;     ///< where the payload sees it; equal to `host` without a sandbox
  fs::path home;       ///< $HOME of its jobs, outside; empty: the caller's choice
  fs::path byte_code;  ///< what the base's checks compiled (trees/byte_code.hpp); empty: none is kept
  std::vector<exec::Bind> binds;             ///< what a sandbox must show, in order
  std::vector<exec::OverlayMount> overlays;  ///< mounted for each job, in order
  exec::OverlayAs overlay_as = exec::OverlayAs::automatic;
};

struct WorkspaceRequest {
  std::string subject;
  std::string commit;
  bool cold = false;  ///< without build results of the base
  bool copy = false;  ///< never an overlay
  fs::path hidden{};  ///< tests that are laid over the tree; empty: none
  /// Its repository is the base's, with the commit as changes that nobody has added: nothing in it says whose
  /// commit that is. Of layered workspaces only.
  bool anonymous = false;
};

struct PreparedWorkspace {
  Workspace workspace;
  model::WorkspaceFacts facts;  ///< `setup`: the caller runs the set-up in it
};

class WorkspaceProvider {
 public:
  virtual ~WorkspaceProvider() = default;
  /// Makes the workspace of a subject; whatever is there of an earlier try is moved away first. Blocking;
  /// called from pool threads, for several subjects at once.
  [[nodiscard]] virtual Result<PreparedWorkspace> prepare(const WorkspaceRequest& request) const = 0;
  /// The workspace that prepare() made, after a restart.
  [[nodiscard]] virtual Workspace at(const std::string& subject,
                                     const model::WorkspaceFacts& facts) const = 0;
  /// Moves the workspace out of the way; it is deleted later.
  virtual void discard(const std::string& subject) const = 0;
};

/// Where a sandbox shows the object directories of a store, in their order: the user's own lies below the
/// path that workspaces are mounted over.
fs::path objects_inside(std::size_t index);

/// A fresh checkout a subject, with `copy` and `share` copied from the user's checkout. `trash` is where
/// discarded trees go (same file system as `directory`).
std::unique_ptr<WorkspaceProvider> fresh_workspaces(git::Store store, const model::RaceSpec& spec,
                                                    fs::path directory, fs::path trash);

/// Renames `path` into `trash` under a name of its own; nothing there is success. Deleting right away would
/// slow the next checkout down tenfold on ext4 (core recipes, section 1).
void move_to_trash(const fs::path& path, const fs::path& trash);

/// Configured paths as they are in the checkout: patterns of base/glob.hpp become every directory or file
/// that they match, however deep, none of them inside another one, in a .git, in installed dependencies
/// (node_modules, .venv) or in one of `except`. Sorted; plain paths stay as they are.
std::vector<std::string> expand_paths(const fs::path& checkout, const std::vector<std::string>& paths,
                                      const std::vector<std::string>& except = {});

/// Copies the configured paths of the user's checkout into a workspace; missing ones are skipped.
Result<void> copy_from_checkout(const fs::path& checkout, const fs::path& workspace,
                                const std::vector<std::string>& paths);

}  // namespace hydra::trees
