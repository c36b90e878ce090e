// New names of tests and their worth, and paths that checks judge by and rewrote.
#include "check_runs.hpp"
#include "race/state/state.hpp"
#include "scoring/engine.hpp"

#include <gmock/gmock.h>

namespace hydra::race {
namespace {

using ::testing::ElementsAre;

// --- new names beside the base's

TEST(NewTests, CasesOfOneTestCountOnce) {
  auto checks = named({{"area", TestStatus::passed},
                       {"more[1]", TestStatus::passed},
                       {"more[2]", TestStatus::passed},
                       {"more[3]", TestStatus::failed},
                       {"other[a]", TestStatus::passed}});
  limit_new_tests(checks, named({{"area", TestStatus::passed}}));
  const auto& counts = checks.tests->tests->counts;
  EXPECT_EQ(counts.total, 3);
  EXPECT_EQ(counts.passed, 2);
  EXPECT_EQ(counts.failed, 1) << "the worst case speaks for the test";
  EXPECT_EQ(checks.tests->tests->tests[1].name, "more[*]");
  EXPECT_EQ(checks.tests->tests->tests[2].name, "other[a]");
}

TEST(NewTests, CasesThatTheBaseHasStayAsTheyAre) {
  auto checks = named({{"area[1]", TestStatus::passed}, {"area[2]", TestStatus::passed}});
  limit_new_tests(checks, named({{"area[1]", TestStatus::passed}, {"area[2]", TestStatus::passed}}));
  EXPECT_EQ(checks.tests->tests->counts.total, 2);
}

TEST(NewTests, RaiseNoPassRateWhileATestOfTheBaseFails) {
  for (const auto status : {TestStatus::failed, TestStatus::skipped, TestStatus::error}) {
    auto checks = named({{"area", status},
                         {"zero", TestStatus::passed},
                         {"new1", TestStatus::passed},
                         {"new2", TestStatus::passed},
                         {"new3", TestStatus::failed}});
    limit_new_tests(checks, named({{"area", TestStatus::failed}, {"zero", TestStatus::passed}}));
    EXPECT_EQ(checks.tests->tests->counts.passed, 1);
    EXPECT_EQ(checks.tests->tests->counts.total, 3);
    EXPECT_EQ(checks.tests->tests->tests.size(), 5u) << "they are listed all the same";
    EXPECT_THAT(checks.tests->message, ::testing::HasSubstr("2 new tests"));
  }
}

// Ruling H18: the formula is followed. New tests that fail are paid for by its bonus, and where all pass the
// bonus is clamped away; both must reach it. (Spec scoring-engine: pass rate * 100 + bonus - penalty.)
TEST(NewTests, ThatFailReachTheFormulaAndAreReported) {
  const auto base = named({{"area", TestStatus::passed}, {"zero", TestStatus::passed}});
  auto checks = named({{"area", TestStatus::passed},
                       {"zero", TestStatus::passed},
                       {"new1", TestStatus::failed},
                       {"new2", TestStatus::failed}});
  limit_new_tests(checks, base);
  // 2 of 4 pass: 50; (4 - 2) / 4 * 10 = 5 of bonus; no regression.
  EXPECT_EQ(checks.tests->tests->counts.passed, 2);
  EXPECT_EQ(checks.tests->tests->counts.total, 4);
  EXPECT_DOUBLE_EQ(scoring::score_tests(2, 2, 2, 4).score, 55.0);
}

TEST(NewTests, ThatPassBesideABaseThatPassesAreClampedByTheFormulaOnly) {
  const auto base = named({{"area", TestStatus::passed}, {"zero", TestStatus::passed}});
  auto checks = named({{"area", TestStatus::passed},
                       {"zero", TestStatus::passed},
                       {"new1", TestStatus::passed},
                       {"new2", TestStatus::passed}});
  limit_new_tests(checks, base);
  // 4 of 4 pass: 100; 5 of bonus: 105, clamped to 100.
  EXPECT_EQ(checks.tests->tests->counts.total, 4);
  EXPECT_EQ(checks.tests->tests->counts.passed, 4);
  EXPECT_DOUBLE_EQ(scoring::score_tests(2, 2, 4, 4).score, 100.0);
}

TEST(NewTests, CountWhereTheBasesPass) {
  auto checks =
      named({{"area", TestStatus::passed}, {"later", TestStatus::skipped}, {"new1", TestStatus::passed}});
  limit_new_tests(checks, named({{"area", TestStatus::failed}, {"later", TestStatus::skipped}}));
  EXPECT_EQ(checks.tests->tests->counts.passed, 2);
  EXPECT_EQ(checks.tests->tests->counts.total, 3);
  EXPECT_EQ(checks.tests->message, "");
}

// --- what the checks rewrote

State with_rewritten(const std::vector<std::string>& base, const std::vector<std::string>& build,
                     const std::vector<std::string>& test, const std::vector<std::string>& lint) {
  State state;
  AgentState agent;
  agent.entry.name = "a";
  agent.integrity = model::Integrity{};
  state.agents.push_back(agent);
  const auto evidence_of = [](Dimension dimension, const std::vector<std::string>& paths) {
    auto evidence = run(dimension, CheckStatus::passed);
    evidence.rewrote = paths;
    return evidence;
  };
  state.subjects[Subject::baseline()].checks.build = evidence_of(Dimension::build, base);
  state.subjects[subject_of("a")].checks.build = evidence_of(Dimension::build, build);
  state.subjects[subject_of("a")].checks.tests = evidence_of(Dimension::tests, test);
  state.subjects[subject_of("a")].checks.lint = evidence_of(Dimension::lint, lint);
  return state;
}

TEST(Rewritten, ByTheBuildOrTheTestsIsTampering) {
  for (const auto& state :
       {with_rewritten({}, {"test_a.py"}, {}, {}), with_rewritten({}, {}, {"run.sh"}, {})}) {
    model::AgentEvidence row;
    row.agent = "a";
    judge_integrity(state, Subject::of("a"), row);
    EXPECT_THAT(row.doubts, ElementsAre(model::Ineligible::tampered));
    EXPECT_TRUE(row.hold_merge);
  }
  const auto rewritten = with_rewritten({}, {"test_a.py"}, {"test_a.py"}, {});
  const auto findings = findings_of(rewritten, *rewritten.agent("a"));
  ASSERT_EQ(findings.size(), 1u) << "once a path";
  EXPECT_EQ(findings[0].path, "test_a.py");
  EXPECT_THAT(findings[0].reason, ::testing::HasSubstr("the build wrote to it"));
}

TEST(Rewritten, AsTheBaseDoesItIsHowTheProjectWorks) {
  const auto state =
      with_rewritten({"tests/generated.py"}, {"tests/generated.py"}, {"tests/generated.py"}, {});
  model::AgentEvidence row;
  row.agent = "a";
  judge_integrity(state, Subject::of("a"), row);
  EXPECT_TRUE(row.doubts.empty());
  EXPECT_TRUE(findings_of(state, *state.agent("a")).empty());
}

TEST(Rewritten, ByTheLintCommandIsToBeSeen) {
  const auto state = with_rewritten({}, {}, {}, {"tests/test_a.py"});
  model::AgentEvidence row;
  row.agent = "a";
  judge_integrity(state, Subject::of("a"), row);
  EXPECT_TRUE(row.doubts.empty());
  EXPECT_EQ(findings_of(state, *state.agent("a")).at(0).severity, model::Severity::warning);
}

// A build that passes may leave out what the base's failing build came to.
TEST(Unbuilt, IsNamedWhereTheBaseFails) {
  auto state = with_rewritten({}, {}, {}, {});
  auto& before = *state.subjects[Subject::baseline()].checks.build;
  auto& now = *state.subjects[subject_of("a")].checks.build;
  before.built = {"a.c", "b.c"};
  now.built = {"b.c", "c.c"};
  EXPECT_THAT(findings_of(state, *state.agent("a")), ::testing::IsEmpty()) << "the base's build passes";
  before.status = CheckStatus::failed;
  const auto findings = findings_of(state, *state.agent("a"));
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].rule, "unbuilt_source");
  EXPECT_EQ(findings[0].path, "a.c");
  EXPECT_EQ(findings[0].severity, model::Severity::warning);
  now.status = CheckStatus::failed;
  EXPECT_THAT(findings_of(state, *state.agent("a")), ::testing::IsEmpty()) << "it repairs nothing";
}

}  // namespace
}  // namespace hydra::race
