// race: whose tests are run on whose results: the look at their trees that makes the plan of a race's cross
// tests (docs/selection.md).
#pragma once

#include "git/repository.hpp"
#include "integrity/protect/known_rules.hpp"
#include "model/cross_plan.hpp"
#include "race/state/cross.hpp"

#include <string>

namespace hydra::race {

/// Either a plan with at least one run, or why there is none: "one_result", "no_new_tests", "too_many_files".
struct PlannedCross {
  model::CrossPlan plan;
  std::string reason;
};
/// Blocking: asks git, some four times a run.
Result<PlannedCross> plan_cross_tests(integrity::KnownRules& known, const git::Store& store,
                                      const model::RaceSpec& spec, const CrossInputs& inputs);

}  // namespace hydra::race
