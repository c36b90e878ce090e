// Gradle.
#include "parsers/marks.hpp"
#include "parsers/scan.hpp"
#include "parsers/summaries.hpp"

#include <algorithm>

namespace hydra::parsers {
namespace {

using model::TestOutcome;

/// "ATest > bad() FAILED", "Gradle Test Run :test > Gradle Test Executor 1 > ATest > ok() PASSED".
std::optional<model::TestCase> gradle_test(std::string_view line) {
  if (line.empty() || line[0] == ' ') return std::nullopt;
  if (line.starts_with("> Task ") || !contains(line, " > ")) return std::nullopt;
  auto test = case_of("gradle", line);
  if (!test || !contains(test->name, " > ")) return std::nullopt;
  if (test->name.starts_with("Gradle Test Run "))
    for (int k = 0; k < 2; ++k)
      if (const auto at = test->name.find(" > "); at != std::string::npos) test->name.erase(0, at + 3);
  return test;
}

/// "5 tests completed, 1 failed, 1 skipped".
std::optional<model::TestCounts> gradle_completed(std::string_view line) {
  const auto c = counts_of(line, ",");
  if (!c || !one_of(c->front().what, {"tests completed", "test completed"})) return std::nullopt;
  const auto failed = sum_of(*c, {"failed"}), skipped = sum_of(*c, {"skipped"});
  if (c->front().n < failed + skipped) return std::nullopt;
  return counts(c->front().n - failed - skipped, failed, skipped, 0);
}

struct Gradle {
  std::optional<std::size_t> begin;
  std::size_t end = 0;
  bool test_ran = false, compile_failed = false, success = false, failure = false, test_failed = false,
       empty = false, reused = false;
  std::vector<model::TestCase> tests;
  std::optional<model::TestCounts> completed;  ///< sum over the projects whose tests failed
};

/// "> Task :app:test FAILED" -> "app:test", " FAILED".
void gradle_task(Gradle& g, std::string_view task) {
  const auto blank = task.find(' ');
  const auto name = task.substr(0, blank);
  const auto state = blank == std::string_view::npos ? std::string_view{} : trim_end(task.substr(blank + 1));
  const auto last = name.substr(name.rfind(':') == std::string_view::npos ? 0 : name.rfind(':') + 1);
  if (last.starts_with("compile") && state == "FAILED") g.compile_failed = true;
  const bool tests =
      last == "test" || last.ends_with("Test") || last.ends_with("UnitTest") || last.starts_with("test");
  if (!tests || last.ends_with("Classes") || last.starts_with("compile") || last.starts_with("process"))
    return;
  if (state == "NO-SOURCE" || state == "SKIPPED")
    g.empty = true;
  else if (state == "UP-TO-DATE" || state == "FROM-CACHE")
    g.reused = true;
  else
    g.test_ran = true;
  if (state == "FAILED") g.test_failed = true;
}

void gradle_finish(Gradle& g, std::vector<TestSegment>& out) {
  auto seg = run_of("gradle", *g.begin, g.end, 60);
  auto& r = seg.report;
  r.complete = g.success || g.failure;
  const auto listed = counts_of_tests(g.tests);
  if (g.completed) {
    r.counts = *g.completed;
    // The list covers other projects' tests only if the build lists passed tests.
    if (*listed.passed > 0 && *listed.total > *r.counts.total) r.counts = listed;
    take_names(r, std::move(g.tests));
  } else if (*listed.passed > 0) {
    r.counts = listed;
    r.tests = std::move(g.tests);
  } else if (g.failure && (g.compile_failed || !g.test_ran)) {
    r.outcome = TestOutcome::build_failed;
    r.counts = {0, 0, 0, std::nullopt, std::nullopt};
  } else if (g.success && (g.test_ran || g.reused)) {
    r.counts.failed = r.counts.errors = 0;  // Gradle does not print how many passed
  } else if (g.success && g.empty) {
    r.outcome = TestOutcome::no_tests;
    r.counts = counts(0, 0, 0, 0);
  } else if (*listed.failed > 0) {
    r.counts.failed = listed.failed;
  } else {
    r.complete = false;
  }
  if (g.failure && g.compile_failed && r.outcome == TestOutcome::passed) {
    r.outcome = TestOutcome::build_failed;
    r.counts.total.reset();
  }
  out.push_back(std::move(seg));
  g = {};
}

}  // namespace

void find_gradle(const Input& in, std::vector<TestSegment>& out) {
  Gradle g;
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    auto line = in.lines[i];
    if (eat(line, "> Task :")) {
      gradle_task(g, line);
    } else if (line.starts_with("BUILD SUCCESSFUL in ") || line.starts_with("BUILD FAILED in ")) {
      if (!g.begin) continue;
      (line.starts_with("BUILD SUCC") ? g.success : g.failure) = true;
      g.end = i + 1;
      gradle_finish(g, out);
      continue;
    } else if (const auto c = gradle_completed(line)) {
      if (g.completed)
        add_counts(*g.completed, *c);
      else
        g.completed = *c;
    } else if (auto t = gradle_test(line)) {
      g.tests.push_back(std::move(*t));
    } else if (line.starts_with("Execution failed for task ':") && contains(line, ":compile")) {
      g.compile_failed = true;
    } else {
      continue;
    }
    if (!g.begin) g.begin = i;
    g.end = i + 1;
  }
  if (g.begin && (!g.tests.empty() || g.test_failed))
    out.push_back(unfinished_run("gradle", *g.begin, in.lines.size()));
}

}  // namespace hydra::parsers
