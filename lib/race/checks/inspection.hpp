// race: what is needed to look at a candidate, its diff and the transcripts of its agent, as a value; and the
// look itself (docs/integrity.md).
#pragma once

#include "checks/gating.hpp"
#include "race/layout.hpp"
#include "race/state/state.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace hydra::race {

struct Inspection {
  checks::Candidate candidate;
  model::AgentDescriptor descriptor;
  bool combined = false;                    ///< of parts of results: no agent ran for it
  std::vector<std::filesystem::path> logs;  ///< of the attempts whose work is in the result
};

/// Of an agent that has a capture. `layout`: of the race that has the transcripts, for a verification the one
/// that it verifies.
Inspection inspection_of(const State& state, const Layout& layout, const std::string& name);

/// Blocking. An error where git or the disk failed: nothing is known then.
Result<model::Integrity> look_at_candidate(integrity::KnownRules& known, const git::Store& store,
                                           const model::RaceSpec& spec, Inspection inspection);

/// What can't be looked at is checked as it is, and is not eligible.
model::Integrity or_not_inspected(Result<model::Integrity> found, const std::string& commit);

}  // namespace hydra::race
