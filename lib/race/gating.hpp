// race: what several runs of one result say together (DESIGN 7): the base's tests as the gating run shows
// them, new ones as the agent's own run does, unstable ones apart. Pure.
#pragma once

#include "model/score.hpp"
#include "race/state.hpp"

#include <string>
#include <vector>

namespace hydra::race {

/// Adds to the gating run what only the run with the agent's own tests shows: new names, with their counts;
/// and the build, where tests of the base alone kept it from building.
void add_own_tests(model::CheckSet& gating, const model::CheckSet& own);

/// What new names may say beside the base's: cases of one parametrised test count as one, by the worst of
/// them; and while a test of the base fails, new ones that pass are listed and not counted, for they would
/// raise the pass rate without any work on the task.
void limit_new_tests(model::CheckSet& checks, const model::CheckSet& base);

/// Doubts and holds of an agent whose checks are those of `owner`: what its diff attempts, what could not be
/// looked at, a build from nothing that differs.
void judge_integrity(const State& state, const std::string& owner, model::AgentEvidence& row);

/// The tamper report of an agent whose checks are those of `owner`, worst first: what its diff attempts, and
/// what its checks rewrote that the base's do not.
std::vector<model::TamperFinding> findings_of(const State& state, const std::string& owner);

}  // namespace hydra::race
