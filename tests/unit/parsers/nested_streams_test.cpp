// A stream of TAP with braces that is cut or damaged is no finished run.
#include "golden.hpp"
#include "parsers/parsers.hpp"
#include "support/places.hpp"

#include <gtest/gtest.h>

namespace hydra::parsers {
namespace {

std::string recorded(const std::string& name) {
  return golden::slurp(std::filesystem::path(places::golden()) / "parsers" / name / "output.txt");
}

TEST(TapBraces, CutIsNoFinishedRun) {
  const auto text = recorded("vitest/tap");
  for (auto at = text.find('\n'); at + 1 < text.size(); at = text.find('\n', at + 1)) {
    const auto r = parse_tests(std::string_view(text).substr(0, at + 1), {1, {}});
    EXPECT_FALSE(r.complete) << at;
  }
}

TEST(TapBraces, ASuiteThatFailedByItself) {
  const auto r = parse_tests(
      "TAP version 13\n1..2\nnot ok 1 - a.test.ts # time=2ms {\n    1..0\n}\nok 2 - b.test.ts {\n    1..1\n"
      "    ok 1 - adds\n}\n",
      {1, {}});
  EXPECT_TRUE(r.complete);
  EXPECT_EQ(r.counts.passed, 1);
  EXPECT_EQ(r.counts.failed, 1);
}

// A plan inside of the braces that is not kept.
TEST(TapBraces, FewerTestsThanPlanned) {
  const auto r = parse_tests("TAP version 13\n1..1\nok 1 - a {\n    1..2\n    ok 1 - x\n}\n", {0, {}});
  EXPECT_FALSE(r.complete);
  EXPECT_FALSE(r.suspicious.empty());
}

}  // namespace
}  // namespace hydra::parsers
