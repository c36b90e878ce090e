#include "base/strip_paths.hpp"

#include <gtest/gtest.h>

namespace {

using namespace hydra;
using Prefixes = std::vector<std::string>;

const Prefixes kPrefixes{"/home/u/app", "/state/races/r/checks/codex/tree/", "/home/u/my app"};

struct StripPathsRow {
  const char* in;
  const char* out;
};

class StripPaths : public testing::TestWithParam<StripPathsRow> {};

TEST_P(StripPaths, Whole) { EXPECT_EQ(strip_paths(GetParam().in, kPrefixes), GetParam().out); }

// However the bytes arrive, the result is the same.
TEST_P(StripPaths, InPieces) {
  const std::string text = GetParam().in;
  for (std::size_t size = 1; size <= text.size(); ++size) {
    PathStripper stripper(kPrefixes);
    std::string out;
    for (std::size_t at = 0; at < text.size(); at += size) out += stripper.feed(text.substr(at, size));
    EXPECT_EQ(out + stripper.finish(), GetParam().out) << size;
  }
}

const StripPathsRow kStripPathsRows[] = {
    {"/home/u/app/src/a.c:3:1: error", "src/a.c:3:1: error"},
    {"at f (/home/u/app/src/a.js:1:2)", "at f (src/a.js:1:2)"},
    {"File \"/home/u/app/a.py\", line 3", "File \"a.py\", line 3"},
    {"rootdir: /home/u/app\n", "rootdir: .\n"},
    {"rootdir: /home/u/app/\n", "rootdir: \n"},
    {"in /home/u/app.", "in .."},
    {"-I/home/u/app/include", "-I/home/u/app/include"},
    {"--dir=/home/u/app/x", "--dir=x"},
    {"/state/races/r/checks/codex/tree/x y", "x y"},
    {"a\n/home/u/app/b\n/home/u/app/c\n", "a\nb\nc\n"},
    {"/home/u/app/a:/home/u/app/b", "a:b"},
    {"'/home/u/my app/a b.js'", "'a b.js'"},
    // Not at a boundary.
    {"/home/u/app2/a", "/home/u/app2/a"},
    {"/home/u/app-old/a", "/home/u/app-old/a"},
    {"/home/u/app.bak/a", "/home/u/app.bak/a"},
    {"/mnt/home/u/app/a", "/mnt/home/u/app/a"},
    {"//home/u/app/a", "//home/u/app/a"},
    {"/home/u", "/home/u"},
    {"/home/u/ap", "/home/u/ap"},
    // URIs.
    {"file:///home/u/app/src/a.js:1:2", "src/a.js:1:2"},
    {"file://localhost/home/u/app/a.js", "a.js"},
    {"(file:///home/u/app)", "(.)"},
    {"file:///home/u/my%20app/a%20b.js next%20", "a b.js next%20"},
    {"file:///home/u/app%32/a.js", "file:///home/u/app%32/a.js"},
    {"file:///home/u/app/a%0Ab%1b", "a%0Ab%1b"},
    {"file:///opt/x/a.js", "file:///opt/x/a.js"},
    {"https://x/home/u/app/a", "https://x/home/u/app/a"},
    // JSON of PHP and others.
    {"{\"f\":\"\\/home\\/u\\/app\\/src\\/A.php\"}", "{\"f\":\"src\\/A.php\"}"},
    {"", ""},
};

INSTANTIATE_TEST_SUITE_P(Base, StripPaths, testing::ValuesIn(kStripPathsRows));

TEST(PathStripper, LinesAreNotHeldBack) {
  PathStripper stripper(kPrefixes);
  EXPECT_EQ(stripper.feed("at /home/u/app/x\nand /home"), "at x\n");
  EXPECT_EQ(stripper.feed("/u/app/y\n"), "and y\n");
}

TEST(PathStripper, WithoutPrefixesNothingHappens) {
  for (const auto& none : {Prefixes{}, Prefixes{"/", "", "relative"}})
    EXPECT_EQ(strip_paths("/home/u/app/x /relative", none), "/home/u/app/x /relative");
}

TEST(PathStripper, TheLongestPrefixWins) { EXPECT_EQ(strip_paths("/a/b/c /a/x", {"/a", "/a/b"}), "c x"); }

TEST(PathStripper, HostileTextEnds) {
  std::string text;
  for (int i = 0; i < 50000; ++i) text += "file:///home/u/app/home/u/app%";
  EXPECT_LT(strip_paths(text, kPrefixes).size(), text.size());
  EXPECT_EQ(strip_paths(std::string(1'000'000, '/'), kPrefixes).size(), 1'000'000u);
}

}  // namespace
