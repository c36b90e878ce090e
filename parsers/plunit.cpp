// SWI-Prolog's plunit: dots and messages a unit, then lines with the figures; the passed tests come last.
#include "parsers/formats.hpp"
#include "parsers/marks.hpp"
#include "parsers/scan.hpp"

namespace hydra::parsers {
namespace {

/// The figures above the last line of a run; `errors` are assertions. What is flagged FIXME and what is
/// blocked counts neither way.
bool take(Figures& f, std::string_view line) {
  if (line == "one test is blocked:") f.skipped = f.skipped.value_or(0) + 1;
  return line == "one test is blocked:" || match(lint_line<"{skipped} tests are blocked:">(), line, f) ||
         match(lint_line<"{failed} test{s} failed">(), line, f) ||
         match(lint_line<"{errors} assertion{s} failed">(), line, f) ||
         match(lint_line<"all {skipped} tests flagged FIXME failed">(), line, f) ||
         match(lint_line<"FIXME: {skipped} failed; {skipped}{any}">(), line, f);
}

/// "All 3 tests passed", "3 tests passed" (some failed), "test passed"; newer versions add the CPU time.
bool passed_by_blocks(Figures& f, std::string_view line) {
  if (match(lint_line<"test passed{? ({any}}">(), line, f)) f.passed = 1;
  return f.passed || match(lint_line<"All {passed} test{s} passed{? ({any}}">(), line, f) ||
         match(lint_line<"{passed} test{s} passed{? ({any}}">(), line, f);
}

}  // namespace

void find_plunit(const Input& in, std::vector<TestSegment>& out) {
  OpenRun run("plunit", out);
  Figures f;
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    auto line = in.lines[i];
    if (!eat(line, "% ")) continue;
    line = trim_end(line);
    if (line.starts_with("PL-Unit: ")) {
      run.at(i);
      continue;
    }
    if (!run || take(f, line)) continue;
    const bool none = line == "No tests to run";
    if (!none && !passed_by_blocks(f, line)) continue;
    auto& r = run.ends(i + 1, counts(f.passed.value_or(0), f.failed.value_or(0), f.skipped.value_or(0), 0));
    if (f.errors.value_or(0) > 0) {  // several of them may be one test's, which is not among the failed ones
      r.counts.failed.reset();
      r.counts.total.reset();
      r.outcome = "tests_failed";
    }
    if (none) r.outcome = "no_tests";
    f = {};
  }
  run.cut(in.lines.size());
}

}  // namespace hydra::parsers
