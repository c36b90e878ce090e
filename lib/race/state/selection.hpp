// race: what tells right results from wrong ones, out of the fold: own tests, hidden tests, what the user
// approved, and what keeps a winner from being merged by itself (docs/selection.md). Pure.
#pragma once

#include "model/score.hpp"
#include "race/state/state.hpp"

#include <string>
#include <vector>

namespace hydra::race {

/// Own tests of the result whose checks are `owner`'s that do not pass on its own tree, by name; new names,
/// and those of the base in files that the result changed. A run that came to no end is named as such. Empty:
/// all pass, or there are none, or nobody ran them.
std::vector<std::string> failing_own_tests(const State& state, const std::string& owner);

/// "its own tests fail: test_x and 2 more"; empty: they don't, or nobody runs them.
std::string own_tests_text(const State& state, const AgentState& agent);

/// Reasons against eligibility that follow from it: "own_tests_fail", "no_effective_change".
void judge_effect(const State& state, const std::string& owner, model::AgentEvidence& row);

/// Counts the hidden tests of a row by the names that the race's runs show.
void count_hidden(const State& state, model::AgentEvidence& row);

/// Takes tests out of both what was listed and what was counted.
void drop_tests(model::CheckSet& checks, const std::vector<std::string>& names);

/// Why the winner is not merged by itself although it is above the threshold: what evidence lacks or says
/// against it, a warning, a protected path that was put back. For people; empty: nothing of that.
std::string selection_hold(const State& state, const model::Ranking& ranking);

/// The ranking of this state's evidence.
model::Ranking ranking_of(const State& state);

}  // namespace hydra::race
