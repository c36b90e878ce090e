// race: the words success and solved of a result (ruling H28 of docs/scoring.md). Pure.
#pragma once

#include "race/state/state.hpp"

namespace hydra::race {

/// Whether the result is eligible, no check is worse than the base's, and hidden tests, if any, pass.
bool is_success(const State& state, const model::BaselineEvidence& base, const model::AgentEvidence& result,
                bool eligible);
/// Whether the result is eligible and passes the hidden tests; without any, whether the result fixes tests
/// of the base and breaks none.
bool is_solved(const State& state, const model::BaselineEvidence& base, const model::AgentEvidence& result,
               bool eligible);

}  // namespace hydra::race
