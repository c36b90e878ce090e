// vitest: " Test Files" and "Tests" lines, groups separated by bars, names from the verbose reporter.
#include "parsers/marks.hpp"
#include "parsers/scan.hpp"

namespace hydra::parsers {
namespace {

using model::TestOutcome;

std::optional<std::vector<Count>> vitest_labelled(std::string_view line, std::string_view label) {
  if (eat_blanks(line) == 0 || !eat(line, label) || eat_blanks(line) == 0) return std::nullopt;
  line = trim_end(line);
  if (line == "no tests") return std::vector<Count>{};
  const auto open = line.rfind(" (");
  if (open == std::string_view::npos || !line.ends_with(')')) return std::nullopt;
  return counts_of(line.substr(0, open), "|");
}

/// Returns the number in brackets at the end of the "Tests" line.
std::int64_t announced_of(std::string_view line) {
  line = trim_end(line);
  const auto open = line.rfind(" (");
  if (open == std::string_view::npos) return 0;
  return leading_number(line.substr(open + 2));
}

/// Removes " (retry x1)", which stands before or after the duration.
void drop_times(std::string& line, std::string_view mark) {
  const auto at = line.rfind(mark);
  if (at == std::string::npos) return;
  std::string_view rest(line);
  rest.remove_prefix(at + mark.size());
  if (eat_number(rest) && eat(rest, ")") && (rest.empty() || rest.starts_with(' ')))
    line.erase(at, line.size() - at - rest.size());
}

std::optional<model::TestCase> vitest_test(std::string_view line) {
  if (!contains(line, " > ")) return std::nullopt;
  std::string plain;
  if (contains(line, " x")) {
    plain = trim_end(line);
    drop_times(plain, " (repeat x");
    drop_times(plain, " (retry x");
    line = plain;
  }
  auto test = case_of("vitest", line);
  if (!test || !contains(test->name, " > ")) return std::nullopt;
  if (test->name.ends_with(" [skipped]")) test->name.resize(test->name.size() - 10);
  return test;
}

void finish(TestSegment& seg, const std::vector<Count>& files, const std::vector<Count>& tests,
            std::int64_t errors, std::int64_t announced) {
  auto& r = seg.report;
  r.complete = true;
  r.counts = counts(sum_of(tests, {"passed", "expected fail"}), sum_of(tests, {"failed"}),
                    sum_of(tests, {"skipped", "todo"}), errors);
  if (errors > 0) r.counts.total.reset();
  if (announced > *r.counts.passed + *r.counts.failed + *r.counts.skipped) {  // --bail
    r.counts.total.reset();
    r.outcome = TestOutcome::partial;
  }
  if (*r.counts.failed == 0 && sum_of(files, {"failed"}) > 0 && errors == 0) {
    r.counts.errors = sum_of(files, {"failed"});
    r.counts.total.reset();
  }
  if (tests.empty() && files.empty()) r.outcome = TestOutcome::no_tests;
  keep_complete_names(r);
}

}  // namespace

void find_vitest(const Input& in, std::vector<TestSegment>& out) {
  std::optional<TestSegment> open;
  std::vector<Count> files, tests;
  std::int64_t errors = 0, announced = 0;
  bool summary = false;
  const auto close = [&](std::size_t end) {
    if (!open) return;
    open->end = end;
    open->confidence = summary ? 60 : 20;
    if (summary) finish(*open, files, tests, errors, announced);
    out.push_back(std::move(*open));
    open.reset();
  };
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    const auto line = in.lines[i];
    if (line.starts_with(" RUN  v") || line.starts_with(" DEV  v") || line.starts_with("RUN  v")) {
      close(i);
      open.emplace();
      open->begin = i;
      open->report.format = "vitest";
      summary = false;
      errors = 0;
    } else if (!open) {
      continue;
    } else if (auto f = vitest_labelled(line, "Test Files"); f && i + 1 < in.lines.size()) {
      if (auto t = vitest_labelled(in.lines[i + 1], "Tests")) {
        files = std::move(*f);
        tests = std::move(*t);
        announced = announced_of(in.lines[i + 1]);
        summary = true;
      }
    } else if (summary && trim_end(line).starts_with("     Errors  ")) {
      errors += leading_number(line.substr(13));
    } else if (contains(line, " Failed Suites ") && line.starts_with("⎯")) {
      errors = leading_number(line.substr(line.find(" Failed Suites ") + 15));
    } else if (line.starts_with("No test files found, exiting with code ")) {
      files.clear();
      tests.clear();
      summary = true;
    } else if (auto t = vitest_test(line)) {
      open->report.tests.push_back(std::move(*t));
    }
  }
  close(in.lines.size());
}

}  // namespace hydra::parsers
