// race: plans a race's cross tests from the trees: whose tests are run on whose results (docs/selection.md).
#pragma once

#include "git/repository.hpp"
#include "integrity/protect/known_rules.hpp"
#include "model/cross_plan.hpp"
#include "race/state/cross.hpp"

#include <string>

namespace hydra::race {

/// A plan with at least one run, or the reason for none: "one_result", "no_new_tests", "too_many_files".
struct PlannedCross {
  model::CrossPlan plan;
  std::string reason;
};
/// Blocking: runs git, about four times per run.
Result<PlannedCross> plan_cross_tests(integrity::KnownRules& known, const git::Store& store,
                                      const model::RaceSpec& spec, const CrossInputs& inputs);

}  // namespace hydra::race
