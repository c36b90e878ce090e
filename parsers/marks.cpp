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

void take_names(model::TestReport& r, std::vector<model::TestCase> tests) {
  const auto c = counts_of_tests(tests);
  const bool same = c.passed == r.counts.passed && c.failed == r.counts.failed &&
                    c.skipped == r.counts.skipped && c.errors == r.counts.errors;
  if (same) r.tests = std::move(tests);
}

TestSegment unfinished_run(std::string_view format, std::size_t begin, std::size_t end) {
  TestSegment seg;
  seg.begin = begin;
  seg.end = end;
  seg.confidence = 20;
  seg.report.format = format;
  return seg;
}

TestSegment unbuilt_run(std::string_view format, std::size_t begin, std::size_t end) {
  TestSegment seg;
  seg.begin = begin;
  seg.end = end;
  seg.confidence = 40;
  seg.report.format = format;
  seg.report.complete = true;
  seg.report.outcome = "build_failed";
  seg.report.counts = {0, 0, 0, std::nullopt, std::nullopt};
  return seg;
}

TestSegment empty_run(std::string_view format, std::size_t begin, std::size_t end) {
  TestSegment seg;
  seg.begin = begin;
  seg.end = end;
  seg.confidence = 40;
  seg.report.format = format;
  seg.report.complete = true;
  seg.report.outcome = "no_tests";
  seg.report.counts = counts(0, 0, 0, 0);
  return seg;
}

}  // namespace hydra::parsers
