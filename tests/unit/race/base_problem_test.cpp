// Whether the base's checks can judge results, and races that stop because these can't.
#include "race/state/base_problem.hpp"

#include "driven_race.hpp"
#include "race/state/state.hpp"

#include <gtest/gtest.h>

namespace hydra::race {
namespace {

using model::BaseProblem;
using model::CheckEvidence;
using model::CheckStatus;
using model::Dimension;

/// A race whose agents wait for the base.
class WaitingRace : public DrivenRace {
 public:
  WaitingRace() : DrivenRace(race_spec({"a", "b"})) {
    spec.preflight = true;
    spec.config.scoring.build_command.reset();
    spec.config.scoring.lint_command.reset();
  }
  void end_of(const Subject& subject, const CheckEvidence& tests) {
    send(model::SubjectReady{subject, "/c/" + text(subject)});
    send(model::CheckEnded{subject, tests});
  }
};

CheckEvidence exits(int code) {
  CheckEvidence tests;
  tests.dimension = Dimension::tests;
  tests.command = "make test";
  tests.status = code == 0 ? CheckStatus::passed : CheckStatus::failed;
  tests.exit_code = code;
  return tests;
}

CheckEvidence counted(int passed, int failed) {
  auto tests = exits(failed > 0 ? 1 : 0);
  tests.tests.emplace().format = "pytest";
  tests.tests->counts.passed = passed;
  tests.tests->counts.failed = failed;
  tests.tests->counts.total = passed + failed;
  return tests;
}

CheckEvidence ran_nothing() {
  auto tests = exits(0);
  tests.tests.emplace().format = "exit_code_only";
  tests.tests->outcome = model::TestOutcome::no_tests;
  return tests;
}

CheckEvidence late(bool measured) {
  auto tests = exits(0);
  tests.status = CheckStatus::timed_out;
  tests.measured = measured;
  tests.wall_ms = 200'000;
  if (!measured) tests.exit_code.reset();
  return tests;
}

struct BaseRow {
  const char* name;
  CheckEvidence tests;
  BaseProblem problem;
  const char* text;  ///< part of the reason
};

class BaseOfARace : public testing::TestWithParam<BaseRow> {};

TEST_P(BaseOfARace, StopsOrLetsAgentsBegin) {
  const auto& row = GetParam();
  const bool stops = row.problem != BaseProblem::none;
  for (const bool anyway : {false, true}) {
    WaitingRace race;
    race.spec.base_fails = anyway;
    race.begin();
    race.end_of(Subject::baseline(), row.tests);
    EXPECT_EQ(base_problem(race.state), row.problem);
    EXPECT_EQ(race.state.failure.empty(), anyway || !stops) << race.state.failure;
    EXPECT_EQ(race.asked(Verb::finish), stops && !anyway);
    race.send(model::WorkspaceReady{"a", "/w/a"});
    EXPECT_EQ(race.asked(Verb::run_agent, "a"), anyway || !stops);
    if (!anyway) {
      EXPECT_NE(race.state.failure.find(row.text), std::string::npos) << race.state.failure;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, BaseOfARace,
    testing::Values(BaseRow{"Passes", exits(0), BaseProblem::none, ""},
                    BaseRow{"OneOfThree", counted(1, 2), BaseProblem::none, ""},
                    BaseRow{"NoneOfThree", counted(0, 3), BaseProblem::none_passes, "(exit code 1)"},
                    BaseRow{"ByExitCode", exits(1), BaseProblem::none_passes, "`make test` (exit code 1)"},
                    BaseRow{"NotFound", exits(127), BaseProblem::not_found, "exit code 127"},
                    BaseRow{"NotExecutable", exits(126), BaseProblem::not_found, "exit code 126"},
                    BaseRow{"NoTests", counted(0, 0), BaseProblem::no_tests, "no test ran"},
                    BaseRow{"NothingToDo", ran_nothing(), BaseProblem::no_tests, "no test ran"},
                    BaseRow{"Late", late(true), BaseProblem::timed_out, "timeout_per_check_seconds = 600"},
                    BaseRow{"NotMeasured", late(false), BaseProblem::timed_out, "within 120 s"}),
    [](const auto& row) { return row.param.name; });

TEST(BaseOfARace, HiddenTestsMayAllFail) {
  WaitingRace race;
  race.spec.hidden_tests = {"tests/hidden_test.py"};
  race.begin();
  race.end_of(Subject::baseline(), counted(0, 3));
  EXPECT_EQ(base_problem(race.state), BaseProblem::none);
}

TEST(BaseOfARace, WithoutATestCommandTheOtherChecksJudge) {
  WaitingRace race;
  race.spec.config.scoring.test_command.reset();
  race.spec.config.scoring.build_command = "make";
  race.begin();
  auto build = exits(2);
  build.dimension = Dimension::build;
  race.end_of(Subject::baseline(), build);
  EXPECT_EQ(base_problem(race.state), BaseProblem::none);
}

TEST(BaseOfARace, ABuildThatFailsRunsNoTest) {
  WaitingRace race;
  race.spec.config.scoring.build_command = "make";
  race.begin();
  auto build = exits(2);
  build.dimension = Dimension::build;
  build.command = "make";
  race.end_of(Subject::baseline(), build);
  EXPECT_EQ(race.state.failure, "the base's build fails here: `make` (exit code 2)");
}

TEST(BaseOfARace, AnUnmadeWorkspaceStopsEveryRace) {
  WaitingRace race;
  race.spec.base_fails = true;
  race.begin();
  race.send(model::SubjectFailed{Subject::baseline(), "the set-up ended with exit code 1", ""});
  EXPECT_FALSE(race.state.failure.empty());
}

TEST(MeasuredTests, OfAWaitingBaseOnly) {
  WaitingRace race;
  race.begin();
  const auto base = Subject::baseline();
  const CheckRun first{}, alone{{}, CheckRun::Why::alone, 0}, again{{}, CheckRun::Why::measure, 0};
  EXPECT_TRUE(to_measure(race.state, base, Dimension::tests, first));
  EXPECT_TRUE(to_measure(race.state, base, Dimension::tests, alone));
  EXPECT_FALSE(to_measure(race.state, base, Dimension::tests, again)) << "once";
  EXPECT_FALSE(to_measure(race.state, base, Dimension::lint, first));
  EXPECT_FALSE(to_measure(race.state, Subject::of("a"), Dimension::tests, first));
  race.state.spec.base_fails = true;
  EXPECT_FALSE(to_measure(race.state, base, Dimension::tests, first)) << "nobody asks";
  race.state.spec.check_only = true;
  EXPECT_TRUE(to_measure(race.state, base, Dimension::tests, first));
}

TEST(MeasuredTests, CountAsTheyAreWithinTheLimit) {
  auto tests = exits(1);
  tests.wall_ms = 119'000;
  mark_measured(model::Config{}, tests);
  EXPECT_EQ(tests.status, CheckStatus::failed);
  tests.wall_ms = 121'000;
  mark_measured(model::Config{}, tests);
  EXPECT_EQ(tests.status, CheckStatus::timed_out);
  EXPECT_TRUE(tests.measured);
}

/// A race after all checks; returns the reasons against agent `a`.
std::vector<model::Ineligible> doubts_of(const CheckEvidence& base, const CheckEvidence& a,
                                         const CheckEvidence& b) {
  WaitingRace race;
  race.spec.base_fails = true;
  race.begin();
  race.end_of(Subject::baseline(), base);
  race.end_agent("a", DrivenRace::change("t1", "c1"));
  race.end_agent("b", DrivenRace::change("t2", "c2"));
  for (const auto* name : {"a", "b"}) race.send(model::Inspected{name, {}});
  race.end_of(Subject::of("a"), a);
  race.end_of(Subject::of("b"), b);
  return agent_evidence(race.state).front().doubts;
}

const std::vector kNotJudged{model::Ineligible::not_judged};

TEST(NothingJudged, WhereNoTestPassedAnywhere) {
  EXPECT_EQ(doubts_of(exits(1), exits(1), exits(1)), kNotJudged);
  EXPECT_EQ(doubts_of(counted(0, 3), counted(0, 3), counted(0, 3)), kNotJudged);
  EXPECT_EQ(doubts_of(late(false), late(false), late(false)), kNotJudged);
  EXPECT_EQ(doubts_of(ran_nothing(), ran_nothing(), ran_nothing()), kNotJudged);
}

TEST(NothingJudged, NotWhereOneTestPassed) {
  const std::vector<model::Ineligible> none;
  EXPECT_EQ(doubts_of(exits(1), exits(1), exits(0)), none);
  EXPECT_EQ(doubts_of(exits(0), exits(1), exits(1)), none);
  EXPECT_EQ(doubts_of(counted(0, 3), counted(0, 3), counted(1, 2)), none);
}

}  // namespace
}  // namespace hydra::race
