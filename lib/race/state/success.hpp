// race: the words success and solved of a result (ruling H28 of docs/scoring.md). Pure.
#pragma once

#include "race/state/state.hpp"
#include "scoring/engine.hpp"

namespace hydra::race {

/// A result beside its base. `tests`: scoring::compare_tests() of the two.
struct Beside {
  const model::BaselineEvidence& base;
  const model::AgentEvidence& result;
  const scoring::TestComparison& tests;
  bool eligible = false;
};
/// Whether the result is eligible, no check is worse than the base's, and hidden tests, if any, pass.
bool is_success(const State& state, const Beside& beside);
/// Whether the result is eligible and passes the hidden tests; without any, whether the result fixes tests
/// of the base and breaks none.
bool is_solved(const State& state, const Beside& beside);

}  // namespace hydra::race
