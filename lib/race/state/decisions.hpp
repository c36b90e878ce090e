// race: what a person decides about a race that has ended: once, without an agent being paid again
// (docs/integrity.md, "A person decides"). Pure.
#pragma once

#include "base/result.hpp"
#include "race/state/state.hpp"

#include <string>
#include <vector>

namespace hydra::race {

/// The fold of one decision; the race is to be ranked again after it. One about a protected path wakes the
/// race for the results of which that path was put back; nothing merges by itself then.
void take_decision(State& state, const model::Decision& decision, const std::string& by, std::int64_t at_ms);

/// A finding that somebody has accepted is for information, and says who.
void accept_finding(const State& state, model::TamperFinding& finding);

/// `usage` for an unknown kind, `not_found` for what means nothing in this race.
Result<void> check_decision(const State& state, const model::Decision& decision);

}  // namespace hydra::race
