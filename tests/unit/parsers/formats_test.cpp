// The files of formats/ and the pattern language that they are written in.
#include "parsers/formats.hpp"

#include "base/read_files.hpp"
#include "golden.hpp"
#include "support/places.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hydra::parsers {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::vector<Error> mistakes(std::string text) { return check_formats({{"mine.toml", std::move(text)}}); }

TEST(FormatFiles, EveryBuiltInFileReadsWithoutAComplaint) {
  const auto directory = std::filesystem::path(places::golden()) / "../../parsers/formats";
  const auto files = toml_files(directory);
  ASSERT_GT(files.size(), 50U);
  for (const auto& error : check_formats(files)) ADD_FAILURE() << describe(error);
}

TEST(FormatFiles, AMistakeNamesFileLineAndKey) {
  const struct {
    const char *text, *where, *what;
  } cases[] = {
      {"[lint.mine]\nfindings = [{ finding = '{fil}:{line}: {message}' }]", "mine.toml:2:25", "{fil}"},
      {"[lint.mine]\nfindings = [{ finding = '{file' }]", "mine.toml:2:25", "has no '}'"},
      {"[lint.mine]\nfindings = [{ finding = 'a}b' }]", "mine.toml:2:25", "closes nothing"},
      {"[lint.mine]\nfindings = [{ finding = 'a{?b' }]", "mine.toml:2:25", "{?"},
      {"[lint.mine]\nfindings = [{ finding = '{?{message}}' }]", "mine.toml:2:25", "optional part"},
      {"[lint.mine]\nfindings = [{ finding = '' }]", "mine.toml:2:25", "empty"},
      {"[lint.mine]\nfindings = [{ findin = 'x' }]", "mine.toml:2:15", "'findin'"},
      {"[lint.mine]\nfindings = [{ finding = 'x', severity = 'grave' }]", "mine.toml:2:41", "\"error\""},
      {"[lint.mine]\nfindings = [{ finding = 'x', within = 900 }]", "mine.toml:2:39", "1 to 20"},
      {"[lint.mine]\nfinding = []", "mine.toml:2:1", "'finding'"},
      {"[lint.mine]\nfindings = 'x'", "mine.toml:2:12", "list"},
      {"[lint.mine]\nfindings = [{ twice = true }]", "mine.toml:2:13", "needs one of the keys"},
      {"[tests.mine]\nsummaries = [{ last = ['{passed} ok', 5] }]", "mine.toml:2:39", "expected a pattern"},
      {"[tests.mine]\nsummaries = [{ needs = 'x' }]", "mine.toml:2:14", "needs one of the keys"},
      {"[tests.mine]\nbegun = [{ starts = 'x' }]", "mine.toml:2:12", "'starts'"},
      {"[tests.mine]\ncases = [{ broken = 'x {name}' }]", "mine.toml:2:12", "'broken'"},
      {"[lint]\nmine = 5", "mine.toml:2:1", "is a table"},
      {"[liint.mine]\n", "mine.toml:1:2", "'liint'"},
      {"[lint.mine\n", "mine.toml:1:", ""},
  };
  for (const auto& c : cases) {
    const auto all = mistakes(c.text);
    ASSERT_THAT(all, SizeIs(1)) << c.text;
    EXPECT_THAT(all[0].where, HasSubstr(c.where)) << c.text << "\n" << describe(all[0]);
    EXPECT_THAT(all[0].message, HasSubstr(c.what)) << c.text;
  }
  EXPECT_THAT(mistakes("[lint.mine]\nfindings = [{ findin = 'x' }, { finding = '{x}' }]"), SizeIs(2));
  EXPECT_THAT(mistakes("[lint.mine]\nfindings = [{ finding = 'a {{b}} {file}' }]"), IsEmpty());
}

TEST(FormatFiles, ARowThatIsWrongIsLeftOutAndTheRestOfItsFileIsRead) {
  tables::Tree tree;
  Formats out;
  std::vector<Error> errors;
  EXPECT_FALSE(tables::append("b.toml", "\xff\xfe not TOML = [", tree, errors));
  EXPECT_THAT(errors, SizeIs(1));
  tree = {};
  ASSERT_TRUE(tables::append("a.toml",
                             "[lint.a]\nfindings = [{ finding = '{nothing}' }, { finding = 'a {message}' }]",
                             tree, errors));
  read_format({tree.nodes.data(), tree.texts}, FormatPart::all, out, errors);
  EXPECT_THAT(errors, SizeIs(2));
  ASSERT_THAT(out.lint[findings], SizeIs(1));
  EXPECT_EQ(out.lint[findings][0].tool, "a");
}

TEST(Pattern, OfALinterTakesWholeLines) {
  Fields f;
  const auto& located = lint_line<"{file}:{line}:{column}: {severity}: {message} [{rule}]">();
  ASSERT_TRUE(match(located, "src/a b.c:3:14: warning: x [y] z [no-z]", f));
  EXPECT_EQ(f.file, "src/a b.c");
  EXPECT_EQ(f.line, 3);
  EXPECT_EQ(f.column, 14);
  EXPECT_EQ(f.severity, Severity::warning);
  EXPECT_EQ(f.message, "x [y] z");
  EXPECT_EQ(f.rule, "no-z");
  EXPECT_FALSE(match(located, "src/a.c:3:14: warning: x", f));
  EXPECT_FALSE(match(lint_line<"a b">(), "a  b", f)) << "a blank is one blank";
  EXPECT_TRUE(match(lint_line<"a{gap}b">(), "a \t b", f));
  EXPECT_TRUE(match(lint_line<"{indent}{number} error{s}">(), "3 errors", f));
  EXPECT_TRUE(match(lint_line<"{{x}} {any}">(), "{x} whatever follows", f));
}

TEST(Pattern, FiguresOfPlacesThatWereTriedInVainAreNotKept) {
  Fields f;
  ASSERT_TRUE(
      match(lint_line<"{any}: {errors} errors, {warnings} warnings">(), "a: 3 b: 4 errors, 5 warnings", f));
  EXPECT_EQ(f.errors, 4);
  EXPECT_EQ(f.warnings, 5);
}

TEST(Pattern, CountsStandInAnyOrder) {
  Figures f;
  ASSERT_TRUE(match(tests_line<"{total} scenario{?s}{? ({counts})}">(),
                    "5 scenarios (1 failed, 1 undefined, 3 passed)", f));
  EXPECT_EQ(f.total, 5);
  EXPECT_EQ(f.passed, 3);
  EXPECT_EQ(f.failed, 1);
  EXPECT_EQ(f.errors, 1);
  Figures g;
  EXPECT_FALSE(match(tests_line<"{counts}">(), "3 passed, 1 purple", g));
  EXPECT_TRUE(match(tests_line<"{counts} in {any}">(), "3 passed | 1 skipped in 2s", g));
  EXPECT_EQ(g.skipped, 1);
}

TEST(Pattern, NamesAreKeptWithTheirBlanks) {
  Fields f;
  ASSERT_TRUE(match(lint_line<"{name} -> ok">(), "a -> ok  -> ok", f));
  EXPECT_EQ(f.name, "a -> ok ");
  ASSERT_TRUE(match(lint_line<"PASS: {name}">(), "PASS: ", f));
  EXPECT_EQ(f.name, "");
}

}  // namespace
}  // namespace hydra::parsers
