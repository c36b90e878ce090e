// GoogleTest and CTest.
#include "parsers/formats.hpp"
#include "parsers/marks.hpp"
#include "parsers/scan.hpp"

#include <map>

namespace hydra::parsers {
namespace {

using model::TestOutcome;
using model::TestStatus;

/// Reads "[==========] Running 7 tests from …" or "[==========] 7 tests from 3 test suites ran."
std::optional<std::int64_t> bar(std::string_view line, bool running) {
  Figures f;
  if (running)
    match(lint_line<"[==========] Running {total} test{s} from {any}">(), line, f);
  else
    match(lint_line<"[==========] {total} test{s} from {any} ran.{any}">(), line, f);
  return f.total;
}

struct GoogleRun {
  std::size_t begin = 0;
  std::int64_t announced = 0;
  bool open = false, ended = false;
  bool brief = false;  ///< --gtest_brief: no start line, and only tests that did not pass are named
  std::int64_t total = 0, passed = 0, skipped = 0, failed = 0;
  std::string current;
  std::vector<model::TestCase> tests;
};

void google_result(GoogleRun& g, std::string_view line) {
  if (eat(line, "[ RUN      ] ")) {
    g.current = line;
    return;
  }
  // A print without a line end hides the result further right; the announced name proves the result.
  const std::pair<std::string_view, TestStatus> marks[] = {{"[       OK ] ", TestStatus::passed},
                                                           {"[  FAILED  ] ", TestStatus::failed},
                                                           {"[  SKIPPED ] ", TestStatus::skipped}};
  for (const auto& [mark, status] : marks) {
    const auto at = line.find(mark);
    if (at == std::string_view::npos || g.current.empty()) continue;
    auto rest = line.substr(at + mark.size());
    if (!eat(rest, g.current) || (!rest.starts_with(" (") && !rest.starts_with(", where "))) continue;
    g.tests.push_back({g.current, status});
    g.current.clear();
    return;
  }
}

void google_totals(GoogleRun& g, std::string_view line) {
  Figures f;
  if (match(lint_line<"[  PASSED  ] {passed} test{s}{any}">(), line, f))
    g.passed = *f.passed;
  else if (match(lint_line<"[  SKIPPED ] {skipped} test{s}{any}">(), line, f))
    g.skipped = *f.skipped;
  else if (match(lint_line<"[  FAILED  ] {failed} test{s}{any}">(), line, f))
    g.failed = *f.failed;
}

void google_close(GoogleRun& g, std::size_t end, std::vector<TestSegment>& out) {
  if (!g.open) return;
  auto seg = run_of("googletest", g.begin, end, 60);
  auto& r = seg.report;
  r.complete = g.ended;
  if (g.ended) {
    const auto failed = std::max(g.failed, g.total - g.passed - g.skipped);
    r.counts = counts(g.passed, failed, g.skipped, 0);
    if (*r.counts.total != g.total) r.suspicious.emplace_back("the figures of the summary do not add up");
    if (g.total == 0) r.outcome = TestOutcome::no_tests;
    r.tests = std::move(g.tests);
    keep_complete_names(r);
  } else {  // figures up to the point where the run stopped
    r.counts.passed = count_of(g.tests, TestStatus::passed);
    r.counts.skipped = count_of(g.tests, TestStatus::skipped);
  }
  out.push_back(std::move(seg));
  g = {};
}

/// "3/8 Test #3: bad ......***Failed    0.01 sec" -> number and test.
std::optional<std::pair<std::int64_t, model::TestCase>> ctest_of(std::string_view line) {
  Fields f;
  if (!match(lint_line<"{indent}{number}/{number} Test {indent}#{total}: {message}">(), line, f))
    return std::nullopt;
  const auto dots = f.message.find(" ..");
  const auto word = dots == std::string_view::npos ? dots : f.message.find_first_not_of('.', dots + 1);
  if (word == std::string_view::npos) return std::nullopt;
  const auto verdict = f.message.substr(word);
  auto status = TestStatus::failed;
  if (verdict.starts_with("   Passed")) status = TestStatus::passed;
  if (contains(verdict, "***Skipped") || contains(verdict, "***Not Run (Disabled)"))
    status = TestStatus::skipped;
  return std::pair(*f.total, model::TestCase{std::string(f.message.substr(0, dots)), status});
}

}  // namespace

void find_googletest(const Input& in, std::vector<TestSegment>& out) {
  GoogleRun g;
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    const auto line = in.lines[i];
    if (const auto n = bar(line, true)) {
      google_close(g, i, out);
      g = {};
      g.open = true;
      g.begin = i;
      g.announced = *n;
    } else if (line.starts_with("Running main() from ") && contains(line, "gtest_main")) {
      google_close(g, i, out);
      g.begin = i;
      g.brief = true;
    } else if (!g.open && !g.brief) {
      continue;
    } else if (const auto ran = bar(line, false)) {
      if (g.brief && !g.open) {
        g.open = true;
        g.announced = *ran;
      }
      // A test may print such a line; the real line is the last, and its total equals the announced one.
      if (*ran == g.announced) {
        g.ended = true;
        g.total = *ran;
        g.passed = g.failed = g.skipped = 0;
      }
    } else if (g.ended) {
      google_totals(g, line);
    } else {
      google_result(g, line);
    }
  }
  google_close(g, in.lines.size(), out);
}

void find_ctest(const Input& in, std::vector<TestSegment>& out) {
  OpenRun run("ctest", out);
  std::map<std::int64_t, model::TestCase> tests;  // --repeat prints a test again: the last result counts
  std::size_t end = 0;
  bool ended = false, none = false;
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    const auto line = in.lines[i];
    if (auto t = ctest_of(line)) {
      tests[t->first] = std::move(t->second);
      ended = false;
    } else if (contains(line, "% tests passed, ") && contains(line, " failed out of ")) {
      ended = true;
    } else if (line.starts_with("No tests were found!!!")) {
      none = true;
    } else {
      continue;
    }
    run.at(i);
    end = i + 1;
  }
  if (tests.empty() && !none) return;
  for (auto& [number, t] : tests) run.tests.push_back(std::move(t));
  auto& r = run.ends(end, counts_of_tests(run.tests), 65);
  r.complete = ended || none;
  if (!r.complete) r.counts.total.reset();
}

}  // namespace hydra::parsers
