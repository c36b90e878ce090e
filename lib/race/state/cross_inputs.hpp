// race: whose tests could be run on whose results, out of the fold (docs/selection.md). Pure.
#pragma once

#include "model/cross_plan.hpp"
#include "race/state/state.hpp"

#include <set>
#include <string>
#include <vector>

namespace hydra::race {

/// What planning needs of the fold.
struct CrossInputs {
  struct Result {
    std::string owner;   ///< check owner
    std::string commit;  ///< its gating commit
  };
  struct Writer {
    std::string owner;   ///< check owner, or the name of a tester
    std::string commit;  ///< captured, with its tests
    model::AuthorKind kind = model::AuthorKind::result;
    std::set<std::string> blocked;  ///< paths that a blocking finding names
  };
  std::vector<Result> results;  ///< eligible, identical trees once, in the order of asking
  std::vector<Writer> writers;
  int mutants = 0;          ///< of the base, in a race about tests; at most
  bool base_named = false;  ///< the base's checks tell its tests by name
  bool alone = false;       ///< one result is enough: its own tests say whether it is green
};
/// Of a race whose checks are over.
CrossInputs cross_inputs(const State& state);

}  // namespace hydra::race
