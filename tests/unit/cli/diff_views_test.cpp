#include "cli/render/diff_views.hpp"

#include "base/strings.hpp"
#include "cli/render/code_colours.hpp"

#include <gmock/gmock.h>

#include <map>
#include <optional>

namespace hydra::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kDiff =
    "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n same\n-old word\n--- dashes\n+new word\n+++ "
    "pluses\n last\n";

const Style kPlain{};

TEST(DiffViews, LinesOfAHunkAreNoHeaders) {
  EXPECT_EQ(diff_lines(kDiff, kPlain, {}), kDiff);
  const auto linked = diff_lines(kDiff, kPlain, [](const std::string& path) { return "file://h/" + path; });
  EXPECT_THAT(linked, HasSubstr("\x1b]8;;file://h/x\x1b\\+++ b/x\x1b]8;;\x1b\\\n"));
  EXPECT_THAT(linked, HasSubstr("\n+++ pluses\n"));
}

TEST(DiffViews, CodeKeepsItsTextWhateverItsColours) {
  const Style colours{.colour = true};
  const auto text = [](std::string line) {
    for (std::size_t at = 0; (at = line.find('\x1b')) != std::string::npos;)
      line.erase(at, line.find('m', at) - at + 1);
    return line;
  };
  for (const std::string line : {"int a = 1; // two", "'never ends", "", "   ", "漢 = \"字\"", "if x: pass"})
    for (const char* path : {"a.cpp", "a.py", "a.rs", "README", "\"odd", ""}) {
      EXPECT_EQ(code_colours(path, line, Paint::green, kPlain), line);
      EXPECT_EQ(text(code_colours(path, line, Paint::green, colours)), line) << path;
    }
  EXPECT_EQ(code_colours("a.none", "if 1", Paint::green, colours), "\x1b[32mif 1\x1b[0m");
  EXPECT_EQ(code_colours("a.c", "if 1", Paint::plain, colours), "\x1b[1mif \x1b[0m\x1b[36m1\x1b[0m");
}

TEST(DiffViews, WordsThatChanged) {
  EXPECT_THAT(diff_words(kDiff, kPlain, {}), HasSubstr("[-old-]{+new+} word\n"));
  EXPECT_THAT(diff_words("@@ -0,0 +1 @@\n+only new\n", kPlain, {}), HasSubstr("{+only new+}\n"));
  const std::string many(5000, '.');
  EXPECT_THAT(diff_words("@@ -1 +1 @@\n-" + many + "\n+" + many + ".\n", kPlain, {}), HasSubstr("[-...."))
      << "not compared";
}

TEST(DiffViews, ColumnsAreAsWideAsAsked) {
  for (const auto& line :
       {std::string("-a\n+b\n"), "-" + std::string(300, 'x') + "\n+漢字\n", std::string("+\xff\t\n")})
    for (const auto each : {40u, 80u, 200u}) {
      const auto text = diff_columns("@@ -1 +1 @@\n" + line, kPlain, each, {});
      const auto row = text.substr(text.find('\n') + 1);
      EXPECT_LE(display_width(row.substr(0, row.find('\n'))), each) << line;
    }
}

TEST(DiffViews, HostileTextMovesNothing) {
  const std::string hostile =
      "+++ b/\x1b]0;title\x07\n@@ \x1b[2J @@\n+\x1b[31mred\xc2\x9b\n-\x1b[A\n \r\x1b[K\n";
  for (const auto& text :
       {diff_lines(hostile, kPlain, {}), diff_words(hostile, kPlain, {}),
        diff_columns(hostile, kPlain, 80, {}), diff_stat({{"\x1b[31mx", 1, 2, false}}, kPlain, 80, {})}) {
    EXPECT_THAT(text, Not(HasSubstr("\x1b")));
    EXPECT_THAT(text, Not(HasSubstr("\xc2\x9b")));
    EXPECT_THAT(text, Not(HasSubstr("\x07")));
  }
}

TEST(DiffViews, StatFitsItsWidth) {
  const auto text =
      diff_stat({{"a", 1, 0, false}, {std::string(200, 'p'), 100'000, 5, false}, {"b.png", 0, 0, true}},
                kPlain, 60, {});
  EXPECT_THAT(text, HasSubstr("3 files changed, 100001 lines added, 5 removed\n"));
  EXPECT_THAT(text, HasSubstr("| Bin\n"));
  for (std::size_t at = 0, end = 0; (end = text.find('\n', at)) != std::string::npos; at = end + 1)
    EXPECT_LE(display_width(text.substr(at, end - at)), 62u);
}

TEST(DiffViews, LinksWhereTheTerminalHasThem) {
  const auto with = [](std::map<std::string, std::string> known) {
    return shows_links([known](const std::string& name) -> std::optional<std::string> {
      const auto at = known.find(name);
      return at == known.end() ? std::nullopt : std::optional(at->second);
    });
  };
  EXPECT_FALSE(with({}));
  EXPECT_FALSE(with({{"TERM", "xterm-256color"}}));
  EXPECT_TRUE(with({{"TERM", "xterm-256color"}, {"VTE_VERSION", "6800"}}));
  EXPECT_FALSE(with({{"VTE_VERSION", "4602"}}));
  EXPECT_TRUE(with({{"TERM", "xterm-kitty"}}));
  EXPECT_TRUE(with({{"TERM_PROGRAM", "vscode"}}));
  EXPECT_FALSE(with({{"TERM_PROGRAM", "vscode"}, {"FORCE_HYPERLINK", "0"}}));
  EXPECT_TRUE(with({{"FORCE_HYPERLINK", "1"}}));
  EXPECT_EQ(file_address("host", "/a b/\x1b#.c"), "file://host/a%20b/%1B%23.c");
}

}  // namespace
}  // namespace hydra::cli
