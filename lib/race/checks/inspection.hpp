// race: the inputs for inspecting a candidate, its diff and its agent's transcripts, as a value; and the
// inspection (docs/integrity.md).
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
  bool combined = false;                    ///< combined from parts of results: no agent ran
  std::vector<std::filesystem::path> logs;  ///< logs of the attempts whose work is in the result
};

/// Collects the inputs for an agent with a capture. `layout`: of the race that has the transcripts; for a
/// verification, the verified race.
Inspection inspection_of(const State& state, const Layout& layout, const std::string& name);

/// Inspects a candidate. Blocking. On an error of git or the disk, nothing is known.
Result<model::Integrity> look_at_candidate(integrity::KnownRules& known, const git::Store& store,
                                           const model::RaceSpec& spec, Inspection inspection);

/// Returns the finding, or one for a candidate that could not be inspected: checked as it is, and not
/// eligible.
model::Integrity or_not_inspected(Result<model::Integrity> found, const std::string& commit);

}  // namespace hydra::race
