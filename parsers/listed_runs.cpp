// Runners whose result stands in a list of tests and a plain closing line: GNU Autotest, Kyua, subunit
// version 1, pytest-sugar.
#include "parsers/formats.hpp"
#include "parsers/marks.hpp"
#include "parsers/scan.hpp"

#include <map>

namespace hydra::parsers {
namespace {

using model::TestCase;
using model::TestStatus;

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
  OpenRun run("autotest", out);
  bool results = false;
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    const auto line = in.lines[i];
    if (line.starts_with("## ") && line.ends_with(" test suite. ##")) {
      run.starts(i);
      results = false;
    } else if (run && line == "## Test results. ##") {
      results = true;
    } else if (run && results && autotest_closes(line)) {
      auto& r = run.ends(i + 1, counts_of_tests(run.tests), run.tests.empty() ? 40 : 60);
      if (!r.tests.empty() && line.starts_with("ERROR: ") != (*r.counts.failed > 0))
        r.suspicious.emplace_back("the list of tests and the result contradict each other");
    } else if (run && !results) {
      if (auto t = autotest_line(line)) run.tests.push_back(std::move(*t));
    }
  }
  run.cut(in.lines.size());
}

void find_kyua(const Input& in, std::vector<TestSegment>& out) {
  OpenRun run("kyua", out);
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    const auto line = in.lines[i];
    if (auto t = case_of("kyua", line)) {
      run.lists(i, std::move(*t));
      continue;
    }
    // "2/3 passed (1 failed)": skipped ones are among the passed, broken ones among the failed.
    Figures f;
    if (!run || !match(lint_line<"{passed}/{total} passed ({failed} failed)">(), line, f) ||
        *f.total != std::ssize(run.tests))
      continue;
    auto& r = run.ends(i + 1, counts_of_tests(run.tests));
    if (*r.counts.failed + *r.counts.errors != *f.failed)
      r.suspicious.emplace_back("the list of tests and the result contradict each other");
  }
  run.cut(in.lines.size());
}

void find_subunit(const Input& in, std::vector<TestSegment>& out) {
  std::map<std::string, std::int64_t, std::less<>> open;
  OpenRun run("subunit", out);
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
      run.at(i);
      if (run.tests.size() + open.size() < kMaxNames) ++open[std::string(line)];
      last = i + 1;
      continue;
    }
    auto test = run ? case_of("subunit", line) : std::nullopt;
    if (!test) continue;
    std::string_view name = test->name;
    inside = eat_end(name, " [ multipart") || eat_end(name, " [");
    const auto at = open.find(name);
    if (at == open.end()) {
      inside = false;  // printed by a test: no such test has begun
      continue;
    }
    if (--at->second == 0) open.erase(at);
    run.tests.push_back({std::string(name), test->status});
    last = i + 1;
  }
  if (!run) return;
  if (run.tests.empty() || !open.empty() || inside) return run.cut(last);
  run.ends(last, counts_of_tests(run.tests));
}

void find_sugar(const Input& in, std::vector<TestSegment>& out) {
  OpenRun run("pytest", out);
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    const auto line = in.lines[i];
    if (line.starts_with("Test session starts (platform: ")) run.anew(i);
    if (!run || !line.starts_with("Results (") || !line.ends_with("):")) continue;
    std::vector<Count> c;
    auto end = i + 1;
    for (; end < in.lines.size(); ++end) {
      auto row = in.lines[end];
      if (is_blank(row) || eat_blanks(row) == 0) break;
      if (row.starts_with("- ")) continue;
      const auto count = counts_of(row, "\n");
      if (!count || !one_of(count->front().what, {"passed", "xpassed", "failed", "skipped", "xfailed",
                                                  "error", "errors", "deselected", "rerun", "warnings"}))
        break;
      c.push_back(count->front());
    }
    if (c.empty()) continue;
    const auto errors = sum_of(c, {"error", "errors"});
    auto& r = run.ends(end, counts(sum_of(c, {"passed", "xpassed"}), sum_of(c, {"failed"}),
                                   sum_of(c, {"skipped", "xfailed"}), errors));
    // An error may be one of a test that also passed.
    if (errors > 0) r.counts.total.reset();
  }
  run.cut(in.lines.size());
}

}  // namespace hydra::parsers
