// For runners that nobody described: a last line with counts in words, or a list of marks. Asked only where
// no other parser found anything; low confidence.
#include "base/strings.hpp"
#include "parsers/marks.hpp"
#include "parsers/summaries.hpp"
#include "parsers/words.hpp"

#include <algorithm>
#include <array>

namespace hydra::parsers {
namespace {

using model::TestStatus;

constexpr std::size_t kLongest = 300;  ///< a longer line is no summary

/// One part of a list: "3 passed", "passed: 3", "Passed=3", "3 tests passed", "# of failures: 2".
std::optional<std::pair<Meaning, std::int64_t>> part_of(std::string_view s) {
  s = trim(s);
  while (eat(s, "#") || eat(s, "*") || eat(s, "-")) eat_blanks(s);
  if (s.empty()) return std::nullopt;
  if (is_digit(s[0])) {
    const auto n = eat_number(s);
    if (!n) return std::nullopt;
    eat_blanks(s);
    for (const std::string_view noun : {"tests ", "test ", "specs ", "spec ", "examples ", "example ",
                                        "scenarios ", "scenario ", "test cases ", "cases ", "checks "}) {
      auto rest = s;
      if (!eat(rest, noun)) continue;
      eat(rest, "have ");
      eat(rest, "were ");
      if (const auto m = meaning_of(rest)) return std::pair(*m, *n);
    }
    const auto m = meaning_of(s);
    return m ? std::optional(std::pair(*m, *n)) : std::nullopt;
  }
  const auto sign = s.find_first_of(":=");
  if (sign == std::string_view::npos) return std::nullopt;
  auto value = s.substr(sign + 1);
  eat_blanks(value);
  const auto n = eat_number(value);
  if (!n || !is_blank(value)) return std::nullopt;
  auto word = trim(s.substr(0, sign));
  eat(word, "Tests ");
  eat(word, "tests ");
  const auto m = meaning_of(word);
  return m ? std::optional(std::pair(*m, *n)) : std::nullopt;
}

/// Drops "Tests:", "FAILED.", "Summary:" and the like from the begin of a line, and brackets round the rest.
void take_headline(std::string_view& line) {
  for (const std::string_view head : {"Tests:",
                                      "Test results:",
                                      "Test Results:",
                                      "Results:",
                                      "Result:",
                                      "Summary:",
                                      "Total:",
                                      "Test summary:",
                                      "Test Summary:",
                                      "Tests -",
                                      "Ran",
                                      "FAILED",
                                      "FAIL",
                                      "OK",
                                      "ok",
                                      "PASSED",
                                      "Failure!",
                                      "Success!",
                                      "Done:",
                                      "Finished:"}) {
    auto rest = line;
    if (!eat(rest, head)) continue;
    if (eat(rest, ". ") || eat(rest, ": ") || eat(rest, " - ")) {
    }
    const bool blank = eat_blanks(rest) > 0 || rest.size() + head.size() < line.size();
    // "Tests: 5, Failures: 2" begins with a part of its own, and "passed" is no headline.
    auto digits = rest;
    if (!blank || (eat_number(digits) && (digits.empty() || digits[0] == ','))) continue;
    auto bare = rest;
    if (eat(bare, "(") && eat_end(bare, ")")) rest = bare;
    line = rest;
    return;
  }
}

/// A whole line as a list of parts, with a headline before it and a duration behind it.
std::optional<Figures> line_of(std::string_view line) {
  if (line.size() > kLongest) return std::nullopt;
  line = trim(line);
  while (!line.empty() &&
         (line.front() == '=' || line.front() == '-' || line.front() == '*' || line.front() == ' '))
    line.remove_prefix(1);
  while (!line.empty() && (line.back() == '=' || line.back() == '-' || line.back() == '*' ||
                           line.back() == ' ' || line.back() == '.' || line.back() == '!'))
    line.remove_suffix(1);
  for (const std::string_view time : {" in ", " (", "; finished in "})
    if (const auto at = line.rfind(time); at != std::string_view::npos) {
      auto rest = line.substr(at + time.size());
      if (eat_decimal(rest) && (rest.starts_with("s") || rest.starts_with("ms") || rest.starts_with(" s") ||
                                rest.starts_with(" ms") || rest.starts_with("m"))) {
        line = trim_end(line.substr(0, at));
        break;
      }
    }
  for (int k = 0; k < 2; ++k) take_headline(line);
  if (line.empty()) return std::nullopt;
  const std::string_view separator = contains(line, ", ")    ? ","
                                     : contains(line, " | ") ? "|"
                                     : contains(line, " / ") ? "/"
                                     : contains(line, "; ")  ? ";"
                                                             : ",";
  Figures f;
  int kinds = 0;
  for (std::size_t parts = 0;; ++parts) {
    const auto end = line.find(separator);
    auto part = line.substr(0, end);
    const auto p = part_of(part);
    if (!p || parts > 12) return std::nullopt;
    if (p->first != Meaning::nothing) ++kinds;
    add(f, p->first, p->second);
    if (end == std::string_view::npos) break;
    line.remove_prefix(end + separator.size());
  }
  // One figure says too little: "3 errors" is any tool's line.
  if (kinds < 2 || (!f.passed && !f.total)) return std::nullopt;
  return f;
}

/// "[PASS] name", "✓ name", "name ... ok": what lists of tests look like.
std::optional<model::TestCase> mark_of(std::string_view line) {
  if (line.size() > kLongest) return std::nullopt;
  line = trim(line);
  const std::array<std::pair<std::string_view, TestStatus>, 24> marks{
      {{"✓ ", TestStatus::passed},        {"✔ ", TestStatus::passed},
       {"√ ", TestStatus::passed},        {"✗ ", TestStatus::failed},
       {"✘ ", TestStatus::failed},        {"✖ ", TestStatus::failed},
       {"✕ ", TestStatus::failed},        {"❌ ", TestStatus::failed},
       {"✅ ", TestStatus::passed},        {"[PASS] ", TestStatus::passed},
       {"[PASSED] ", TestStatus::passed}, {"[ OK ] ", TestStatus::passed},
       {"[OK] ", TestStatus::passed},     {"[FAIL] ", TestStatus::failed},
       {"[FAILED] ", TestStatus::failed}, {"[ERROR] ", TestStatus::error},
       {"[SKIP] ", TestStatus::skipped},  {"[SKIPPED] ", TestStatus::skipped},
       {"PASS: ", TestStatus::passed},    {"PASSED: ", TestStatus::passed},
       {"FAIL: ", TestStatus::failed},    {"FAILED: ", TestStatus::failed},
       {"SKIP: ", TestStatus::skipped},   {"SKIPPED: ", TestStatus::skipped}}};
  for (const auto& [mark, status] : marks)
    if (eat(line, mark))
      return line.empty() ? std::nullopt
                          : std::optional(model::TestCase{std::string(without_duration(line)), status});
  const std::array<std::pair<std::string_view, TestStatus>, 9> ends{{{" ... ok", TestStatus::passed},
                                                                     {" ... OK", TestStatus::passed},
                                                                     {" ... passed", TestStatus::passed},
                                                                     {" ... PASSED", TestStatus::passed},
                                                                     {" ... FAILED", TestStatus::failed},
                                                                     {" ... FAIL", TestStatus::failed},
                                                                     {" ... failed", TestStatus::failed},
                                                                     {" ... skipped", TestStatus::skipped},
                                                                     {" ... SKIPPED", TestStatus::skipped}}};
  for (const auto& [end, status] : ends)
    if (eat_end(line, end)) return model::TestCase{std::string(line), status};
  return std::nullopt;
}

constexpr std::size_t kMostMarks = 200'000;

}  // namespace

void find_generic(const Input& in, std::vector<TestSegment>& out) {
  if (!out.empty()) return;
  std::optional<std::size_t> at, failing_at, first_mark;
  std::optional<Tally> last, failing;
  std::size_t marks_end = 0;
  std::vector<model::TestCase> tests;
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    const auto line = in.lines[i];
    if (const auto f = line_of(line)) {
      auto t = tally(*f);
      if (!t || !t->adds_up) continue;
      if (*t->counts.failed + *t->counts.errors > 0) {
        failing = t;
        failing_at = i;
      }
      last = std::move(t);
      at = i;
    } else if (auto m = tests.size() < kMostMarks ? mark_of(line) : std::nullopt) {
      if (!first_mark) first_mark = i;
      marks_end = i + 1;
      tests.push_back(std::move(*m));
    }
  }
  TestSegment seg;
  seg.confidence = 30;
  auto& r = seg.report;
  if (last) {
    const bool failed = in.exit.exit_code.value_or(0) != 0;
    const bool earlier = failing && *failing_at != *at && *last->counts.failed + *last->counts.errors == 0;
    const bool use = earlier && failed;
    r = finished("generic", use ? *failing : *last);
    seg.begin = use ? *failing_at : *at;
    seg.end = seg.begin + 1;
    if (earlier) r.suspicious.emplace_back("an earlier summary has failed tests, the last one has none");
    const auto marked = counts_of_tests(tests);
    if (*marked.failed + *marked.errors > 0 && *r.counts.failed + *r.counts.errors == 0)
      r.suspicious.emplace_back("the summary has no failures, but failed tests are listed");
    take_names(r, std::move(tests));
  } else if (tests.size() >= 2 && in.exit.exit_code) {
    // Marks without a summary prove nothing about the end of the run: only failures that agree with the exit
    // code are believed, and never as a complete result.
    const auto c = counts_of_tests(tests);
    r.format = "generic";
    r.complete = false;
    if (*c.failed + *c.errors > 0) {
      r.counts.failed = *c.failed + *c.errors;
      r.outcome = "tests_failed";
    }
    seg.begin = *first_mark;
    seg.end = marks_end;
  } else {
    return;
  }
  out.push_back(std::move(seg));
}

}  // namespace hydra::parsers
