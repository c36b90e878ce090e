// Linters' output as an enemy would write it: bounded memory and time, no crash, and nothing clean that is
// not.
#include "parsers/parsers.hpp"

#include <gtest/gtest.h>

#include <string>

namespace hydra::parsers {
namespace {

std::string repeated(std::string_view part, std::size_t bytes) {
  std::string out;
  while (out.size() < bytes) out += part;
  return out;
}

constexpr std::size_t kMega = 1'000'000;

// Sizes at which anything quadratic would not come back in the time of a test run.
TEST(LintHostile, LargeAndMean) {
  for (const std::string_view part : {":",
                                      "a:1:",
                                      "[",
                                      "{\"a\":[",
                                      "<checkstyle><!--\n",
                                      "<?xml \n",
                                      "<checkstyle a=\"\n",
                                      "{\"\n",
                                      "[{\n",
                                      "error: x\n",
                                      "--- a\n+++ b\n@@ -1,99999 +1,99999 @@\n",
                                      "a(",
                                      " - : (",
                                      "...Passed",
                                      "✖ 1 problem (",
                                      "a.c:1:1: x [\n",
                                      "File \"a\", line 1, characters 1-2:\n",
                                      "│ Error: x\n",
                                      "FILE: a\n",
                                      "In a line 1:\n",
                                      "not ok 1 - a\n",
                                      "# npm audit report\na  <1\nSeverity: high\n",
                                      "2 vulnerabilities found\nSeverity: 1 high",
                                      "Clone found (a):\n",
                                      "   │ 99999 unresolved imports\n",
                                      "   │ 99999 unresolved imports\n 1 │ a\n",
                                      "a -- Cargo.toml:\n\tb\n",
                                      "Found verified result\n",
                                      "INFO:Detectors:\n",
                                      "INFO:Detectors:\na\n",
                                      "from a.js:\n",
                                      "<summary>Unused files (9)</summary>\n\n",
                                      "<pmd-cpd><duplication>\n",
                                      "{\"duplicates\":[],\"statistics\":{}}\n"}) {
    const auto r = parse_lint(repeated(part, kMega), {1, {}});
    EXPECT_FALSE(r.errors == 0 && r.warnings == 0) << part;
  }
}

TEST(LintHostile, FindingsAreCountedAndABoundedNumberIsKept) {
  std::string text;
  constexpr int kMany = 30'000;
  for (int i = 1; i <= kMany; ++i)
    text += "a.py:" + std::to_string(i) + ":1: F401 'os' imported but unused\n";
  const auto r = parse_lint(text, {1, {}});
  EXPECT_EQ(r.errors, kMany);
  EXPECT_EQ(r.findings.size(), model::kMaxLintFindings);
  EXPECT_LE(r.evidence.size(), model::kMaxLintFindings);
}

TEST(LintHostile, LongTextsAreCut) {
  const auto r = parse_lint("a.py:1:1: F401 " + std::string(kMega, 'x') + "\n", {1, {}});
  ASSERT_EQ(r.findings.size(), 1U);
  EXPECT_LE(r.findings[0].message.size(), model::kMaxLintText);
  EXPECT_EQ(r.errors, 1);
}

TEST(LintHostile, DeepJson) {
  for (const std::size_t depth : {100'000U, 1'000'000U}) {
    const auto open = std::string(depth, '[');
    const auto r = parse_lint(open + std::string(depth, ']'), {0, {}});
    EXPECT_FALSE(r.errors);
    const auto inner = parse_lint("{\"runs\":" + open + std::string(depth, ']') + "}", {0, {}});
    EXPECT_FALSE(inner.errors);
    EXPECT_FALSE(parse_lint("{\"runs\":" + open, {0, {}}).errors);
  }
}

TEST(LintHostile, EntitiesAreNotExpanded) {
  const auto r = parse_lint(
      "<?xml version=\"1.0\"?>\n<!DOCTYPE x [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;&a;&a;\"><!ENTITY c "
      "\"&b;&b;&b;&b;\">]>\n"
      "<checkstyle><file name=\"a.js\"><error line=\"1\" severity=\"error\" "
      "message=\"&c;\"/></file></checkstyle>\n",
      {1, {}});
  ASSERT_EQ(r.findings.size(), 1U);
  EXPECT_EQ(r.findings[0].message, "&c;");
}

TEST(LintHostile, CutReportsAreNotClean) {
  for (const std::string_view text :
       {"[{\"filePath\":\"a.js\",\"messages\":[", "<?xml version=\"1.0\"?><checkstyle><file name=\"a.js\">",
        "{\"version\":\"2.1.0\",\"runs\":[{\"results\":[]}"})
    EXPECT_FALSE(parse_lint(text, {0, {}}).errors) << text;
}

TEST(LintHostile, SarifOfAToolThatFailed) {
  const std::string text =
      R"({"version":"2.1.0","runs":[{"tool":{"driver":{"name":"x"}},"invocations":[{"executionSuccessful":false}],"results":[]}]})";
  EXPECT_FALSE(parse_lint(text, {0, {}}).errors);
}

// A summary and a list that contradict each other are said, and the larger figure counts.
TEST(LintTotals, AreHeldAgainstTheList) {
  const std::string finding = "\n/repo/a.js\n  1:7  error  Missing semicolon  semi\n\n";
  const auto same = parse_lint(finding + "✖ 1 problem (1 error, 0 warnings)\n", {1, {}});
  EXPECT_TRUE(same.suspicious.empty());
  EXPECT_EQ(same.confidence, model::Confidence::high);
  const auto more = parse_lint(finding + "✖ 3 problems (2 errors, 1 warning)\n", {1, {}});
  EXPECT_FALSE(more.suspicious.empty());
  EXPECT_FALSE(more.complete);
  EXPECT_EQ(more.errors, 2);
  EXPECT_EQ(more.warnings, 1);
  const auto less = parse_lint(finding + finding + "✖ 1 problem (1 error, 0 warnings)\n", {1, {}});
  EXPECT_FALSE(less.suspicious.empty());
  EXPECT_EQ(less.errors, 2);
}

TEST(LintTotals, OfSeveralToolsAreKeptApart) {
  const auto r = parse_lint(
      "a.py:2: error: bad  [x]\nFound 1 error in 1 file (checked 1 source file)\n"
      "b.py:1:1: F401 'os' imported but unused\nb.py:2:1: F401 'sys' imported but unused\n",
      {1, {}});
  EXPECT_EQ(r.errors, 3);
  EXPECT_EQ(r.format, "flake8+mypy");
  EXPECT_TRUE(r.suspicious.empty());
}

TEST(LintClean, NeedsSuccessAndUnderstanding) {
  EXPECT_EQ(parse_lint("All checks passed!\n", {0, {}}).errors, 0);
  EXPECT_FALSE(parse_lint("All checks passed!\n", {1, {}}).errors);
  EXPECT_FALSE(parse_lint("All checks passed!\n", {{}, 9}).errors);
  // A second tool that nobody understands has something to say.
  EXPECT_FALSE(parse_lint("frobnicate: could not read rules\nAll checks passed!\n", {0, {}}).errors);
  EXPECT_FALSE(parse_lint("sh: 1: eslint: not found\nAll checks passed!\n", {0, {}}).errors);
  EXPECT_EQ(parse_lint("[]", {0, {}}).errors, 0);
  EXPECT_FALSE(parse_lint("[]", {2, {}}).errors);
}

TEST(LintClean, ACrashMakesTheFindingsWorthless) {
  const auto r =
      parse_lint("a.py:1:1: F401 'os' imported but unused\nTraceback (most recent call last):\n", {1, {}});
  EXPECT_FALSE(r.errors);
  EXPECT_EQ(r.outcome, model::LintOutcome::crashed);
  const auto s = parse_lint("a.py:1:1: F401 'os' imported but unused\n", {{}, 11});
  EXPECT_FALSE(s.errors);
  EXPECT_EQ(s.outcome, model::LintOutcome::crashed);
}

TEST(LintFormat, OnlyTheToolAskedForCounts) {
  const std::string text =
      "a.py:2: error: bad  [x]\nFound 1 error in 1 file (checked 1 source file)\n"
      "b.py:1:1: F401 'os' imported but unused\nb.py:2:1: F401 'sys' imported but unused\n";
  const auto read = [&text](std::string_view format) {
    Hints hints;
    hints.format = format;
    return parse_lint(text, {1, {}}, hints);
  };
  EXPECT_EQ(read("mypy").errors, 1);
  EXPECT_EQ(read("flake8").errors, 2);
  EXPECT_EQ(read("flake8").format, "flake8");
  EXPECT_EQ(read("auto").errors, 3);
  EXPECT_FALSE(read("phpcs").errors);
  EXPECT_EQ(read("phpcs").confidence, model::Confidence::none);
  Hints hints;
  hints.format = "phpcs";
  EXPECT_FALSE(parse_lint(text, {0, {}}, hints).errors);
}

// Lines of other programs that only look like places.
TEST(LintUnknown, NothingIsInvented) {
  for (const std::string_view line :
       {"10:30 main error: x", "Started 10:30 something", "10:30:01 INFO: started", "127.0.0.1:8080 is up",
        "INFO:12:30 text", "http://example.org:80/a: gone", "registry.npmjs.org:443: refused",
        "/usr/lib/python3/x.py:3: DeprecationWarning: old", "    at f (/repo/a.js:1:2)",
        "2026-01-01T10:12:30 error: x", "Tests:       2 failed, 6 passed, 8 total", "3 of 5 files", "error",
        "warning", "a: b: c"}) {
    const auto r = parse_lint(std::string(line) + "\n", {1, {}});
    EXPECT_FALSE(r.errors) << line;
    EXPECT_EQ(r.confidence, model::Confidence::none) << line;
  }
}

TEST(LintEvidence, NamesTheLinesBelieved) {
  const auto r = parse_lint(
      "\n> lint\n> flake8\n\na.py:1:1: F401 'os' imported but unused\nx\na.py:2:1: W291 trailing\n", {1, {}});
  EXPECT_EQ(r.evidence, (std::vector<std::int64_t>{5, 7}));
}

}  // namespace
}  // namespace hydra::parsers
