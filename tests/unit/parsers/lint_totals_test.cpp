// Linters that nobody described: what is believed of their totals, and what is not.
#include "parsers/parsers.hpp"

#include <gtest/gtest.h>

namespace hydra::parsers {
namespace {

struct Said {
  const char* text;
  int exit_code;
  std::int64_t errors, warnings;
};

class LintTotals : public testing::TestWithParam<Said> {};

TEST_P(LintTotals, AreRead) {
  const auto& p = GetParam();
  const auto r = parse_lint(p.text, {p.exit_code, {}});
  EXPECT_EQ(r.errors, p.errors) << p.text;
  EXPECT_EQ(r.warnings, p.warnings) << p.text;
}

INSTANTIATE_TEST_SUITE_P(
    Forms, LintTotals,
    testing::Values(Said{"0 errors, 0 warnings\n", 0, 0, 0}, Said{"Found 0 issues.\n", 0, 0, 0},
                    Said{"no problems\n", 0, 0, 0}, Said{"Checked 3 files. No problems found.\n", 0, 0, 0},
                    Said{"3 files checked, 0 problems\n", 0, 0, 0},
                    Said{"Done. 0 violations found.\n", 0, 0, 0}, Said{"Lint OK\n", 0, 0, 0},
                    Said{"Errors: 3\nWarnings: 2\n", 1, 3, 2}, Said{"3 error(s), 2 warning(s)\n", 1, 3, 2},
                    Said{"Summary: 3 errors, 2 warnings in 4 files\n", 1, 3, 2},
                    Said{"0 errors, 2 warnings\n", 0, 0, 2},
                    Said{"5 problems (3 errors, 2 warnings)\n", 1, 3, 2},
                    Said{"Found 3 violations in 1.2s\n", 1, 3, 0},
                    Said{"ERROR src/a.foo:3:1 bad thing\nWARN src/a.foo:9:2 other thing\n", 1, 1, 1},
                    Said{"[warning] src/a.foo:9:2 other thing\n", 0, 0, 1}));

TEST(LintTotals, AFailedCommandIsNeverClean) {
  for (const char* text : {"no problems\n", "0 errors, 0 warnings\n", "Lint OK\n", "Found 0 issues.\n"}) {
    const auto r = parse_lint(text, {1, {}});
    EXPECT_FALSE(r.errors || r.warnings) << text;
  }
}

TEST(LintTotals, FindingsAreNotCountedTwice) {
  const auto r = parse_lint(
      "src/a.c:3:4: error: bad thing [X001]\nsrc/a.c:5:1: warning: meh [W2]\n"
      "Summary: 1 error, 1 warning in 1 file\n",
      {1, {}});
  EXPECT_EQ(r.errors, 1);
  EXPECT_EQ(r.warnings, 1);
}

TEST(LintTotals, OtherFiguresAreNoTotals) {
  for (const char* text : {"3 errors fixed by magic\n", "see errors/2.txt\n", "3 of 4 errors\n",
                           "version 3.2 errors\n", "errors 3 4\n", "error code: 3 in frobnicator\n"})
    EXPECT_FALSE(parse_lint(text, {1, {}}).errors) << text;
}

}  // namespace
}  // namespace hydra::parsers
