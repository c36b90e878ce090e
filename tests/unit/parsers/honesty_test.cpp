// Contradictions between exit code, counts and text; formats that only a careful reader tells apart.
#include "parsers/parsers.hpp"

#include <gtest/gtest.h>

namespace hydra::parsers {
namespace {

constexpr std::string_view kBanner =
    "============================= test session starts ==============================\ncollected 3 items\n\n";

TEST(Honesty, ExitCodeAndCountsMustAgree) {
  const std::string bad = std::string(kBanner) + "t.py .F.\n\n=== 1 failed, 2 passed in 0.01s ===\n";
  EXPECT_FALSE(parse_tests(bad, {0, {}}).suspicious.empty());
  EXPECT_TRUE(parse_tests(bad, {1, {}}).suspicious.empty());
  const std::string good = std::string(kBanner) + "t.py ...\n\n=== 3 passed in 0.01s ===\n";
  EXPECT_TRUE(parse_tests(good, {0, {}}).suspicious.empty());
  EXPECT_FALSE(parse_tests(good, {1, {}}).suspicious.empty());
  EXPECT_FALSE(parse_tests(good, {{}, 9}).suspicious.empty());
}

TEST(Honesty, ASummaryPrintedByATest) {
  const std::string fake = "=== 99 passed in 0.01s ===\n", real = "=== 1 failed, 2 passed in 0.01s ===\n";
  for (const auto& text : {std::string(kBanner) + fake + "\n" + real, std::string(kBanner) + real + fake}) {
    const auto r = parse_tests(text, {1, {}});
    EXPECT_EQ(r.counts.failed, 1);
    EXPECT_EQ(r.counts.passed, 2);
    EXPECT_FALSE(r.suspicious.empty());
  }
}

TEST(Honesty, CargoResultMustFitItsTarget) {
  const auto r = parse_tests(
      "running 2 tests\ntest result: ok. 7 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n"
      "test a ... ok\ntest b ... FAILED\n"
      "test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out\n",
      {101, {}});
  EXPECT_EQ(r.counts.passed, 1);
  EXPECT_EQ(r.counts.failed, 1);
  EXPECT_TRUE(r.suspicious.empty());
}

TEST(Honesty, NoSummaryWithExitCodeZero) {
  const auto r = parse_tests("running 2 tests\ntest a ... ok\n", {0, {}});
  EXPECT_FALSE(r.complete);
  EXPECT_FALSE(r.suspicious.empty());
}

TEST(Honesty, NothingRecognised) {
  for (const auto& r :
       {parse_tests("", {0, {}}), parse_tests("5 passed\n", {1, {}}), parse_tests("all good\n", {0, {}})}) {
    EXPECT_EQ(r.format, "exit_code_only");
    EXPECT_FALSE(r.complete);
    EXPECT_FALSE(r.counts.passed || r.counts.total);
  }
}

TEST(Honesty, LintSilence) {
  EXPECT_EQ(parse_lint("", {0, {}}).errors, 0);
  EXPECT_FALSE(parse_lint("", {1, {}}).errors);
  EXPECT_FALSE(parse_lint("something odd\n", {0, {}}).errors);
  EXPECT_EQ(parse_lint("\n> lint\n> eslint .\n\n", {0, {}}).errors, 0);
  EXPECT_FALSE(parse_lint("", {{}, 11}).errors);
}

// Found by fuzzing: an empty run beside one with failures left no outcome at all.
TEST(Honesty, AnEmptyRunBesideAFailedOne) {
  const auto r = parse_tests(
      "running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n"
      "=== RUN   TestA\n--- FAIL: TestA (0.00s)\nFAIL\nFAIL\tex/a\t0.1s\n",
      {1, {}});
  EXPECT_EQ(r.counts.failed, 1);
  EXPECT_EQ(r.outcome, model::TestOutcome::tests_failed);
}

// Tools in a row: a run with nothing to do neither hides another one nor costs the names of its tests.
TEST(Honesty, ARunWithoutTestsNeverWins) {
  const std::string empty = "TAP version 13\n1..0 # SKIP no browser\n";
  const auto around =
      parse_tests(empty + "\n5 specs, 2 failures\nFinished in 0.1 seconds\n\n" + empty, {1, {}});
  EXPECT_EQ(around.counts.total, 5);
  EXPECT_EQ(around.counts.failed, 2);
  const std::string verbose = "=== RUN   TestA\n--- PASS: TestA (0.00s)\nPASS\nok  \tex/a\t0.1s\n";
  const std::string none =
      "running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n";
  for (const auto& text : {none + verbose, verbose + none, empty + verbose}) {
    const auto r = parse_tests(text, {0, {}});
    EXPECT_EQ(r.tests.size(), 1U) << text;
    EXPECT_EQ(r.outcome, model::TestOutcome::passed) << text;
  }
}

// Of two runs side by side the second was ended from within.
TEST(Honesty, AJestRunBehindAFinishedOne) {
  const std::string first =
      "PASS ./a.test.js\n\nTest Suites: 1 passed, 1 total\nTests:       1 passed, 1 total\n"
      "Snapshots:   0 total\nRan all test suites.\n";
  EXPECT_TRUE(parse_tests(first, {0, {}}).suspicious.empty());
  EXPECT_FALSE(parse_tests(first + "PASS ./b.test.js\nFAIL ./c.test.js\n", {0, {}}).suspicious.empty());
}

// jest --json: the text on standard error and the report on standard output are one run.
TEST(Honesty, ATextBesideItsReportIsTheSameRun) {
  const std::string text =
      "PASS ./a.test.js\n\nTest Suites: 1 passed, 1 total\nTests:       1 passed, 1 total\n"
      "Snapshots:   0 total\n";
  const auto json = [](int passed) {
    return "{\"numFailedTests\":0,\"numPassedTests\":" + std::to_string(passed) +
           ",\"numPendingTests\":0,\"numTodoTests\":0,\"numTotalTests\":" + std::to_string(passed) +
           ",\"success\":true,\"testResults\":[]}\n";
  };
  EXPECT_EQ(parse_tests(text + json(1), {0, {}}).counts.total, 1);
  EXPECT_EQ(parse_tests(json(1) + text, {0, {}}).counts.total, 1);
  EXPECT_EQ(parse_tests(text + json(2), {0, {}}).counts.total, 3);
}

// Names of every try and of both forms of the lines are the same test's.
TEST(Names, OfNextest) {
  const std::string end = "────────────\n     Summary [   0.007s] 2 tests run: 2 passed, 0 skipped\n";
  const auto plain = parse_tests(
      "        PASS [   0.004s] demo tests::a\n  TRY 1 FAIL [   0.005s] demo tests::b\n"
      "  TRY 2 PASS [   0.005s] demo tests::b\n" +
          end,
      {0, {}});
  ASSERT_EQ(plain.tests.size(), 2U);
  EXPECT_EQ(plain.tests[1].name, "demo tests::b");
  EXPECT_EQ(plain.tests[1].status, model::TestStatus::passed);
  const auto numbered = parse_tests(
      "        PASS [   0.004s] (1/2) demo tests::a\n        PASS [   0.004s] (2/2) demo tests::b\n" + end,
      {0, {}});
  ASSERT_EQ(numbered.tests.size(), 2U);
  EXPECT_EQ(numbered.tests[1].name, "demo tests::b");
}

TEST(Names, HoldNoDurations) {
  const auto a = parse_tests(
      "PASS ./a.test.js\n  m\n    ✓ x (3 ms)\n\nTest Suites: 1 passed, 1 total\n"
      "Tests:       1 passed, 1 total\nSnapshots:   0 total\n",
      {0, {}});
  ASSERT_EQ(a.tests.size(), 1U);
  EXPECT_EQ(a.tests[0].name, "a.test.js › m › x");
  const auto b = parse_tests("=== RUN   TestA\n--- PASS: TestA (0.12s)\nPASS\nok  \tex/a\t0.2s\n", {0, {}});
  ASSERT_EQ(b.tests.size(), 1U);
  EXPECT_EQ(b.tests[0].name, "ex/a > TestA");
}

}  // namespace
}  // namespace hydra::parsers
