// Alcotest (OCaml) and tasty (Haskell): a mark a test and one summary line.
#include "parsers/marks.hpp"
#include "parsers/scan.hpp"
#include "parsers/summaries.hpp"

#include <algorithm>

namespace hydra::parsers {
namespace {

using model::TestStatus;

/// "  [OK]          math          0   ok." -> "math > ok".
std::optional<model::TestCase> alcotest_test(std::string_view line) {
  if (!eat(line, "> ") && !eat(line, "  ")) return std::nullopt;
  TestStatus status = TestStatus::passed;
  if (eat(line, "[FAIL]"))
    status = TestStatus::failed;
  else if (eat(line, "[SKIP]"))
    status = TestStatus::skipped;
  else if (!eat(line, "[OK]"))
    return std::nullopt;
  if (eat_blanks(line) == 0) return std::nullopt;
  // The suite's name may hold blanks: the number of the test stands between runs of blanks.
  for (auto at = line.find("  "); at != std::string_view::npos; at = line.find("  ", at + 1)) {
    auto rest = line.substr(at);
    eat_blanks(rest);
    if (!eat_number(rest) || eat_blanks(rest) == 0) continue;
    rest = trim_end(rest);
    eat_end(rest, ".");
    return model::TestCase{std::string(trim_end(line.substr(0, at))) + " > " + std::string(rest), status};
  }
  return std::nullopt;
}

/// "1 failure! in 0.000s. 3 tests run.", "Test Successful in 0.001s. 3 tests run."
bool alcotest_summary(std::string_view line, Figures& f) {
  return match(lint_line<"Test Successful in {decimal}s. {ran} test{s} run.">(), line, f) ||
         match(lint_line<"{failed} failure{s}! in {decimal}s. {ran} test{s} run.">(), line, f) ||
         match(lint_line<"{failed} error{s}! in {decimal}s. {ran} test{s} run.">(), line, f);
}

/// "1 out of 3 tests failed (0.00s)", "All 3 tests passed (0.00s)".
std::optional<Tally> tasty_summary(std::string_view line) {
  Figures f;
  const bool told = match(lint_line<"All {ran} test{s} passed ({decimal}s)">(), line, f) ||
                    match(lint_line<"{failed} out of {ran} test{s} failed ({decimal}s)">(), line, f);
  return told ? tally(f) : std::nullopt;
}

}  // namespace

void find_alcotest(const Input& in, std::vector<TestSegment>& out) {
  OpenRun run("alcotest", out);
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    const auto line = in.lines[i];
    Figures f;
    if (line.starts_with("Testing `") || line.starts_with("Testing ‘")) {
      run.starts(i);
    } else if (!run) {
      continue;
    } else if (auto t = alcotest_test(line)) {
      run.tests.push_back(std::move(*t));
    } else if (alcotest_summary(line, f)) {
      const auto skipped = count_of(run.tests, TestStatus::skipped), failed = f.failed.value_or(0);
      const bool apart = *f.ran + skipped == std::ssize(run.tests);
      const auto passed = *f.ran - failed - (apart ? 0 : skipped);
      run.ends(i + 1, counts(std::max<std::int64_t>(0, passed), failed, skipped, 0));
    }
  }
  run.cut(in.lines.size());
}

void find_tasty(const Input& in, std::vector<TestSegment>& out) {
  OpenRun run("tasty", out);
  Titles titles;
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    auto line = in.lines[i];
    if (const auto t = run ? tasty_summary(line) : std::nullopt) {
      run.ends(i + 1, finished("tasty", *t));
      titles.clear();
      continue;
    }
    const auto indent = eat_blanks(line);
    if (line.empty()) continue;
    const auto colon = line.rfind(':');
    auto verdict = colon == std::string_view::npos ? std::string_view{} : line.substr(colon + 1);
    eat_blanks(verdict);
    verdict = without_duration(verdict);
    if (verdict == "OK" || verdict == "FAIL") {
      titles.at(indent);
      run.lists(
          i, {titles.path(line.substr(0, colon)), verdict == "OK" ? TestStatus::passed : TestStatus::failed});
    } else {
      titles.push(indent, line);
    }
  }
}

}  // namespace hydra::parsers
