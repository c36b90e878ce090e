// race: sign-in files that a CLI rewrites: a run's renewed copy replaces the user's file, so that neither the
// next run nor the user has a spent token; and tokens to be redacted (docs/adapters.md). Blocking.
#pragma once

#include "race/agents/agent_files.hpp"

#include <string>
#include <vector>

namespace hydra::race {

/// Keeps the bytes given to a run, out of the run's reach, and the path of their file: `origin`, without
/// symbolic links.
Result<void> remember_sign_in(const Seeded& seed, const fs::path& origin, const std::string& agent,
                              const Layout& layout);

/// Atomically replaces the user's file (mode 0600) by a sign-in that the CLI has rewritten, if the file is in
/// place and unchanged since the run began; else the sign-in stays in the race's directory. Returns a
/// message; empty: none.
std::string carry_sign_in_back(const model::RaceSpec& spec, const AgentState& agent, const Layout& layout);

/// Removes the remembered sign-ins; renewed ones that could not be carried back stay.
void forget_sign_ins(const std::string& agent, const Layout& layout);

/// Returns adapters::secret_values_of() of the current sign-in files of all agents of a race, at most 64
/// values. Files of more than 256 KiB are skipped. Blocking, a few small reads.
std::vector<std::string> sign_in_values(const model::RaceSpec& spec);

}  // namespace hydra::race
