// race: sign-in files that a CLI rewrites. A run has a copy of its own; when the run is over, a renewed copy
// goes back to the user's file, so that the next run, and the user, do not stand there with a spent token.
// Blocking.
#pragma once

#include "race/agent_files.hpp"

#include <string>

namespace hydra::race {

/// Keeps the bytes that a run was given, where the run cannot reach them.
Result<void> remember_sign_in(const Seeded& seed, const std::string& agent, const Layout& layout);

/// For each sign-in of the run that its CLI has rewritten: replaces the user's file whole or not at all, with
/// mode 0600, where that file still is what the run was given. Nothing is followed that is a symbolic link. A
/// copy that is no longer of the same kind (JSON without a member that it had) is not taken. Returns what to
/// tell the user; empty: nothing was rewritten.
std::string carry_sign_in_back(const model::RaceSpec& spec, const AgentState& agent, const Layout& layout);

}  // namespace hydra::race
