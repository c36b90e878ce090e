// race: sign-in files that a CLI rewrites. A run has a copy of its own; when the run is over, a renewed copy
// goes back to the user's file, so that the next run, and the user, do not stand there with a spent token.
// And their tokens and keys, as values to be taken out of what is shown and stored (docs/adapters.md,
// 'What it sees of your environment'). Blocking.
#pragma once

#include "race/agents/agent_files.hpp"

#include <string>
#include <vector>

namespace hydra::race {

/// Keeps the bytes that a run was given, where the run cannot reach them, and the file that they came from:
/// `origin`, without a symbolic link in it.
Result<void> remember_sign_in(const Seeded& seed, const fs::path& origin, const std::string& agent,
                              const Layout& layout);

/// For each sign-in of the run that its CLI has rewritten: replaces the user's file whole or not at all, with
/// mode 0600, where that file still is what the run was given, in the place where it was. What is not taken
/// stays in the race's directory, and the text says where. Returns what to tell the user; empty: nothing was
/// rewritten.
std::string carry_sign_in_back(const model::RaceSpec& spec, const AgentState& agent, const Layout& layout);

/// Removes what was remembered; renewed sign-ins that could not be carried back stay.
void forget_sign_ins(const std::string& agent, const Layout& layout);

/// adapters::secret_values_of() of the user's sign-in files of all agents of a race, as they are now; at most
/// 64. Files of more than 256 KiB are passed over. Blocking, a few small reads.
std::vector<std::string> sign_in_values(const model::RaceSpec& spec);

}  // namespace hydra::race
