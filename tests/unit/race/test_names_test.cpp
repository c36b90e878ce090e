// Identities of tests: names that change from run to run, tests that the base did not reach, and commands
// that fail beside tests that pass.
#include "race/state/test_names.hpp"

#include "check_runs.hpp"
#include "race/state/state.hpp"
#include "scoring/engine.hpp"

#include <gmock/gmock.h>

namespace hydra::race {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

std::vector<std::string> names_of(const model::CheckEvidence& run) {
  std::vector<std::string> names;
  for (const auto& test : run.tests->tests) names.emplace_back(test.name);
  return names;
}

State with_base(const Names& first, const Names& again) {
  State state;
  state.spec.config.scoring.test_command = "pytest";
  std::int64_t id = 0;
  const auto happens = [&](model::EventBody body) { apply(state, {++id, "r", 0, std::move(body)}); };
  happens(model::CheckEnded{Subject::baseline(), tests(first)});
  happens(model::CheckRepeated{Subject::baseline(), tests(again)});
  return state;
}

scoring::TestComparison compared(State state, const Names& mine) {
  apply(state, {99, "r", 0, model::CheckEnded{Subject::of("a"), tests(mine)}});
  return scoring::compare_tests(*state.checks(Subject::baseline())->tests->tests,
                                *state.checks(Subject::of("a"))->tests->tests);
}

TEST(TestNames, ParametersThatDifferInEachRunCompareByCount) {
  const auto state = with_base({{"test_a", kPassed}, {"test_id[3f2a]", kPassed}, {"test_id[99bc]", kPassed}},
                               {{"test_a", kPassed}, {"test_id[07aa]", kPassed}, {"test_id[d1]", kPassed}});
  EXPECT_THAT(names_of(*state.checks(Subject::baseline())->tests),
              ElementsAre("test_a", "test_id[\u204e]", "test_id[\u204e] #2"));
  const auto same = compared(state, {{"test_a", kPassed}, {"test_id[1]", kPassed}, {"test_id[2]", kPassed}});
  EXPECT_EQ(same.regressions, 0);
  EXPECT_THAT(same.added, IsEmpty());
  EXPECT_THAT(same.removed, IsEmpty());
  const auto worse = compared(state, {{"test_a", kPassed}, {"test_id[1]", kFailed}, {"test_id[2]", kPassed}});
  EXPECT_THAT(worse.broken, ElementsAre("test_id[\u204e] #2"));
  const auto fewer = compared(state, {{"test_a", kPassed}, {"test_id[2]", kPassed}});
  EXPECT_EQ(fewer.regressions, 1);
}

TEST(TestNames, PartsInTheMiddleAndAtTheEnd) {
  const auto state =
      with_base({{"pkg.TestGet/http://127.0.0.1:4321/x", kPassed}, {"pkg.TestGet/ok", kPassed}},
                {{"pkg.TestGet/http://127.0.0.1:5999/x", kPassed}, {"pkg.TestGet/ok", kPassed}});
  EXPECT_THAT(names_of(*state.checks(Subject::baseline())->tests),
              UnorderedElementsAre("pkg.TestGet/http://127.0.0.1:\u204e/x", "pkg.TestGet/ok"));
}

TEST(TestNames, AResultThatEndsBeforeTheBaseFoldsToo) {
  State state;
  const auto happens = [&](model::EventBody body) { apply(state, {1, "r", 0, std::move(body)}); };
  happens(model::CheckEnded{Subject::of("a"), tests({{"t[5]", kPassed}})});
  happens(model::CheckEnded{Subject::baseline(), tests({{"t[6]", kPassed}})});
  happens(model::CheckRepeated{Subject::baseline(), tests({{"t[7]", kPassed}})});
  EXPECT_THAT(names_of(*state.checks(Subject::of("a"))->tests), ElementsAre("t[\u204e]"));
}

// The cache keeps the base as it was folded.
TEST(TestNames, ACachedBaseStillKnowsItsStems) {
  auto before = with_base({{"t[6]", kPassed}, {"t[8]", kFailed}}, {{"t[7]", kPassed}, {"t[9]", kFailed}});
  const auto& cached = *before.checks(Subject::baseline());
  State state;
  const auto happens = [&](model::EventBody body) { apply(state, {1, "r", 0, std::move(body)}); };
  for (const auto& repeat : cached.repeats) happens(model::CheckRepeated{Subject::baseline(), repeat});
  happens(model::CheckEnded{Subject::baseline(), *cached.tests});
  const auto same = compared(state, {{"t[1]", kFailed}, {"t[2]", kPassed}});
  EXPECT_EQ(same.regressions, 0);
  EXPECT_THAT(same.added, IsEmpty());
}

TEST(TestNames, StableNamesAreNoCasesOfAStem) {
  const auto state = with_base({{"t[a]", kPassed}, {"t[b]", kPassed}, {"t[3f]", kPassed}},
                               {{"t[a]", kPassed}, {"t[b]", kPassed}, {"t[9c]", kPassed}});
  // No stem tells the random case from the stable ones: a name that the second run lacks is no test of the
  // base.
  EXPECT_THAT(names_of(*state.checks(Subject::baseline())->tests), ElementsAre("t[a]", "t[b]"));
}

TEST(TestNames, ARunOfTheBaseThatEndedEarlyTakesNoNamesAway) {
  const auto state = with_base({{"a", kPassed}, {"b", kPassed}, {"c", kPassed}}, {{"a", kFailed}});
  EXPECT_THAT(names_of(*state.checks(Subject::baseline())->tests), ElementsAre("a", "b", "c"));
}

TEST(Unreached, TestsBehindTheBasesFirstFailureAreNobodys) {
  auto gating = named({{"a", kPassed}, {"b", kPassed}, {"c", kFailed}, {"d", kPassed}});
  EXPECT_THAT(take_unreached(named({{"a", kPassed}, {"b", kFailed}}), {}, gating),
              UnorderedElementsAre("c", "d"));
  EXPECT_THAT(names_of(*gating.tests), ElementsAre("a", "b"));
  EXPECT_EQ(gating.tests->tests->counts.total, 2);
  EXPECT_EQ(gating.tests->tests->counts.failed, 0);
}

TEST(Unreached, HiddenTestsAreTheUsers) {
  auto gating = named({{"a", kPassed}, {"tests/hidden.js one", kPassed}});
  const auto base = named({{"a", kPassed}, {"tests/hidden.js", kFailed}});
  EXPECT_THAT(take_unreached(base, {"tests/hidden.js"}, gating), IsEmpty());
}

TEST(Unreached, NewNamesBesideAGreenBaseStay) {
  auto gating = named({{"a", kPassed}, {"new", kPassed}});
  EXPECT_THAT(take_unreached(named({{"a", kPassed}}), {}, gating), IsEmpty());
  EXPECT_EQ(gating.tests->tests->counts.total, 2);
}

// A file that the base could not load is one failed test there, and the result's run has the tests in it.
TEST(Unreached, TestsOfAFileThatDidNotLoadAreTheFilesOutcome) {
  const auto base = named({{"tests/test_a.py", kError}, {"tests/test_ab.py::x", kPassed}});
  auto gating = named(
      {{"tests/test_a.py::x", kPassed}, {"tests/test_a.py::y", kPassed}, {"tests/test_ab.py::x", kPassed}});
  take_unreached(base, {}, gating);
  EXPECT_THAT(names_of(*gating.tests), UnorderedElementsAre("tests/test_a.py", "tests/test_ab.py::x"));
  EXPECT_EQ(gating.tests->tests->counts.passed, 2);
  auto half = named(
      {{"tests/test_a.py::x", kPassed}, {"tests/test_a.py::y", kFailed}, {"tests/test_ab.py::x", kPassed}});
  take_unreached(base, {}, half);
  EXPECT_EQ(scoring::compare_tests(*base.tests->tests, *half.tests->tests).fixed.size(), 0u);
}

// jest calls such a file failed, not an error.
TEST(Unreached, SoTheyAreWhereTheFileIsAFailedTest) {
  auto gating = named({{"src/a.test.js > x", kPassed}});
  take_unreached(named({{"src/a.test.js", kFailed}}), {}, gating);
  EXPECT_THAT(names_of(*gating.tests), ElementsAre("src/a.test.js"));
  EXPECT_EQ(gating.tests->tests->counts.passed, 1);
}

model::CheckSet below_the_coverage_limit() {
  auto checks = named({{"a", kPassed}, {"b", kPassed}});
  checks.tests->status = CheckStatus::failed;
  checks.tests->exit_code = 1;
  checks.tests->tests->suspicious = {"exit code 1 without a failed test"};
  checks.tests->tests->exit_disagrees = true;
  return checks;
}

TEST(ExitCode, IsThatOfTheRunWithTheResultsOwnTests) {
  auto checks = below_the_coverage_limit();
  const auto own = named({{"a", kPassed}, {"b", kPassed}, {"new", kPassed}});
  judge_by_names(checks, &own);
  EXPECT_THAT(checks.tests->tests->suspicious, IsEmpty());
  EXPECT_EQ(checks.tests->status, CheckStatus::passed);
  EXPECT_EQ(checks.tests->exit_code, 0);
}

TEST(ExitCode, WithoutOwnTestsTheNamesCountAndTheCommandStaysRed) {
  auto checks = below_the_coverage_limit();
  judge_by_names(checks);
  EXPECT_THAT(checks.tests->tests->suspicious, IsEmpty());
  EXPECT_EQ(checks.tests->status, CheckStatus::failed);
  EXPECT_EQ(checks.tests->message, "every test passes, and the command fails");
  auto says = below_the_coverage_limit();
  says.tests->message = "coverage is below 80%";
  judge_by_names(says);
  EXPECT_EQ(says.tests->message, "every test passes, and the command fails: coverage is below 80%");
}

TEST(ExitCode, ARunThatContradictsItselfStaysUnverified) {
  auto zero = named({{"a", kFailed}});
  zero.tests->status = CheckStatus::passed;
  zero.tests->exit_code = 0;
  zero.tests->tests->suspicious = {"exit code 0 with 1 failed tests"};
  zero.tests->tests->exit_disagrees = true;
  judge_by_names(zero);
  EXPECT_EQ(zero.tests->tests->suspicious.size(), 1u);
  auto two = below_the_coverage_limit();
  two.tests->tests->suspicious.emplace_back("several summaries that differ");
  judge_by_names(two);
  EXPECT_EQ(two.tests->tests->suspicious.size(), 2u);
}

}  // namespace
}  // namespace hydra::race
