// race: whether the base's checks can judge results. Pure.
#pragma once

#include "model/check.hpp"
#include "race/state/state.hpp"

#include <string>
#include <vector>

namespace hydra::race {

/// Factor of the limit under which tests of the base run again that timed out, to measure their time.
inline constexpr int kMeasureFactor = 10;

/// Returns why the base's checks can judge no result, as far as they have run. Projects without a test
/// command are judged by their other checks.
model::BaseProblem base_problem(const State& state);
/// Returns the problem with its command and remedy, for people; empty: none.
std::string base_problem_text(const State& state);
/// Returns whether the problem ends a race that waits for the base: `base_fails` allows all of them but a
/// workspace that could not be made.
bool ends_race(const State& state, model::BaseProblem problem);
/// Returns whether tests of the base that timed out run once more, under the longer limit: `hydra check` or
/// waiting agents need to know whether these tests can judge results.
bool to_measure(const State& state, const Subject& subject, model::Dimension dimension, const CheckRun& run);
/// Marks evidence of a run under the longer limit. A run that ends within the usual limit counts as any
/// other.
void mark_measured(const model::Config& config, model::CheckEvidence& evidence);
/// Returns whether no test passed, neither in the base nor in a changed result.
bool nothing_judged(const State& state, const std::vector<model::AgentEvidence>& rows);

}  // namespace hydra::race
