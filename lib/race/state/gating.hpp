// race: what several runs of one result say together (docs/integrity.md): the base's tests as the gating run
// shows them, new ones as the agent's own run does, unstable ones apart. Pure.
#pragma once

#include "model/score.hpp"
#include "race/state/state.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>
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

/// The tamper report of an agent, worst first: what its diff and transcript attempt, and what the checks of
/// its tree rewrote that the base's do not.
std::vector<model::TamperFinding> findings_of(const State& state, const AgentState& agent);
/// Whether one of them counts as blocking.
bool blocks(const std::vector<model::TamperFinding>& findings);

/// What is known of this agent's own diff and transcript: its own, or that of the agent whose
/// tree is the same. Null: nobody has looked.
const model::Integrity* integrity_of(const State& state, const AgentState& agent);

/// Why nothing merges this result without being asked, for people; empty: the threshold may.
std::string merge_hold(const State& state, const std::string& agent);

/// The check came to its own end: it passed or failed.
bool finished(const std::optional<model::CheckEvidence>& check);

/// Adds tests to a report, and to its counts.
void add_tests(model::TestReport& report, std::vector<model::TestCase> tests);
/// Takes one test of this status out of the counts.
void uncount_test(model::TestCounts& counts, model::TestStatus status);

/// "test_area[3-4]" is a case of "test_area"; any other name is its own.
std::string_view test_of_case(std::string_view name);

/// Status by name; a name that occurs more than once has one of those in which it did not pass.
std::map<std::string_view, model::TestStatus> test_statuses(const model::TestReport& report);

}  // namespace hydra::race
