// Alcotest (OCaml) and tasty (Haskell): a mark a test and one summary line.
#include "parsers/marks.hpp"
#include "parsers/scan.hpp"

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

struct Verdict {
  std::int64_t failed = 0, ran = 0;
};

/// "1 failure! in 0.000s. 3 tests run.", "Test Successful in 0.001s. 3 tests run."
std::optional<Verdict> alcotest_summary(std::string_view line) {
  Verdict v;
  if (!eat(line, "Test Successful in ")) {
    const auto n = eat_number(line);
    if (!n || (!eat(line, " failure") && !eat(line, " error"))) return std::nullopt;
    eat(line, "s");
    if (!eat(line, "! in ")) return std::nullopt;
    v.failed = *n;
  }
  if (!eat_decimal(line) || !eat(line, "s. ")) return std::nullopt;
  const auto ran = eat_number(line);
  if (!ran || (line != " tests run." && line != " test run.")) return std::nullopt;
  v.ran = *ran;
  return v;
}

// ---- tasty -----------------------------------------------------------------------------------------------

/// "1 out of 3 tests failed (0.00s)", "All 3 tests passed (0.00s)".
std::optional<Verdict> tasty_summary(std::string_view line) {
  Verdict v;
  const bool all = eat(line, "All ");
  const auto n = eat_number(line);
  if (!n) return std::nullopt;
  if (all) {
    if (!eat(line, " tests passed (") && !eat(line, " test passed (")) return std::nullopt;
    v.ran = *n;
  } else {
    if (!eat(line, " out of ")) return std::nullopt;
    const auto ran = eat_number(line);
    if (!ran || *ran < *n || (!eat(line, " tests failed (") && !eat(line, " test failed (")))
      return std::nullopt;
    v = {*n, *ran};
  }
  return eat_decimal(line) && line == "s)" ? std::optional(v) : std::nullopt;
}

}  // namespace

void find_alcotest(const Input& in, std::vector<TestSegment>& out) {
  std::optional<std::size_t> begin;
  std::vector<model::TestCase> tests;
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    const auto line = in.lines[i];
    if (line.starts_with("Testing `") || line.starts_with("Testing ‘")) {
      if (begin) out.push_back(unfinished_run("alcotest", *begin, i));
      begin = i;
      tests.clear();
    } else if (!begin) {
      continue;
    } else if (auto t = alcotest_test(line)) {
      tests.push_back(std::move(*t));
    } else if (const auto v = alcotest_summary(line)) {
      auto seg = ended_run("alcotest", *begin, i + 1);
      auto& r = seg.report;
      const auto skipped = count_of(tests, TestStatus::skipped);
      const bool apart = v->ran + skipped == static_cast<std::int64_t>(tests.size());
      const auto passed = v->ran - v->failed - (apart ? 0 : skipped);
      r.counts = counts(std::max<std::int64_t>(0, passed), v->failed, skipped, 0);
      if (*r.counts.total == 0) r.outcome = "no_tests";
      take_names(r, std::move(tests));
      out.push_back(std::move(seg));
      begin.reset();
      tests.clear();
    }
  }
  if (begin) out.push_back(unfinished_run("alcotest", *begin, in.lines.size()));
}

void find_tasty(const Input& in, std::vector<TestSegment>& out) {
  std::optional<std::size_t> begin;
  std::vector<model::TestCase> tests;
  Titles titles;
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    auto line = in.lines[i];
    if (const auto v = begin ? tasty_summary(line) : std::nullopt) {
      auto seg = ended_run("tasty", *begin, i + 1);
      auto& r = seg.report;
      r.counts = counts(v->ran - v->failed, v->failed, 0, 0);
      if (v->ran == 0) r.outcome = "no_tests";
      take_names(r, std::move(tests));
      out.push_back(std::move(seg));
      begin.reset();
      tests.clear();
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
      if (!begin) begin = i;
      titles.at(indent);
      tests.push_back(
          {titles.path(line.substr(0, colon)), verdict == "OK" ? TestStatus::passed : TestStatus::failed});
    } else {
      titles.push(indent, line);
    }
  }
}

}  // namespace hydra::parsers
