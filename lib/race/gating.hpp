// race: what several runs of one result say together (DESIGN 7): the base's tests as the gating run shows
// them, new ones as the agent's own run does, unstable ones apart. Pure.
#pragma once

#include "model/score.hpp"
#include "race/state.hpp"

#include <string>

namespace hydra::race {

/// Adds to the gating run what only the run with the agent's own tests shows: new names, with their counts;
/// and the build, where tests of the base alone kept it from building.
void add_own_tests(model::CheckSet& gating, const model::CheckSet& own);

/// Doubts and holds of an agent whose checks are those of `owner`: what its diff attempts, what could not be
/// looked at, a build from nothing that differs.
void judge_integrity(const State& state, const std::string& owner, model::AgentEvidence& row);

/// Findings that count as blocking.
bool blocks(const model::Integrity& integrity);

}  // namespace hydra::race
