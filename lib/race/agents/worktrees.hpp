// race: directories in which agents work: separate checkouts, or layers over a shared one
// (docs/adr/0031-worktrees-as-layers.md).
#pragma once

#include "exec/job.hpp"
#include "git/repository.hpp"
#include "model/race_spec.hpp"
#include "race/layout.hpp"
#include "race/state/agent_state.hpp"
#include "trees/template.hpp"

#include <optional>
#include <string>

namespace hydra::race {

/// Returns the worktree at a directory below work() of that race; `directory` is its name.
git::Worktree worktree_at(const Layout& layout, const std::string& directory);
git::Worktree worktree_of(const Layout& layout, const std::string& agent);

/// Makes the worktree of an agent and the files of its run. An existing directory is moved aside with its
/// layer record. `base`: template whose dependencies the agent gets; absent: none. On an Error nothing is
/// left. Blocking.
Result<model::WorkspaceReady> make_worktree(const git::Store& store, const model::RaceSpec& spec,
                                            const Layout& layout, const AgentState& agent,
                                            const std::optional<trees::TemplatePaths>& base, bool warm);

/// Deletes an agent's worktree at once, for its room; a capture's branch stays.
Result<void> drop_worktree(const model::RaceSpec& spec, const Layout& layout, const std::string& agent);

/// Returns the path at which an agent sees its worktree: in a sandbox the path of the user's checkout, so
/// that absolute paths in environments and caches mean the agent's files.
fs::path worktree_inside(const model::RaceSpec& spec, const Layout& layout, const fs::path& directory);

/// Makes the working directory visible to its job: an agent's worktree, or a judge's directory.
void show_worktree(const model::RaceSpec& spec, const Layout& layout, const fs::path& directory,
                   exec::JobSpec& job);

/// Converts a layer into a separate directory; a no-op for any other worktree. The layer must not be mounted.
/// Blocking, as long as a copy of the tree.
Result<void> make_real(const Layout& layout, const std::string& agent);

/// Returns whether files were placed beside a layer, where no capture looks.
bool has_strays(const git::Worktree& tree);

/// Removes the layer record of a directory that no longer exists.
void forget_layer(const Layout& layout, const std::string& directory);

/// Removes shared bases that no race below `state` uses. Blocking.
void drop_shared_bases(const fs::path& state);

}  // namespace hydra::race
