// race: finds tests that two results of a race end differently, from stored evidence: the base's tests, and
// all authors' tests from cross runs (docs/selection.md, "Two results side by side"). Pure.
#pragma once

#include "race/state/state.hpp"
#include "wire/details.hpp"

#include <string>

namespace hydra::race {

/// Compares two agents. `a`, `b`: "passed", "failed", "missing" for a test of the base, else a cell of the
/// matrix; logs: attempts, may be empty. `compared`: number of tests with an outcome in both runs.
wire::Behaviour behaviour(const State& state, const std::string& a, const std::string& b);

}  // namespace hydra::race
