// SWI-Prolog's plunit: dots and messages a unit, then lines with the figures; the passed tests come last.
#include "parsers/marks.hpp"
#include "parsers/scan.hpp"

namespace hydra::parsers {
namespace {

/// The figures above the last line of a run.
struct PlunitFigures {
  std::int64_t failed = 0, skipped = 0, assertions = 0;
};

/// "3 tests failed" -> 3, where `rest` is what follows the number.
std::optional<std::int64_t> number_before(std::string_view line,
                                          std::initializer_list<std::string_view> rest) {
  const auto n = eat_number(line);
  return n && one_of(line, rest) ? n : std::nullopt;
}

/// What is flagged FIXME and what is blocked counts neither way.
bool take(PlunitFigures& f, std::string_view line) {
  if (line == "one test is blocked:") {
    ++f.skipped;
  } else if (const auto blocked = number_before(line, {" tests are blocked:"})) {
    f.skipped += *blocked;
  } else if (const auto failed = number_before(line, {" test failed", " tests failed"})) {
    f.failed += *failed;
  } else if (const auto asserted = number_before(line, {" assertion failed", " assertions failed"})) {
    f.assertions += *asserted;
  } else if (eat(line, "all ")) {
    if (const auto fixme = number_before(line, {" tests flagged FIXME failed"})) f.skipped += *fixme;
  } else if (eat(line, "FIXME: ")) {
    const auto flagged = eat_number(line);
    const auto passed = eat(line, " failed; ") ? eat_number(line) : std::nullopt;
    if (flagged && passed) f.skipped += *flagged + *passed;
  } else {
    return false;
  }
  return true;
}

/// "All 3 tests passed", "3 tests passed" (some failed), "test passed"; newer versions add the CPU time.
std::optional<std::int64_t> passed_by_blocks(std::string_view line) {
  if (const auto time = line.find(" ("); time != std::string_view::npos) line = line.substr(0, time);
  if (line == "test passed") return 1;
  eat(line, "All ");
  return number_before(line, {" tests passed", " test passed"});
}

}  // namespace

void find_plunit(const Input& in, std::vector<TestSegment>& out) {
  std::optional<std::size_t> begin;
  PlunitFigures f;
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    auto line = in.lines[i];
    if (!eat(line, "% ")) continue;
    line = trim_end(line);
    if (line.starts_with("PL-Unit: ")) {
      if (!begin) begin = i;
      continue;
    }
    if (!begin || take(f, line)) continue;
    const bool none = line == "No tests to run";
    const auto passed = none ? std::optional<std::int64_t>(0) : passed_by_blocks(line);
    if (!passed) continue;
    auto seg = ended_run("plunit", *begin, i + 1);
    auto& r = seg.report;
    r.counts = counts(*passed, f.failed, f.skipped, 0);
    if (f.assertions > 0) {  // several of them may be one test's, which is not among the failed ones
      r.counts.failed.reset();
      r.counts.total.reset();
      r.outcome = "tests_failed";
    }
    if (none) r.outcome = "no_tests";
    out.push_back(std::move(seg));
    begin.reset();
    f = {};
  }
  if (begin) out.push_back(unfinished_run("plunit", *begin, in.lines.size()));
}

}  // namespace hydra::parsers
