// race: evidence that tells right results from wrong ones, from the fold: own tests, hidden tests, the user's
// approvals, and reasons against an automatic merge (docs/selection.md). Pure.
#pragma once

#include "model/score.hpp"
#include "race/state/state.hpp"

#include <string>
#include <vector>

namespace hydra::race {

/// Returns the own tests failing on the result's own tree, by name: new names, and the base's in files that
/// the result changed; an unfinished run is named as such. `owner`: of the checks. Empty: none, or not run.
std::vector<std::string> failing_own_tests(const State& state, const Subject& owner);

/// Returns "its own tests fail: test_x and 2 more"; empty: none fail, or they are not run.
std::string own_tests_text(const State& state, const AgentState& agent);

/// Adds reasons against eligibility: "own_tests_fail", "no_effective_change".
void judge_effect(const State& state, const Subject& owner, model::AgentEvidence& row);

/// Counts the hidden tests of a row by the names in the race's runs.
void count_hidden(const State& state, model::AgentEvidence& row);

/// Returns why the winner is not merged automatically although above the threshold: missing or contrary
/// evidence, a warning, a restored protected path. For people; empty: no reason.
std::string selection_hold(const State& state, const model::Ranking& ranking);

/// Returns the ranking of this state's evidence.
model::Ranking ranking_of(const State& state);

}  // namespace hydra::race
