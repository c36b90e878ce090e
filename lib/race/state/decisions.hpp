// race: a person's decisions about an ended race: made once, without paying an agent again
// (docs/integrity.md, "A person decides"). Pure.
#pragma once

#include "base/result.hpp"
#include "race/state/state.hpp"

#include <string>
#include <vector>

namespace hydra::race {

/// Folds one decision; a new ranking must follow. A decision about a protected path wakes the race for the
/// results in which that path was restored; no automatic merge follows.
void take_decision(State& state, const model::Decision& decision, const std::string& by, std::int64_t at_ms);

/// Lowers an accepted finding to `info`, and names the person.
void accept_finding(const State& state, model::TamperFinding& finding);

/// Checks a decision: `usage` for an unknown kind, `not_found` if its object is not in this race.
Result<void> check_decision(const State& state, const model::Decision& decision);

}  // namespace hydra::race
