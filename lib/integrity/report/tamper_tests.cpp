#include "base/strings.hpp"
#include "integrity/report/tamper_impl.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <unordered_set>

namespace hydra::integrity {
namespace {

struct Marker {
  Language language;
  Text text;
};
// Absolute ones: nothing but the marker decides that the test does not count.
constexpr Marker kSkips[] = {{Language::python, "mark.skip("},
                             {Language::python, "mark.xfail"},
                             {Language::python, "unittest.skip("},
                             {Language::python, "@skip("},
                             {Language::python, "expectedFailure"},
                             {Language::python, "pytest.skip("},
                             {Language::python, ".skipTest("},
                             {Language::python, "pytest.xfail("},
                             {Language::python, "raise SkipTest"},
                             {Language::python, "raise unittest.SkipTest"},
                             {Language::python, "__test__ = False"},
                             {Language::python, "skipif(True"},
                             {Language::python, "skipIf(True"},
                             {Language::python, "skipUnless(False"},
                             {Language::python, "collect_ignore"},
                             {Language::script, "it.skip("},
                             {Language::script, "test.skip("},
                             {Language::script, "describe.skip("},
                             {Language::script, "xit("},
                             {Language::script, "xtest("},
                             {Language::script, "xdescribe("},
                             {Language::script, "it.only("},
                             {Language::script, "test.only("},
                             {Language::script, "describe.only("},
                             {Language::script, "fit("},
                             {Language::script, "fdescribe("},
                             {Language::script, "it.todo("},
                             {Language::script, "test.todo("},
                             {Language::script, "skip: true"},
                             {Language::script, "todo: true"},
                             {Language::script, "only: true"},
                             {Language::script, "t.skip("},
                             {Language::script, "this.skip("},
                             {Language::script, "test.fails("},
                             {Language::script, "it.fails("},
                             {Language::script, "it.failing("},
                             {Language::script, "test.failing("},
                             {Language::script, "suite.skip("},
                             {Language::script, "suite.only("},
                             {Language::go, "t.Skip("},
                             {Language::go, "t.SkipNow("},
                             {Language::go, "t.Skipf("},
                             {Language::go, "//go:build ignore"},
                             {Language::go, "// +build ignore"},
                             {Language::rust, "#[ignore"},
                             {Language::rust, "#[cfg(any())]"},
                             {Language::c, "GTEST_SKIP"},
                             {Language::c, "DISABLED_"},
                             {Language::c, "SKIP("},
                             {Language::c, "#if 0"},
                             {Language::jvm, "@Ignore"},
                             {Language::jvm, "@Disabled"},
                             {Language::jvm, "assumeTrue(false"},
                             {Language::dotnet, "[Ignore"},
                             {Language::dotnet, "Skip = \""},
                             {Language::dotnet, "Assert.Ignore("},
                             {Language::ruby, "xit "},
                             {Language::ruby, "xdescribe "},
                             {Language::ruby, "skip \""},
                             {Language::ruby, "skip '"},
                             {Language::ruby, "pending \""},
                             {Language::php, "markTestSkipped"},
                             {Language::php, "markTestIncomplete"},
                             {Language::swift, "XCTSkip"}};
bool is_assertion(Text text, Language language) {
  switch (language) {
    case Language::python:
      return text.starts_with("assert ") || text.starts_with("assert(") || has(text, ": assert ") ||
             has(text, "self.assert") || has(text, "pytest.raises");
    case Language::script:
      if (has(text, "require(") || text.starts_with("import ")) return false;
      return has(text, "expect(") || has(text, "assert") || has(text, ".should");
    case Language::go:
      // What is expected stands in the condition; the call below it holds words for people.
      if (text.starts_with("if ")) return has(text, "!=") || has(text, "==");
      return has(text, "t.Error") || has(text, "t.Fatal") || has(text, "assert.") || has(text, "require.");
    case Language::rust:
      return has(text, "assert!(") || has(text, "assert_eq!(") || has(text, "assert_ne!(");
    case Language::c:
      return has(text, "EXPECT_") || has(text, "ASSERT_") || has(text, "assert(") || has(text, "CHECK(") ||
             has(text, "REQUIRE(");
    case Language::shell:
      return text.starts_with("[ ") || text.starts_with("[[ ") || text.starts_with("grep ") ||
             text.starts_with("diff ") || text.starts_with("test ") || text.starts_with("cmp ");
    case Language::jvm:
    case Language::dotnet:
    case Language::swift:
      return has(text, "assert") || has(text, "Assert");
    case Language::ruby:
    case Language::php:
      return has(text, "assert") || has(text, "expect(") || has(text, ".should");
    default:
      return false;
  }
}

/// Numbers and quoted texts of a line, each once.
void collect_literals(Text text, std::vector<Text>& out) {
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    const bool in_name =
        i > 0 && (std::isalnum(static_cast<unsigned char>(text[i - 1])) != 0 || text[i - 1] == '_');
    if (c == '"' || c == '\'' || c == '`') {
      auto end = i + 1;
      while (end < text.size() && text[end] != c) end += text[end] == '\\' ? 2 : 1;
      end = std::min(end, text.size());
      out.push_back(text.substr(i + 1, end - i - 1));
      i = end + 1;
    } else if (std::isdigit(static_cast<unsigned char>(c)) != 0 && !in_name) {
      auto end = i;
      while (end < text.size() &&
             (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '.'))
        ++end;
      out.push_back(text.substr(i, end - i));
      i = end;
    } else {
      ++i;
    }
  }
}

}  // namespace

void find_skips(const TextDiff& diff, Signals& signals) {
  // Tests stand in the sources too (Rust).
  if (diff.role == Role::product && diff.language != Language::rust) return;
  const auto marks = [&](Text line) {
    return std::any_of(std::begin(kSkips), std::end(kSkips), [&](const Marker& marker) {
      if (marker.language != diff.language) return false;
      auto at = line.find(marker.text);
      // "@pytest.mark.skip", without a reason in brackets.
      if (at == Text::npos && marker.text.ends_with("skip(") && line.ends_with("mark.skip")) at = 0;
      // "await(" is no "it(", "emit(" no "xit(": a name begins here.
      return at != Text::npos && (at == 0 || std::isalnum(static_cast<unsigned char>(line[at - 1])) == 0);
    });
  };
  for (const auto index : diff.added) {
    const auto& line = diff.candidate[index];
    // "//go:build ignore" is a comment by its form.
    const bool directive = line.text.starts_with("//go:build") || line.text.starts_with("// +build");
    if ((line.comment && !directive && line.text != "#if 0") || !marks(line.text)) continue;
    const auto before = index == 0 ? Text() : diff.candidate[index - 1].text;
    const bool conditional = before.starts_with("if ") || before.starts_with("#if");
    signals.add(SignalKind::skip_marker,
                diff.is_new || diff.permitted || conditional ? Severity::info : Severity::warning,
                diff.file->change.path, line.number, line.text,
                "a test is told not to run, or to be allowed to fail");
  }
}

void find_assertions(const TextDiff& diff, Signals& signals) {
  if (diff.role != Role::test || diff.is_new) return;
  const auto& path = diff.file->change.path;
  std::int64_t came = 0, went = 0;
  std::vector<Text> literals;
  for (const auto index : diff.added) {
    const auto& line = diff.candidate[index];
    collect_literals(line.text, literals);
    if (is_assertion(line.text, diff.language)) ++came;
  }
  const std::unordered_set<Text> known(literals.begin(), literals.end());
  const TextLine* lost = nullptr;
  const TextLine* plain = nullptr;
  for (const auto& line : diff.removed) {
    if (!is_assertion(line.text, diff.language) || line.comment) continue;
    ++went;
    std::vector<Text> own;
    const bool words =
        diff.language == Language::go && (has(line.text, "t.Error") || has(line.text, "t.Fatal"));
    if (!words) collect_literals(line.text, own);
    if (own.empty() && plain == nullptr) plain = &line;
    const bool all =
        std::all_of(own.begin(), own.end(), [&](Text literal) { return known.contains(literal); });
    if (!all && lost == nullptr) lost = &line;
  }
  const auto add = [&](Severity severity, const TextLine& line, std::string reason) {
    signals.add(SignalKind::weakened_assertion, diff.permitted ? Severity::info : severity, path, line.number,
                line.text, std::move(reason));
  };
  if (lost != nullptr)
    add(Severity::warning, *lost,
        went > came ? "assertions of the base's test were taken out"
                    : "the base's test expects something else now");
  else if (went > came && plain != nullptr)
    add(Severity::warning, *plain, "assertions of the base's test were taken out");
  else if (went > came && !diff.removed.empty())
    add(Severity::info, diff.removed.front(),
        "the base's test has fewer assertions, all values are still in it");
}

}  // namespace hydra::integrity
