// Names of runners that list some or all of their tests beside their totals.
#include "parsers/parsers.hpp"

#include <gtest/gtest.h>

namespace hydra::parsers {
namespace {

std::vector<std::string> names_of(const model::TestReport& r) {
  std::vector<std::string> out;
  for (const auto& t : r.tests) out.push_back(t.name + " " + std::string(model::name(t.status)));
  return out;
}

using Names = std::vector<std::string>;

TEST(ListedNames, NextestDoesNotListSkippedTests) {
  const auto r = parse_tests(
      "    Starting 3 tests across 2 binaries (2 tests skipped)\n"
      "        PASS [   0.010s] (1/3) core tests::ok\n"
      "        FAIL [   0.104s] (2/3) worker tests::broken\n"
      "     SIGABRT [   0.002s] (3/3) core crash::test\n"
      "     Summary [   0.200s] 3 tests run: 1 passed, 2 failed, 2 skipped\n"
      "        FAIL [   0.104s] (2/3) worker tests::broken\n"
      "error: test run failed\n",
      {100, {}});
  EXPECT_EQ(r.counts.skipped, 2);
  EXPECT_EQ(names_of(r),
            (Names{"core tests::ok passed", "worker tests::broken failed", "core crash::test failed"}));
}

TEST(ListedNames, DotnetAtVerbosityNormal) {
  const auto r = parse_tests(
      "  Passed Demo.MathTests.Adds [1 ms]\n  Failed Demo.MathTests.Bad(x: 1, y: \"a b\") [1 s]\n"
      "  Error Message:\n   Assert.Equal() Failure\n  Skipped Demo.MathTests.Later\n"
      "  Passed Demo.MathTests.Other [< 1 ms]\n\nTest Run Failed.\nTotal tests: 4\n     Passed: 2\n"
      "     Failed: 1\n    Skipped: 1\n Total time: 1.2053 Seconds\n",
      {1, {}});
  EXPECT_EQ(r.counts.total, 4);
  EXPECT_EQ(names_of(r), (Names{"Demo.MathTests.Adds passed", "Demo.MathTests.Bad(x: 1, y: \"a b\") failed",
                                "Demo.MathTests.Later skipped", "Demo.MathTests.Other passed"}));
}

TEST(ListedNames, DotnetWithoutAllNamesKeepsItsCounts) {
  const auto r = parse_tests(
      "  Failed Demo.MathTests.Bad [1 s]\nTotal tests: 4\n     Passed: 3\n     Failed: 1\n Total time: 1.2 "
      "Seconds\n",
      {1, {}});
  EXPECT_EQ(r.counts.passed, 3);
  EXPECT_EQ(r.counts.failed, 1);
  EXPECT_TRUE(r.tests.empty());
}

// sbt prints no totals of its own where ScalaTest was the only framework.
TEST(ListedNames, ScalaTestUnderSbt) {
  const std::string text =
      "[info] HelloSpec:\n[info] The Hello object\n[info] - should say hello\n"
      "[info] - should fail *** FAILED *** (2 milliseconds)\n"
      "[info]   \"hello\" did not equal \"x\" (HelloSpec.scala:10)\n"
      "[info] - should be ignored !!! IGNORED !!!\n[info] Run completed in 312 milliseconds.\n"
      "[info] Total number of tests run: 2\n[info] Suites: completed 1, aborted 0\n"
      "[info] Tests: succeeded 1, failed 1, canceled 0, ignored 1, pending 0\n[info] *** 1 TEST FAILED ***\n";
  const auto r = parse_tests(text, {1, {}});
  EXPECT_EQ(r.format, "sbt");
  EXPECT_EQ(r.counts.total, 3);
  const Names names{"HelloSpec > The Hello object > should say hello passed",
                    "HelloSpec > The Hello object > should fail failed",
                    "HelloSpec > The Hello object > should be ignored skipped"};
  EXPECT_EQ(names_of(r), names);
  // The same run in sbt's words: once.
  const auto twice =
      parse_tests(text + "[error] Failed: Total 2, Failed 1, Errors 0, Passed 1, Ignored 1\n", {1, {}});
  EXPECT_EQ(twice.counts.total, 3);
  EXPECT_EQ(names_of(twice), names);
  // Several frameworks: sbt's line counts all of them.
  const auto all =
      parse_tests(text + "[error] Failed: Total 5, Failed 1, Errors 0, Passed 4, Ignored 1\n", {1, {}});
  EXPECT_EQ(all.counts.passed, 4);
  EXPECT_EQ(all.counts.failed, 1);
}

}  // namespace
}  // namespace hydra::parsers
