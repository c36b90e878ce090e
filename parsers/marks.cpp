#include "parsers/marks.hpp"

#include "parsers/formats.hpp"
#include "parsers/scan.hpp"

#include <algorithm>

namespace hydra::parsers {

using model::TestOutcome;
using model::TestStatus;

std::int64_t count_of(const std::vector<model::TestCase>& tests, TestStatus status) {
  return std::count_if(tests.begin(), tests.end(), [status](const auto& t) { return t.status == status; });
}

model::TestCounts counts_of_tests(const std::vector<model::TestCase>& tests) {
  return counts(count_of(tests, TestStatus::passed), count_of(tests, TestStatus::failed),
                count_of(tests, TestStatus::skipped), count_of(tests, TestStatus::error));
}

std::optional<std::int64_t> ran_in_unittest(std::string_view line) {
  Figures f;
  match(lint_line<"Ran {total} test{s} in {decimal}s">(), line, f);
  return f.total;
}

void take_names(model::ParsedTests& r, std::vector<model::TestCase> tests) {
  const auto c = counts_of_tests(tests);
  const bool same = c.passed == r.counts.passed && c.failed == r.counts.failed &&
                    c.skipped == r.counts.skipped && c.errors == r.counts.errors;
  if (same) r.tests = std::move(tests);
}

TestSegment run_of(std::string_view format, std::size_t begin, std::size_t end, int confidence) {
  TestSegment seg;
  seg.begin = begin;
  seg.end = end;
  seg.confidence = confidence;
  seg.report.format = format;
  return seg;
}

TestSegment segment_of(model::ParsedTests report, std::size_t begin, std::size_t end, int confidence) {
  auto seg = run_of({}, begin, end, confidence);
  seg.report = std::move(report);
  return seg;
}

TestSegment ended_run(std::string_view format, std::size_t begin, std::size_t end, int confidence) {
  auto seg = run_of(format, begin, end, confidence);
  seg.report.complete = true;
  return seg;
}

std::optional<model::TestCase> case_of(std::string_view format, std::string_view line) {
  const auto rows = test_data().cases.find(format);
  if (rows == test_data().cases.end()) return std::nullopt;
  const auto found = [](const CaseRow& row, std::string_view name) {
    return model::TestCase{std::string(row.timed ? without_duration(name) : name), row.status};
  };
  for (const auto& row : rows->second) {
    const auto ops = row.pattern.ops();
    const bool mark = ops.front().kind == Pattern::Op::text;
    if (mark && !line.starts_with(ops.front().literal)) continue;
    // Most rows are a mark and the name: long logs have hundreds of thousands of such lines.
    if (mark && ops.size() == 2 && ops.back().kind == Pattern::Op::name)
      return found(row, line.substr(ops.front().literal.size()));
    if (Fields f; row.pattern.match(line, f)) return found(row, f.name);
  }
  return std::nullopt;
}

model::ParsedTests& OpenRun::ends(std::size_t end, const model::TestCounts& counts, int confidence) {
  model::ParsedTests report;
  report.format = format_;
  report.complete = true;
  report.counts = counts;
  if (counts.total == 0) report.outcome = TestOutcome::no_tests;
  return ends(end, std::move(report), confidence);
}

model::ParsedTests& OpenRun::ends(std::size_t end, model::ParsedTests report, int confidence) {
  take_names(report, std::move(tests));
  out_.push_back(segment_of(std::move(report), begin_.value_or(end - 1), end, confidence));
  forget();
  return out_.back().report;
}

void OpenRun::cut(std::size_t end) {
  if (begin_) out_.push_back(unfinished_run(format_, *begin_, end));
  forget();
}

TestSegment unfinished_run(std::string_view format, std::size_t begin, std::size_t end) {
  return run_of(format, begin, end, 20);
}

TestSegment unbuilt_run(std::string_view format, std::size_t begin, std::size_t end) {
  auto seg = ended_run(format, begin, end, 40);
  seg.report.outcome = TestOutcome::build_failed;
  seg.report.counts = {0, 0, 0, std::nullopt, std::nullopt};
  return seg;
}

TestSegment empty_run(std::string_view format, std::size_t begin, std::size_t end) {
  auto seg = ended_run(format, begin, end, 40);
  seg.report.outcome = TestOutcome::no_tests;
  seg.report.counts = counts(0, 0, 0, 0);
  return seg;
}

}  // namespace hydra::parsers
