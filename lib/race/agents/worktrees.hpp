// race: what agents work in: a checkout of their own, or a layer over one that they share (ADR 31).
#pragma once

#include "exec/job.hpp"
#include "git/repository.hpp"
#include "model/race_spec.hpp"
#include "race/layout.hpp"
#include "race/state/agent_state.hpp"

#include <string>

namespace hydra::race {

/// What stands at a directory below work() of that race; `directory` is its name there.
git::Worktree worktree_at(const Layout& layout, const std::string& directory);
git::Worktree worktree_of(const Layout& layout, const std::string& agent);

/// Makes the worktree of an agent and the files that its run needs; its path. What stood there is moved aside
/// with what it is. On any Error nothing of it is left. Blocking.
Result<std::string> make_worktree(const git::Store& store, const model::RaceSpec& spec, const Layout& layout,
                                  const AgentState& agent);

/// Shows the directory in which an agent works to its job: a worktree, or a judge's place.
void show_worktree(const model::RaceSpec& spec, const Layout& layout, const fs::path& directory,
                   exec::JobSpec& job);

/// Makes a directory of its own out of a layer; nothing happens where it is none. No overlay of it is
/// mounted. Blocking, as long as a copy of the tree.
Result<void> make_real(const Layout& layout, const std::string& agent);

/// Whether somebody put something beside a layer, where no capture looks.
bool has_strays(const git::Worktree& tree);

/// Forgets what a directory below work() was, which is no longer there.
void forget_layer(const Layout& layout, const std::string& directory);

/// Removes the shared bases that no race below `state` stands on. Blocking.
void drop_shared_bases(const fs::path& state);

}  // namespace hydra::race
