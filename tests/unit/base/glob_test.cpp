#include "base/glob.hpp"

#include <gtest/gtest.h>

namespace {

using namespace hydra;

struct Row {
  const char* pattern;
  const char* path;
  bool matches;  ///< the path itself
  bool covered;  ///< the path, or a directory above it
};

class Glob : public testing::TestWithParam<Row> {};

TEST_P(Glob, Table) {
  const auto& row = GetParam();
  EXPECT_EQ(match_path(row.pattern, row.path), row.matches) << row.pattern << " " << row.path;
  EXPECT_EQ(covered_by({row.pattern}, row.path), row.covered) << row.pattern << " " << row.path;
}

const Row kRows[] = {
    {"build", "build", true, true},
    {"build", "build/a/b.o", false, true},
    {"build/", "./build//a", false, true},
    {"build", "builder/a", false, false},
    {"build", "src/build", false, false},
    {"**/dist", "dist", true, true},
    {"**/dist", "packages/a/dist", true, true},
    {"**/dist", "packages/a/dist/x.js", false, true},
    {"**/dist", "packages/a/dist2/x.js", false, false},
    {"packages/*/dist", "packages/a/dist", true, true},
    {"packages/*/dist", "packages/a/b/dist", false, false},
    {"packages/**/dist", "packages/dist", true, true},
    {"packages/**/dist", "packages/a/b/dist/c", false, true},
    {"*.tsbuildinfo", "tsconfig.tsbuildinfo", true, true},
    {"*.tsbuildinfo", "a/tsconfig.tsbuildinfo", false, false},
    {"**/*.tsbuildinfo", "a/b/tsconfig.tsbuildinfo", true, true},
    {"a?c", "abc", true, true},
    {"a?c", "ac", false, false},
    {"a/**", "a", true, true},
    {"a/**", "a/b/c", true, true},
    {"**/a/**/b/**/c", "x/a/y/b/z/z/c", true, true},
    {"**/a/**/b/**/c", "x/b/y/a/z/z/c", false, false},
    {"[ab]", "[ab]", true, true},
    {"[ab]", "a", false, false},
    {"", "a", false, false},
};

INSTANTIATE_TEST_SUITE_P(Base, Glob, testing::ValuesIn(kRows));

TEST(GlobBounds, ManyStarsEnd) {
  std::string pattern, path;
  for (int i = 0; i < 2000; ++i) pattern += "**/a*a*a*/";
  for (int i = 0; i < 2000; ++i) path += "aaab/";
  EXPECT_TRUE(match_path(pattern, path));
  EXPECT_FALSE(match_path(pattern + "c", path));
}

}  // namespace
