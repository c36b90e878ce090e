// Runners that nobody described: what is believed of them, and what is not.
#include "parsers/parsers.hpp"

#include <gtest/gtest.h>

namespace hydra::parsers {
namespace {

bool looks_clean(const model::TestReport& r) {
  return r.complete && r.outcome.empty() && r.suspicious.empty() &&
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

INSTANTIATE_TEST_SUITE_P(Lines, Generic,
                         testing::Values(Line{"5 passed, 2 failed", 5, 2, 0, 0},
                                         Line{"5 passed, 0 failed, 1 skipped", 5, 0, 1, 0},
                                         Line{"Tests: 5, Failures: 2, Errors: 1", 2, 2, 0, 1},
                                         Line{"Tests: 5, Failures: 0, Errors: 0, Skipped: 1", 4, 0, 1, 0},
                                         Line{"7 examples, 2 failures, 1 pending", 4, 2, 1, 0},
                                         Line{"PASS: 3, FAIL: 1, SKIP: 2", 3, 1, 2, 0},
                                         Line{"=== 4 tests, 1 failure in 0.3s ===", 3, 1, 0, 0},
                                         Line{"10 tests run, 9 passed, 1 failed", 9, 1, 0, 0},
                                         Line{"Summary: 3 tests passed | 1 test failed", 3, 1, 0, 0},
                                         Line{"Result: FAILED. 2 passed; 1 failed; 0 ignored", 2, 1, 0, 0},
                                         Line{"Passed: 12, Failed: 0", 12, 0, 0, 0}));

TEST(GenericTests, NothingIsInvented) {
  for (const char* text : {"", "3 errors\n", "done in 3s\n", "5 passed\n", "Processed 3 files, 2 changed\n",
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
  // What a test printed before the real line.
  const auto ok = parse_tests("9 passed, 0 failed\n3 passed, 0 failed\n", {0, {}});
  EXPECT_EQ(ok.counts.passed, 3);
  EXPECT_TRUE(looks_clean(ok));
}

TEST(GenericTests, MarksWithoutASummaryAreNoResult) {
  const auto bad = parse_tests("[PASS] adds\n[FAIL] bad\n[PASS] other\n", {1, {}});
  EXPECT_EQ(bad.counts.failed, 1);
  EXPECT_FALSE(bad.counts.passed || bad.counts.total);
  EXPECT_EQ(bad.outcome, "tests_failed");
  EXPECT_FALSE(bad.complete);
  EXPECT_FALSE(looks_clean(parse_tests("[PASS] adds\n[PASS] other\n", {0, {}})));
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

}  // namespace
}  // namespace hydra::parsers
