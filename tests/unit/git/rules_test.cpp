// Attribute and ignore rules of a tree as one list.
#include "git/store/rules.hpp"

#include "base/strings.hpp"

#include <gtest/gtest.h>

namespace hydra::git::test {
namespace {

TEST(Rules, AttributesAreFlattened) {
  const auto text =
      flatten_attributes({{"d", "*.x filter=f\nsub/y text\n# no\n[attr]m text\n"}, {"", "*.r eol=lf\n"}});
  EXPECT_TRUE(text.starts_with("* !text !crlf !eol !filter !ident !working-tree-encoding "));
  EXPECT_TRUE(text.ends_with("\n*.r eol=lf\n/d/**/*.x filter=f\n/d/sub/y text\n"));
}

TEST(Rules, IgnoresAreFlattened) {
  EXPECT_EQ(flatten_ignores("first", {{"a b/[c]", "*.o\n!keep.o\r\n/top\nx/y\nz/\n\n#c\n"}, {"", "r\n"}}),
            "first\nr\n/a\\ b/\\[c]/**/*.o\n!/a\\ b/\\[c]/**/keep.o\n/a\\ b/\\[c]/top\n/a\\ b/\\[c]/x/y\n"
            "/a\\ b/\\[c]/**/z/\n");
}

}  // namespace
}  // namespace hydra::git::test
