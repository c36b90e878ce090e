// race: combines several runs of one result (docs/integrity.md): the base's tests from the gating run, new
// tests from the agent's own run, flaky tests separately. Pure.
#pragma once

#include "model/score.hpp"
#include "race/state/state.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::race {

/// Adds to the gating run the new test names of the run with the agent's own tests, and their counts; also
/// the build, if the base's tests alone broke it.
void add_own_tests(model::CheckSet& gating, const model::CheckSet& own);

/// Limits new tests: cases of a parametrised test count as one, the worst; while a test of the base fails,
/// passing new tests are listed but not counted, since they would raise the pass rate without work on the
/// task.
void limit_new_tests(model::CheckSet& checks, const model::CheckSet& base);

/// Sets doubts and holds of an agent whose checks belong to `owner`: from its diff's findings, uninspected
/// parts, and a differing build from nothing.
void judge_integrity(const State& state, const Subject& owner, model::AgentEvidence& row);

/// Returns the tamper report of an agent, worst first: findings of its diff, and protected paths that
/// the checks of its tree rewrote, but the base's checks did not.
std::vector<model::TamperFinding> findings_of(const State& state, const AgentState& agent);
/// Returns whether any finding is blocking.
bool blocks(const std::vector<model::TamperFinding>& findings);

/// Returns the inspection of this agent's diff, or that of the agent with the same tree. Null: not inspected.
const model::Integrity* integrity_of(const State& state, const AgentState& agent);

/// Returns why this result is not merged automatically, for people; empty: the threshold decides.
std::string merge_hold(const State& state, const std::string& agent);

/// Returns whether the check passed or failed, rather than being cut off.
bool finished(const std::optional<model::CheckEvidence>& check);

/// Returns whether a test ran and did not pass.
bool fails(model::TestStatus status);

/// Adds tests to a report, and to its counts.
void add_tests(model::TestReport& report, const model::TestList& tests);
/// Removes tests from the report and its counts.
void drop_tests(model::CheckSet& checks, const std::set<std::string>& names);
/// Removes one test of this status from the counts.
void uncount_test(model::TestCounts& counts, model::TestStatus status);

/// Returns the test of a case: "test_area" for "test_area[3-4]"; any other name is unchanged.
std::string_view test_of_case(std::string_view name);

}  // namespace hydra::race
