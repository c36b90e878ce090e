// Python's testtools, as its own runner prints it: "Tests running...", headings, "Ran 3 tests in 0.1s", and
// "OK" or "FAILED (failures=2)", where a failure may be an error. Skipped tests ran, and are not told.
#include "parsers/marks.hpp"
#include "parsers/scan.hpp"
#include "parsers/summaries.hpp"

namespace hydra::parsers {
namespace {

/// The number of failures that "OK" or "FAILED (failures=2)" tells.
std::optional<std::int64_t> failures_of(std::string_view line) {
  Figures f;
  if (line == "OK") return 0;
  match(lint_line<"FAILED (failures={failed})">(), line, f);
  return f.failed;
}

struct TesttoolsRun {
  std::size_t begin = 0, end = 0;
  std::int64_t errors = 0, failures = 0;  ///< headings above the last summary
  std::optional<std::int64_t> ran, bad;   ///< of the last summary
};

TestSegment segment(const TesttoolsRun& run, std::size_t lines) {
  if (!run.ran) return unfinished_run("testtools", run.begin, lines);
  auto seg = ended_run("testtools", run.begin, run.end, 65);  // above unittest's, whose headings these are
  auto& r = seg.report;
  r.counts.total = *run.ran;
  const bool told = run.errors + run.failures == *run.bad;
  if (told) r.counts.failed = run.failures, r.counts.errors = run.errors;
  if (!told) r.outcome = "tests_failed";
  if (*run.ran == 0 && *run.bad == 0) r.outcome = "no_tests";
  return seg;
}

}  // namespace

void find_testtools(const Input& in, std::vector<TestSegment>& out) {
  std::optional<TesttoolsRun> run;
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    const auto line = in.lines[i];
    if (line == "Tests running...") {
      if (run) out.push_back(segment(*run, i));
      run = TesttoolsRun{};
      run->begin = i;
    } else if (!run) {
      continue;
    } else if (i > 0 && only(in.lines[i - 1], '=', 70)) {
      run->errors += line.starts_with("ERROR: ") ? 1 : 0;
      run->failures += line.starts_with("FAIL: ") || line.starts_with("UNEXPECTED SUCCESS: ") ? 1 : 0;
    } else if (const auto ran = ran_in_unittest(line); ran && i + 1 < in.lines.size()) {
      // The last summary is the runner's own: a test may print one.
      const auto bad = failures_of(in.lines[i + 1]);
      if (!bad) continue;
      run->ran = *ran;
      run->bad = *bad;
      run->end = i + 2;
    }
  }
  if (run) out.push_back(segment(*run, in.lines.size()));
}

/// Twisted's: like unittest's, with a rule of 71 dashes.
void find_trial(const Input& in, std::vector<TestSegment>& out) {
  for (std::size_t i = 0; i + 3 < in.lines.size(); ++i) {
    Figures f;
    if (!only(in.lines[i], '-', 71) ||
        !match(tests_line<"Ran {total} test{?s} in {decimal}s">(), in.lines[i + 1], f))
      continue;
    auto line = trim_end(in.lines[i + 3]);
    const bool passed = eat(line, "PASSED");
    if (!passed && !eat(line, "FAILED")) continue;
    std::vector<Count> parts;
    if (eat(line, " (")) {
      eat_end(line, ")");
      auto c = assignments_of(line);
      if (!c) continue;
      parts = std::move(*c);
    }
    Figures g;
    g.passed = sum_of(parts, {"successes"});
    g.failed = sum_of(parts, {"failures", "unexpectedSuccesses"});
    g.errors = sum_of(parts, {"errors"});
    g.skipped = sum_of(parts, {"skips", "expectedFailures", "todos"});
    const auto t = tally(g);
    if (!t) continue;
    auto r = finished("trial", *t);
    if (*t->counts.total != *f.total && *t->counts.errors == 0)
      r.suspicious.emplace_back("the figures of the summary do not add up");
    // A module that can't be imported is an error outside of the tests that ran.
    if (*t->counts.total != *f.total) r.counts.total.reset();
    if (!passed && *t->counts.failed + *t->counts.errors == 0) r.counts.errors = 1;
    out.push_back(segment_of(std::move(r), i, i + 4, 65));
  }
}

}  // namespace hydra::parsers
