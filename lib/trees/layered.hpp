// trees: workspaces from a template: an overlay over it, or a copy of it, with the candidate's changes
// applied.
#pragma once

#include "trees/template.hpp"
#include "trees/workspace.hpp"

#include <memory>
#include <string>

namespace hydra::trees {

/// The set-up and the base's build results come from the template; what a candidate changes is written with
/// the time of now. `directory` and `trash` as for fresh_workspaces(); the template must stay until the last
/// one is discarded.
std::unique_ptr<WorkspaceProvider> layered_workspaces(git::Store store, const model::RaceSpec& spec,
                                                      TemplatePaths base, TemplateMeta meta,
                                                      fs::path directory, fs::path trash);

/// Where a sandbox shows the object directories of a store, in their order, and the binds that do.
std::vector<fs::path> objects_inside(const git::Store& store);
void bind_objects(const git::Store& store, Workspace& workspace);

/// Where the commands that make a template run: the set-up in the tree itself, build and `warm` in the layer
/// above.
Workspace template_workspace(const git::Store& store, const model::RaceSpec& spec, const TemplatePaths& paths,
                             bool warm);
/// Makes the directories that template_workspace() mounts on. Idempotent.
Result<void> make_template_mounts(const model::RaceSpec& spec, const TemplatePaths& paths,
                                  const Workspace& workspace);

}  // namespace hydra::trees
