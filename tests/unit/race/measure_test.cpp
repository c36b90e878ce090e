// What a mutant's run says, and which lines a patch adds.
#include "race/state/measure.hpp"

#include "race/checks/measure_plan.hpp"

#include <gtest/gtest.h>

namespace hydra::race {
namespace {

using model::CheckStatus;
using model::MutantState;
using model::TestStatus;

model::CheckEvidence tests_run(CheckStatus status, std::vector<std::pair<std::string, TestStatus>> tests) {
  model::CheckEvidence run;
  run.dimension = model::Dimension::tests;
  run.status = status;
  if (tests.empty()) return run;
  model::TestReport report;
  report.complete = true;
  for (auto& [name, state] : tests) report.tests.push_back({name, state});
  run.tests = report;
  return run;
}

MutantState judged(const model::CheckEvidence& reference, const model::CheckEvidence& run,
                   std::string* by = nullptr) {
  model::CheckSet checks;
  checks.tests = run;
  model::Mutant mutant;
  judge_mutant(&checks, reference, mutant);
  if (by) *by = mutant.by;
  return mutant.state;
}

TEST(Mutants, ARunIsComparedWithTheOneWithoutTheMutant) {
  const auto green = tests_run(CheckStatus::passed, {{"a", TestStatus::passed}, {"b", TestStatus::passed}});
  const auto red = tests_run(CheckStatus::failed, {{"a", TestStatus::passed}, {"b", TestStatus::failed}});
  std::string by;
  EXPECT_EQ(judged(green, green), MutantState::survived);
  EXPECT_EQ(judged(green, red, &by), MutantState::killed);
  EXPECT_EQ(by, "b");
  EXPECT_EQ(judged(red, red), MutantState::survived) << "it failed without the mutant, too";
  EXPECT_EQ(judged(red, tests_run(CheckStatus::failed, {{"b", TestStatus::failed}}), &by),
            MutantState::killed);
  EXPECT_EQ(by, "a") << "a test that is gone was not passed";
  EXPECT_EQ(judged(green, tests_run(CheckStatus::timed_out, {})), MutantState::killed);
  EXPECT_EQ(judged(green, tests_run(CheckStatus::not_started, {})), MutantState::not_run);
}

TEST(Mutants, WithoutNamesTheCommandTells) {
  const auto green = tests_run(CheckStatus::passed, {}), red = tests_run(CheckStatus::failed, {});
  EXPECT_EQ(judged(green, green), MutantState::survived);
  EXPECT_EQ(judged(green, red), MutantState::killed);
}

TEST(Mutants, WhatDoesNotBuildSaysNothing) {
  model::CheckSet checks;
  checks.build = tests_run(CheckStatus::failed, {});
  model::Mutant mutant;
  judge_mutant(&checks, tests_run(CheckStatus::passed, {}), mutant);
  EXPECT_EQ(mutant.state, MutantState::invalid);
  judge_mutant(nullptr, tests_run(CheckStatus::passed, {}), mutant);
  EXPECT_EQ(mutant.state, MutantState::not_run);
}

TEST(AddedLines, OfEachFileAndNotOfWhatOnlyLooksLikeAHeader) {
  const auto found = added_lines(
      "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1 +1,2 @@\n-x\n+y\n++++ b/fake.py\n@@ -9,2 +10 "
      "@@\n-a\n"
      "-b\n+c\n"
      "diff --git a/gone.py b/gone.py\n--- a/gone.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n"
      "diff --git a/n.py b/n.py\n--- /dev/null\n+++ b/n.py\n@@ -0,0 +1 @@\n+z\n\\ No newline at end of "
      "file\n");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].path, "a.py");
  EXPECT_EQ(found[0].lines, (std::vector<int>{1, 2, 10}));
  EXPECT_EQ(found[1].path, "n.py");
  EXPECT_EQ(found[1].lines, (std::vector<int>{1}));
}

TEST(Stops, AnOutcomeOfTheirOwn) {
  EXPECT_EQ(outcome_of_stop(model::StopReason::green, true), model::Outcome::stopped);
  EXPECT_EQ(outcome_of_stop(model::StopReason::dominated, true), model::Outcome::stopped);
  EXPECT_EQ(outcome_of_stop(model::StopReason::budget, true), model::Outcome::over_budget);
}

}  // namespace
}  // namespace hydra::race
