// trees: workspaces made from a template, by an overlay over it or a copy of it, with the candidate's changes
// applied.
#pragma once

#include "trees/template.hpp"
#include "trees/workspace.hpp"

#include <memory>
#include <string>

namespace hydra::trees {

/// Set-up and the base's build results come from the template, which must stay until the last discard;
/// changes get the present mtime. `directory`, `trash`: as for fresh_workspaces().
std::unique_ptr<WorkspaceProvider> layered_workspaces(git::Store store, const model::RaceSpec& spec,
                                                      TemplatePaths base, TemplateMeta meta,
                                                      fs::path directory, fs::path trash);

/// Paths at which a sandbox shows a store's object directories, in their order, and the binds for these.
std::vector<fs::path> objects_inside(const git::Store& store);
void bind_objects(const git::Store& store, Workspace& workspace);

/// Workspace of the commands that make a template: the set-up runs in the tree itself, build and `warm` in
/// the layer above.
Workspace template_workspace(const git::Store& store, const model::RaceSpec& spec, const TemplatePaths& paths,
                             bool warm);
/// Makes the mount points of template_workspace(). Idempotent.
Result<void> make_template_mounts(const model::RaceSpec& spec, const TemplatePaths& paths,
                                  const Workspace& workspace);

}  // namespace hydra::trees
