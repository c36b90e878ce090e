// race: in which tests two results of a race end differently, out of what is stored: the base's, and those of
// all authors as cross tests ran them (docs/selection.md, "Two results side by side"). Pure.
#pragma once

#include "race/state/state.hpp"
#include "wire/details.hpp"

#include <string>

namespace hydra::race {

/// Of each test a and b: "passed", "failed", "missing" of the base's, else cells of the matrix; logs:
/// attempts, may be empty. `compared`: tests that both runs say something of. Both names are agents of the
/// race.
wire::Behaviour behaviour(const State& state, const std::string& a, const std::string& b);

}  // namespace hydra::race
