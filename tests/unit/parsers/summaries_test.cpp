// The patterns, and which of several summaries is believed.
#include "parsers/summaries.hpp"

#include <gtest/gtest.h>

namespace hydra::parsers {
namespace {

TEST(Pattern, HoldsFiguresAndOptionalParts) {
  Figures f;
  EXPECT_TRUE(match(tests_line<"{total} test{?s}, {failed} failure{?s}{?, {skipped} skipped}">(),
                    "3 tests,  1 failure, 2 skipped  ", f));
  EXPECT_EQ(f.total, 3);
  EXPECT_EQ(f.failed, 1);
  EXPECT_EQ(f.skipped, 2);
  Figures g;
  EXPECT_TRUE(match(tests_line<"{total} test{?s}, {failed} failure{?s}{?, {skipped} skipped}">(),
                    "1 test, 0 failures", g));
  EXPECT_FALSE(g.skipped);
  EXPECT_FALSE(match(tests_line<"{total} test{?s}">(), "3 tests more", g));
  EXPECT_FALSE(match(tests_line<"{total} test{?s}">(), " 3 tests", g));
  EXPECT_FALSE(match(tests_line<"{total} tests">(), "99999999999999999999 tests", g));
  EXPECT_TRUE(match(tests_line<"{decimal}%: Checks: {ran}">(), "66.5%: Checks: 6", g));
  EXPECT_EQ(g.ran, 6);
  EXPECT_TRUE(match(tests_line<"[ {word} ] {any}">(), "[ OK ] anything at all", g));
  EXPECT_EQ(g.total, 1);  // what did not match left nothing behind
}

/// passed, failed, skipped, total, ran; negative: not there.
Figures figures(int passed, int failed, int skipped, int total, int ran) {
  Figures f;
  const auto set = [](std::optional<std::int64_t>& to, int n) {
    if (n >= 0) to = n;
  };
  set(f.passed, passed);
  set(f.failed, failed);
  set(f.skipped, skipped);
  set(f.total, total);
  set(f.ran, ran);
  return f;
}

TEST(Tally, WhatIsLeftOutIsZeroAndWhatContradictsIsSaid) {
  const auto t = tally(figures(-1, 1, -1, 4, -1));
  ASSERT_TRUE(t);
  EXPECT_EQ(t->counts.passed, 3);
  EXPECT_EQ(t->counts.skipped, 0);
  EXPECT_FALSE(tally(figures(-1, 5, -1, 4, -1)));
  EXPECT_FALSE(tally(figures(1, 1, -1, 9, -1))->adds_up);
  EXPECT_EQ(tally(figures(2, -1, 1, -1, 3))->counts.failed, 1);
  EXPECT_FALSE(tally(figures(-1, 1, -1, -1, -1))->counts.passed);
}

constexpr const char* kReal = "Tests Passed: 3, Failed: 1, Skipped: 0, Inconclusive: 0, NotRun: 0\n";
constexpr const char* kFake = "Tests Passed: 9, Failed: 0, Skipped: 0, Inconclusive: 0, NotRun: 0\n";

TEST(Summaries, TheLastOneCountsUnlessTheExitCodeSpeaksForAnEarlierOne) {
  const auto before = parse_tests(std::string(kFake) + kReal, {1, {}});
  EXPECT_EQ(before.counts.failed, 1);
  EXPECT_EQ(before.counts.passed, 3);
  EXPECT_TRUE(before.suspicious.empty());
  const auto after = parse_tests(std::string(kReal) + kFake, {1, {}});
  EXPECT_EQ(after.counts.failed, 1);
  EXPECT_FALSE(after.suspicious.empty());
  EXPECT_FALSE(parse_tests(std::string(kReal) + kFake, {0, {}}).suspicious.empty());
}

TEST(Summaries, OfEachRunTheLastOneCounts) {
  const std::string start = "[doctest] doctest version is \"2.4.11\"\n";
  const auto summary = [](const std::string& figures) {
    return "[doctest] test cases: " + figures + "\n[doctest] assertions: 9 | 9 passed | 0 failed |\n";
  };
  const auto good = summary("9 | 9 passed | 0 failed | 0 skipped");
  const auto bad = summary("2 | 1 passed | 1 failed | 0 skipped");
  const auto last = summary("3 | 3 passed | 0 failed | 0 skipped");
  const auto r = parse_tests(start + good + bad + start + last, {1, {}});
  EXPECT_EQ(r.counts.passed, 4);
  EXPECT_EQ(r.counts.failed, 1);
  EXPECT_TRUE(r.complete);
  // The second program died.
  EXPECT_FALSE(parse_tests(start + last + start, {0, {}}).complete);
}

TEST(Summaries, SeveralRunnersAddUp) {
  const auto r = parse_tests(
      "running 1 test\ntest a ... ok\n\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 "
      "filtered out\n" +
          std::string(kReal),
      {1, {}});
  EXPECT_EQ(r.format, "cargo-test+pester");
  EXPECT_EQ(r.counts.passed, 4);
  EXPECT_EQ(r.counts.failed, 1);
}

}  // namespace
}  // namespace hydra::parsers
