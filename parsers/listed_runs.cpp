// Runners whose result stands in a list of tests and a plain closing line: GNU Autotest, Kyua, subunit
// version 1, pytest-sugar.
#include "parsers/marks.hpp"
#include "parsers/scan.hpp"

#include <map>

namespace hydra::parsers {
namespace {

using model::TestCase;
using model::TestStatus;

TestSegment listed(std::string_view format, std::size_t begin, std::size_t end, std::vector<TestCase> tests) {
  auto seg = run_of(format, begin, end, 60);
  seg.report.complete = true;
  seg.report.counts = counts_of_tests(tests);
  seg.report.tests = std::move(tests);
  return seg;
}

// ---- Autotest --------------------------------------------------------------------------------------------

/// "  2: name     FAILED (s.at:6)".
std::optional<TestCase> autotest_line(std::string_view line) {
  if (eat_blanks(line) == 0 || !eat_number(line) || !eat(line, ": ")) return std::nullopt;
  struct Verdict {
    std::string_view word;
    TestStatus status;
  };
  static constexpr Verdict kVerdicts[] = {{" expected failure (", TestStatus::skipped},
                                          {" UNEXPECTED PASS", TestStatus::failed},
                                          {" FAILED (", TestStatus::failed},
                                          {" skipped (", TestStatus::skipped},
                                          {" ok", TestStatus::passed}};
  line = trim_end(line);
  for (const auto& v : kVerdicts) {
    const auto at = line.rfind(v.word);
    if (at == std::string_view::npos) continue;
    // Only a duration follows "ok".
    const auto rest = line.substr(at + v.word.size());
    if (v.status == TestStatus::passed && !is_blank(rest) &&
        rest.find_first_not_of(" ()0123456789msh.") != std::string_view::npos)
      continue;
    return TestCase{std::string(trim_end(line.substr(0, at))), v.status};
  }
  return std::nullopt;
}

bool autotest_closes(std::string_view line) {
  eat(line, "ERROR: ");
  if (eat(line, "All ")) return eat_number(line) && line.starts_with(" tests ");
  if (eat(line, "only ")) return true;
  return eat_number(line) && (line.starts_with(" test was ") || line.starts_with(" tests were ") ||
                              line.starts_with(" test behaved ") || line.starts_with(" tests behaved "));
}

}  // namespace

void find_autotest(const Input& in, std::vector<TestSegment>& out) {
  std::optional<std::size_t> begin;
  std::vector<TestCase> tests;
  bool results = false;
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    const auto line = in.lines[i];
    if (line.starts_with("## ") && line.ends_with(" test suite. ##")) {
      if (begin) out.push_back(unfinished_run("autotest", *begin, i));
      begin = i;
      tests.clear();
      results = false;
    } else if (begin && line == "## Test results. ##") {
      results = true;
    } else if (begin && results && autotest_closes(line)) {
      if (tests.empty()) {
        out.push_back(empty_run("autotest", *begin, i + 1));
      } else {
        out.push_back(listed("autotest", *begin, i + 1, std::move(tests)));
        const auto& c = out.back().report.counts;
        if (line.starts_with("ERROR: ") != (c.failed.value_or(0) > 0))
          out.back().report.suspicious.emplace_back("the list of tests and the result contradict each other");
      }
      tests.clear();
      begin.reset();
    } else if (begin && !results) {
      if (auto t = autotest_line(line)) tests.push_back(std::move(*t));
    }
  }
  if (begin) out.push_back(unfinished_run("autotest", *begin, in.lines.size()));
}

void find_kyua(const Input& in, std::vector<TestSegment>& out) {
  std::vector<TestCase> tests;
  std::optional<std::size_t> begin;
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    auto line = in.lines[i];
    if (auto t = case_of("kyua", line)) {
      if (!begin) begin = i;
      tests.push_back(std::move(*t));
      continue;
    }
    // "2/3 passed (1 failed)": skipped ones are among the passed, broken ones among the failed.
    const auto passed = begin ? eat_number(line) : std::nullopt;
    if (!passed || !eat(line, "/")) continue;
    const auto total = eat_number(line);
    if (!total || !eat(line, " passed (")) continue;
    const auto failed = eat_number(line);
    if (!failed || line != " failed)" || *total != static_cast<std::int64_t>(tests.size())) continue;
    auto seg = listed("kyua", *begin, i + 1, std::move(tests));
    const auto& c = seg.report.counts;
    if (*c.failed + *c.errors != *failed)
      seg.report.suspicious.emplace_back("the list of tests and the result contradict each other");
    out.push_back(std::move(seg));
    tests.clear();
    begin.reset();
  }
  if (begin) out.push_back(unfinished_run("kyua", *begin, in.lines.size()));
}

void find_subunit(const Input& in, std::vector<TestSegment>& out) {
  std::map<std::string, std::int64_t, std::less<>> open;
  std::vector<TestCase> tests;
  std::optional<std::size_t> begin;
  std::size_t last = 0;
  bool inside = false;  // a traceback between "[ multipart" and "]"
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    auto line = in.lines[i];
    if (inside) {
      inside = line != "]";
      last = i + 1;
      continue;
    }
    if (eat(line, "test: ")) {
      if (!begin) begin = i;
      if (tests.size() + open.size() < kMaxNames) ++open[std::string(line)];
      last = i + 1;
      continue;
    }
    auto test = begin ? case_of("subunit", line) : std::nullopt;
    if (!test) continue;
    std::string_view name = test->name;
    inside = eat_end(name, " [ multipart") || eat_end(name, " [");
    const auto at = open.find(name);
    if (at == open.end()) {
      inside = false;  // printed by a test: no such test has begun
      continue;
    }
    if (--at->second == 0) open.erase(at);
    tests.push_back({std::string(name), test->status});
    last = i + 1;
  }
  if (!begin) return;
  if (tests.empty() || !open.empty() || inside) {
    out.push_back(unfinished_run("subunit", *begin, last));
    return;
  }
  out.push_back(listed("subunit", *begin, last, std::move(tests)));
}

void find_sugar(const Input& in, std::vector<TestSegment>& out) {
  std::optional<std::size_t> begin;
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    auto line = in.lines[i];
    if (line.starts_with("Test session starts (platform: ")) begin = i;
    if (!begin || !eat(line, "Results (") || !line.ends_with("):")) continue;
    std::int64_t n[4] = {0, 0, 0, 0};
    bool any = false;
    auto end = i + 1;
    for (; end < in.lines.size(); ++end) {
      auto row = in.lines[end];
      if (is_blank(row)) break;
      if (eat_blanks(row) == 0) break;
      if (row.starts_with("- ")) continue;
      const auto count = eat_number(row);
      if (!count || !eat(row, " ")) break;
      const auto word = trim_end(row);
      any = true;
      if (one_of(word, {"passed", "xpassed"}))
        n[0] += *count;
      else if (word == "failed")
        n[1] += *count;
      else if (one_of(word, {"skipped", "xfailed"}))
        n[2] += *count;
      else if (one_of(word, {"error", "errors"}))
        n[3] += *count;
      else if (!one_of(word, {"deselected", "rerun", "warnings"}))
        break;
    }
    if (!any) continue;
    auto seg = run_of("pytest", *begin, end, 60);
    seg.report.complete = true;
    seg.report.counts = counts(n[0], n[1], n[2], n[3]);
    // An error may be one of a test that also passed.
    if (n[3] > 0) seg.report.counts.total.reset();
    out.push_back(std::move(seg));
    begin.reset();
  }
  if (begin) out.push_back(unfinished_run("pytest", *begin, in.lines.size()));
}

}  // namespace hydra::parsers
