// Names of runners that list some or all of their tests beside their totals.
#include "parsers/parsers.hpp"

#include <gtest/gtest.h>

namespace hydra::parsers {
namespace {

std::vector<std::string> names_of(const model::ParsedTests& r) {
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

}  // namespace
}  // namespace hydra::parsers
