// Runners that nobody described: what is believed of them, and what is not.
#include "parsers/parsers.hpp"

#include <gtest/gtest.h>

namespace hydra::parsers {
namespace {

bool looks_clean(const model::ParsedTests& r) {
  return r.complete && r.outcome == model::TestOutcome::passed && r.suspicious.empty() &&
         r.counts.failed.value_or(0) + r.counts.errors.value_or(0) == 0;
}

struct Line {
  const char* text;
  std::int64_t passed, failed, skipped, errors;
};

class Generic : public testing::TestWithParam<Line> {};

TEST_P(Generic, ReadsTheSummary) {
  const auto& l = GetParam();
  const int exit_code = l.failed + l.errors > 0 ? 1 : 0;
  const auto r = parse_tests(std::string("starting up\nsome text\n") + l.text + "\n", {exit_code, {}});
  EXPECT_EQ(r.counts.passed, l.passed);
  EXPECT_EQ(r.counts.failed, l.failed);
  EXPECT_EQ(r.counts.skipped, l.skipped);
  EXPECT_EQ(r.counts.errors, l.errors);
  EXPECT_EQ(r.confidence, model::Confidence::low);
  EXPECT_TRUE(r.complete);
  EXPECT_TRUE(r.suspicious.empty());
}

INSTANTIATE_TEST_SUITE_P(
    Lines, Generic,
    testing::Values(
        Line{"5 passed, 2 failed", 5, 2, 0, 0}, Line{"5 passed, 0 failed, 1 skipped", 5, 0, 1, 0},
        Line{"PASS: 3, FAIL: 1, SKIP: 2", 3, 1, 2, 0}, Line{"PASS: 5 FAIL: 1", 5, 1, 0, 0},
        Line{"passed=3 failed=2", 3, 2, 0, 0}, Line{"10 tests run, 9 passed, 1 failed", 9, 1, 0, 0},
        Line{"Summary: 3 tests passed | 1 test failed", 3, 1, 0, 0},
        Line{"Result: FAILED. 2 passed; 1 failed; 0 ignored", 2, 1, 0, 0},
        Line{"TESTS: 11 PASSED: 7 FAILED: 2 SKIPPED: 1 ERRORS: 1", 7, 2, 1, 1},
        Line{"# tests 5\n# pass 4\n# fail 1", 4, 1, 0, 0}, Line{"Total: 5\nPassed: 3\nFailed: 2", 3, 2, 0, 0},
        Line{"Test Summary\n------------\nPassed  3\nFailed  2\nTotal   5", 3, 2, 0, 0},
        Line{"Ran 5 tests: 3 passed, 2 failed", 3, 2, 0, 0},
        Line{"[INFO] 3 passed, 2 failed in 0.5s", 3, 2, 0, 0},
        Line{"Tests passed: 3\nTests failed: 2", 3, 2, 0, 0}, Line{" 7 pass\n 2 fail\n 1 skip", 7, 2, 1, 0},
        Line{"7 passing\n2 failing\n1 pending", 7, 2, 1, 0},
        Line{"Finished running 9 tests. 7 passed, 2 failed.", 7, 2, 0, 0},
        Line{"Suites: 1 failed, 2 passed, 3 total\nTests:  2 failed, 7 passed, 9 total", 7, 2, 0, 0}));

// How the others ended is not said: the exit code decides.
TEST(GenericTests, WithoutThePassedAndTheFailedNothingIsCounted) {
  for (const char* text :
       {"FAILED (failures=2)\n", "5 passed\n", "Tests: 5, Failures: 2\n", "4 tests, 1 failure in 0.3s\n",
        "2 of 5 tests failed\n", "3/5 tests passed\n", "All 5 tests passed!\n", "Ran 4 tests in 0.1s\n",
        "Executed 4 tests, with 1 failure\n", "5 tests completed\n"})
    for (const int exit_code : {0, 1})
      EXPECT_EQ(parse_tests(text, {exit_code, {}}).format, "exit_code_only") << text;
}

// A run that ended in the middle, with a test's own print in it.
TEST(GenericTests, ACountInTheMiddleIsTextOfATest) {
  for (const char* text :
       {"  9 passing (1ms)\nnext test\n", "All 9 tests passed\nnext test\n", "..9 tests, 0 failures\n"})
    EXPECT_FALSE(looks_clean(parse_tests(text, {0, {}}))) << text;
  EXPECT_TRUE(looks_clean(parse_tests("9 passed, 0 failed\n\nDuration: 3s\n", {0, {}})));
}

TEST(GenericTests, NothingToRunIsNoCleanRun) {
  for (const char* text :
       {"No tests found\n", "Error: no tests found.\n", "no tests ran in 0.1s\nNo tests were run\n",
        "0 passed, 0 failed\n", "Ran 0 tests\n"})
    for (const int exit_code : {0, 1})
      EXPECT_EQ(parse_tests(text, {exit_code, {}}).outcome, model::TestOutcome::no_tests) << text;
}

TEST(GenericTests, CountsOfOtherThingsAreNoTests) {
  for (const char* text : {"Suites: 3 passed, 1 failed, 4 total\n", "3 files passed, 1 file failed\n",
                           "12 steps passed, 1 failed step\n", "Version 3.2.1 passed, 1 failed\n",
                           "see src/a.c: 3 passed, 1 failed.txt\n", "10:02:03 total 5 passed of\n",
                           "assertions: 12 passed, 1 failed\n"})
    EXPECT_FALSE(parse_tests(text, {1, {}}).counts.passed) << text;
}

TEST(GenericTests, NothingIsInvented) {
  for (const char* text : {"", "3 errors\n", "done in 3s\n", "Processed 3 files, 2 changed\n",
                           "12 packages, 3 updated\n", "compiled 3 modules, 0 errors\n", "✓ built in 3s\n"}) {
    for (const int exit_code : {0, 1}) {
      const auto r = parse_tests(text, {exit_code, {}});
      EXPECT_EQ(r.format, "exit_code_only") << text;
      EXPECT_FALSE(r.counts.passed || r.counts.failed || r.counts.total) << text;
      EXPECT_FALSE(looks_clean(r)) << text;
    }
  }
}

TEST(GenericTests, TheExitCodeDecidesBetweenTwoSummaries) {
  const auto r = parse_tests("3 passed, 1 failed\n9 passed, 0 failed\n", {1, {}});
  EXPECT_EQ(r.counts.failed, 1);
  EXPECT_FALSE(r.suspicious.empty());
  EXPECT_FALSE(looks_clean(parse_tests("3 passed, 1 failed\n9 passed, 0 failed\n", {0, {}})));
  // A test printed the first line; the second one is real.
  const auto ok = parse_tests("9 passed, 0 failed\n3 passed, 0 failed\n", {0, {}});
  EXPECT_EQ(ok.counts.passed, 3);
  EXPECT_TRUE(looks_clean(ok));
}

TEST(GenericTests, ListedFailuresContradictACleanSummary) {
  EXPECT_FALSE(looks_clean(parse_tests("[PASS] adds\n[FAIL] bad\n2 passed, 0 failed\n", {0, {}})));
}

TEST(GenericTests, KnownRunnersComeFirst) {
  const auto r = parse_tests(
      "running 1 test\ntest a ... ok\n\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 "
      "filtered out\n"
      "9 passed, 0 failed\n",
      {0, {}});
  EXPECT_EQ(r.format, "cargo-test");
  EXPECT_EQ(r.counts.passed, 1);
}

TEST(GenericTests, AFormatOfTheTableCanBeNamed) {
  const auto r =
      parse_tests("1..1\nok 1\nTests Passed: 3, Failed: 0, Skipped: 0, Inconclusive: 0, NotRun: 0\n", {0, {}},
                  Hints{"", "pester", {}});
  EXPECT_EQ(r.format, "pester");
  EXPECT_EQ(r.counts.passed, 3);
}

// `jest ; cargo test`: the first run ended in the middle, and only the last exit code is known.
TEST(GenericTests, ACutRunBesideAFinishedOneIsNotClean) {
  const auto r = parse_tests(
      "bun test v1.4.5\n\na.test.js:\n(pass) adds\n"
      "running 1 test\ntest a ... ok\n\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 "
      "filtered out\n",
      {0, {}});
  EXPECT_FALSE(looks_clean(r));
}

}  // namespace
}  // namespace hydra::parsers
