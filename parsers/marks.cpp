#include "parsers/marks.hpp"

#include "parsers/scan.hpp"

#include <algorithm>

namespace hydra::parsers {

using model::TestStatus;

bool eat_mark(std::string_view& s, std::string_view mark) {
  auto rest = s;
  if (!eat(rest, mark) || eat_blanks(rest) == 0) return false;
  s = rest;
  return true;
}

std::int64_t count_of(const std::vector<model::TestCase>& tests, TestStatus status) {
  return std::count_if(tests.begin(), tests.end(), [status](const auto& t) { return t.status == status; });
}

model::TestCounts counts_of_tests(const std::vector<model::TestCase>& tests) {
  return counts(count_of(tests, TestStatus::passed), count_of(tests, TestStatus::failed),
                count_of(tests, TestStatus::skipped), count_of(tests, TestStatus::error));
}

std::optional<std::int64_t> ran_in_unittest(std::string_view line) {
  if (!eat(line, "Ran ")) return std::nullopt;
  const auto n = eat_number(line);
  if (!n || (!eat(line, " tests in ") && !eat(line, " test in ")) || !eat_decimal(line) || line != "s")
    return std::nullopt;
  return n;
}

void drop_timings(std::vector<model::TestCase>& tests, std::size_t (*timing)(std::string_view)) {
  bool any = false;
  for (const auto& t : tests) {
    if (timing(t.name) > 0)
      any = true;
    else if (t.status != TestStatus::skipped)
      return;
  }
  if (!any) return;
  for (auto& t : tests) t.name.resize(t.name.size() - timing(t.name));
}

void take_names(model::TestReport& r, std::vector<model::TestCase> tests) {
  const auto c = counts_of_tests(tests);
  const bool same = c.passed == r.counts.passed && c.failed == r.counts.failed &&
                    c.skipped == r.counts.skipped && c.errors == r.counts.errors;
  if (same) r.tests = std::move(tests);
}

namespace {

TestSegment run_of(std::string_view format, std::size_t begin, std::size_t end, int confidence) {
  TestSegment seg;
  seg.begin = begin;
  seg.end = end;
  seg.confidence = confidence;
  seg.report.format = format;
  return seg;
}

/// A run that came to its end without a test.
TestSegment ended_run(std::string_view format, std::size_t begin, std::size_t end, std::string_view outcome,
                      const model::TestCounts& figures) {
  auto seg = run_of(format, begin, end, 40);
  seg.report.complete = true;
  seg.report.outcome = outcome;
  seg.report.counts = figures;
  return seg;
}

}  // namespace

TestSegment unfinished_run(std::string_view format, std::size_t begin, std::size_t end) {
  return run_of(format, begin, end, 20);
}

TestSegment unbuilt_run(std::string_view format, std::size_t begin, std::size_t end) {
  return ended_run(format, begin, end, "build_failed", {0, 0, 0, std::nullopt, std::nullopt});
}

TestSegment empty_run(std::string_view format, std::size_t begin, std::size_t end) {
  return ended_run(format, begin, end, "no_tests", counts(0, 0, 0, 0));
}

}  // namespace hydra::parsers
