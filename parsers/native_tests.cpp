// GoogleTest, CTest and Boost.Test.
#include "parsers/marks.hpp"
#include "parsers/scan.hpp"

#include <map>

namespace hydra::parsers {
namespace {

using model::TestStatus;

/// "[==========] Running 7 tests" / "[==========] 7 tests from 3 test suites ran."
std::optional<std::int64_t> bar(std::string_view line, bool running) {
  if (!eat(line, "[==========] ") || eat(line, "Running ") != running) return std::nullopt;
  const auto n = eat_number(line);
  if (!n || (!line.starts_with(" tests from ") && !line.starts_with(" test from "))) return std::nullopt;
  if (!running && !contains(line, " ran.")) return std::nullopt;
  return n;
}

struct GoogleRun {
  std::size_t begin = 0;
  std::int64_t announced = 0;
  bool open = false, ended = false;
  bool brief = false;  ///< --gtest_brief: no start line, and only what did not pass is named
  std::int64_t total = 0, passed = 0, skipped = 0, failed = 0;
  std::string current;
  std::vector<model::TestCase> tests;
};

void google_result(GoogleRun& g, std::string_view line) {
  if (eat(line, "[ RUN      ] ")) {
    g.current = line;
    return;
  }
  // A print without a line end hides the result further right; the announced name makes it real.
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
  const std::pair<std::string_view, std::int64_t*> totals[] = {
      {"[  PASSED  ] ", &g.passed}, {"[  SKIPPED ] ", &g.skipped}, {"[  FAILED  ] ", &g.failed}};
  for (const auto& [mark, value] : totals) {
    auto rest = line;
    if (!eat(rest, mark)) continue;
    const auto n = eat_number(rest);
    if (n && (rest.starts_with(" test.") || rest.starts_with(" tests.") || rest.starts_with(" test,") ||
              rest.starts_with(" tests,")))
      *value = *n;
  }
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
    if (g.total == 0) r.outcome = "no_tests";
    r.tests = std::move(g.tests);
    keep_complete_names(r);
  } else {
    std::int64_t passed = 0, skipped = 0;
    for (const auto& t : g.tests) {
      passed += t.status == TestStatus::passed ? 1 : 0;
      skipped += t.status == TestStatus::skipped ? 1 : 0;
    }
    r.counts.passed = passed;  // as far as the run came
    r.counts.skipped = skipped;
  }
  out.push_back(std::move(seg));
  g = GoogleRun{};
}

/// "3/8 Test #3: bad ......***Failed    0.01 sec" -> number, name, status.
struct CtestLine {
  std::int64_t number = 0;
  std::string_view name;
  TestStatus status = TestStatus::failed;
};

std::optional<CtestLine> ctest_of(std::string_view line) {
  eat_blanks(line);
  if (!eat_number(line) || !eat(line, "/") || !eat_number(line) || !eat(line, " Test ")) return std::nullopt;
  eat_blanks(line);
  CtestLine out;
  if (!eat(line, "#")) return std::nullopt;
  const auto n = eat_number(line);
  if (!n || !eat(line, ": ")) return std::nullopt;
  out.number = *n;
  const auto dots = line.find(" ..");
  const auto word = dots == std::string_view::npos ? dots : line.find_first_not_of('.', dots + 1);
  if (word == std::string_view::npos) return std::nullopt;
  out.name = line.substr(0, dots);
  const auto verdict = line.substr(word);
  if (verdict.starts_with("   Passed")) out.status = TestStatus::passed;
  if (contains(verdict, "***Skipped") || contains(verdict, "***Not Run (Disabled)"))
    out.status = TestStatus::skipped;
  return out;
}

}  // namespace

void find_googletest(const Input& in, std::vector<TestSegment>& out) {
  GoogleRun g;
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    const auto line = in.lines[i];
    if (const auto n = bar(line, true)) {
      google_close(g, i, out);
      g = GoogleRun{};
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
      // A test may print such a line; the real one is the last, and its total is the announced one.
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
  TestSegment seg;
  std::map<std::int64_t, model::TestCase> tests;  // --repeat prints a test again: its last result counts
  std::optional<std::size_t> begin;
  bool ended = false, none = false;
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    const auto line = in.lines[i];
    if (const auto t = ctest_of(line)) {
      tests[t->number] = {std::string(t->name), t->status};
      ended = false;
    } else if (contains(line, "% tests passed, ") && contains(line, " failed out of ")) {
      ended = true;
    } else if (line.starts_with("No tests were found!!!")) {
      none = true;
    } else {
      continue;
    }
    if (!begin) begin = i;
    seg.end = i + 1;
  }
  if (!begin || (tests.empty() && !none)) return;
  seg.begin = *begin;
  seg.confidence = 65;
  auto& r = seg.report;
  r.format = "ctest";
  r.complete = ended || none;
  std::int64_t n[4] = {0, 0, 0, 0};
  for (auto& [number, t] : tests) {
    ++n[static_cast<int>(t.status)];
    r.tests.push_back(std::move(t));
  }
  r.counts = counts(n[0], n[1], n[2], 0);
  if (!r.complete) r.counts.total.reset();
  if (r.tests.empty()) r.outcome = "no_tests";
  out.push_back(std::move(seg));
}

// Boost.Test says by default how many test cases it runs and, at its end, whether an error was detected; the
// counts of a report level above that are rows of the summaries' table.
void find_boost(const Input& in, std::vector<TestSegment>& out) {
  std::optional<std::int64_t> running;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    auto line = trim_end(in.lines[i]);
    if (line.size() > 1000) continue;
    if (eat(line, "Running ")) {
      const auto n = eat_number(line);
      if (!n || (line != " test cases..." && line != " test case...")) continue;
      running = n;
      begin = i;
      continue;
    }
    if (!running || !eat(line, "*** ")) continue;
    auto seg = run_of("boost-test", begin, i + 1, 40);
    auto& r = seg.report;
    if (line == "No errors detected") {
      r.complete = true;
      r.counts.passed = running;
      r.counts.failed = r.counts.errors = 0;  // disabled test cases are not told
    } else if (eat_number(line) && (line.starts_with(" failure is detected in the test module ") ||
                                    line.starts_with(" failures are detected in the test module "))) {
      // Failures are those of assertions: nothing is known of the test cases but that some failed.
      r.outcome = "tests_failed";
    } else {
      continue;
    }
    running.reset();
    out.push_back(std::move(seg));
  }
}

}  // namespace hydra::parsers
