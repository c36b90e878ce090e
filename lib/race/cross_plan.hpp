// race: whose tests are run on whose results: the plan of a race's cross tests, as a value and the look that
// makes it (docs/selection.md).
#pragma once

#include "git/repository.hpp"
#include "integrity/protect/known_rules.hpp"
#include "model/cross_plan.hpp"
#include "race/state.hpp"

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

/// Either a plan with at least one run, or why there is none: "one_result", "no_new_tests", "too_many_files".
struct PlannedCross {
  model::CrossPlan plan;
  std::string reason;
};
/// Blocking: asks git, some four times a run.
Result<PlannedCross> plan_cross_tests(integrity::KnownRules& known, const git::Store& store,
                                      const model::RaceSpec& spec, const CrossInputs& inputs);

}  // namespace hydra::race
