// Report files beside the text of the same command: the report has the better figures; the text and the exit
// code decide whether the report is credible.
#include "parsers/registry.hpp"

#include <algorithm>

namespace hydra::parsers {
namespace {

using model::LintReport;
using model::ParsedTests;
using model::TestOutcome;

constexpr std::string_view kUnread = "exit_code_only";

/// Calls `read` with each report; the returned problem, or that of the file, goes to `problems`.
template <class Read>
void each(std::span<const Report> reports, std::vector<std::string>& problems, Read read) {
  for (const auto& report : reports) {
    const auto problem = report.problem.empty() ? std::string_view(read(report)) : report.problem;
    if (!problem.empty())
      problems.push_back("report " + std::string(report.name) + ": " + std::string(problem));
  }
}

/// Returns the contradictions of a report and the output beside it. Passed and skipped tests, and failed
/// tests and errors, are compared together, since formats draw those lines at different places.
std::vector<std::string> compare(const ParsedTests& report, const ParsedTests& text) {
  // Packages are not tests (H21 of docs/scoring.md), so their counts cannot be compared.
  if (text.format == kUnread || text.format == "go-packages") return {};
  if (!text.complete) return {"a report, but the test run in the output has no end"};
  std::vector<std::string> out;
  const auto hold = [&out](const auto& mine, const auto& other, const char* what) {
    if (mine && other && *mine != *other)
      out.push_back("the report has " + std::to_string(*mine) + " " + what + ", the output " +
                    std::to_string(*other));
  };
  const auto &a = report.counts, &b = text.counts;
  hold(plus_known(a.failed, a.errors), plus_known(b.failed, b.errors), "failed tests");
  hold(plus_known(a.passed, a.skipped), plus_known(b.passed, b.skipped), "tests that did not fail");
  return out;
}

/// Returns the report with `problems` among its contradictions.
template <class Any>
Any held(Any report, const std::vector<std::string>& problems) {
  auto& all = report.suspicious;
  for (const auto& problem : problems)
    if (std::find(all.begin(), all.end(), problem) == all.end()) all.push_back(problem);
  if (!all.empty()) report.confidence = std::min(report.confidence, model::Confidence::low);
  return report;
}

}  // namespace

ParsedTests parse_tests(std::string_view output, const ExitFacts& exit, const Hints& hints,
                        std::span<const Report> reports) {
  auto text = parse_tests(output, exit, hints);
  if (reports.empty()) return text;
  std::vector<std::string> problems;
  const auto sum_of = [&](const ExitFacts& known) {
    ParsedTests sum;
    problems.clear();
    each(reports, problems, [&](const Report& report) {
      auto read = parse_tests(report.text, known, Hints{{}, "auto", hints.root, {}, {}, true});
      if (read.format == kUnread) return "no known format";
      const bool cut = !read.complete;
      for (auto& range : read.evidence) range.format += " in " + std::string(report.name);
      add_report(sum, std::move(read));
      return cut ? "it has no end" : "";
    });
    return sum;
  };
  ParsedTests sum = sum_of(exit);
  auto& result = sum.format.empty() ? text : sum;
  if (!sum.format.empty()) {
    if (sum.outcome == TestOutcome::tests_failed || sum.outcome == TestOutcome::partial) sum.outcome = {};
    if (sum.outcome == TestOutcome::passed &&
        (text.outcome == TestOutcome::crashed || text.outcome == TestOutcome::build_failed ||
         text.outcome == TestOutcome::partial))
      sum.outcome = text.outcome;
    auto found = compare(sum, text);
    // The output may count each try of a test; without an exit code no tries are joined.
    if (!found.empty()) found = compare(sum_of({}), text);
    // The exit code is compared with the report, whose tries are joined.
    if (found.empty() && text.exit_disagrees) text.suspicious.pop_back();
    for (const auto* more : {&found, &text.suspicious})
      problems.insert(problems.end(), more->begin(), more->end());
    hold_against_exit(sum, exit);
  }
  return held(std::move(result), problems);
}

LintReport parse_lint(std::string_view output, const ExitFacts& exit, const Hints& hints,
                      std::span<const Report> reports) {
  auto text = parse_lint(output, exit, hints);
  if (reports.empty()) return text;
  std::vector<std::string> problems;
  std::optional<LintReport> sum;
  each(reports, problems, [&](const Report& report) {
    auto read = parse_lint(report.text, {}, Hints{{}, "auto", {}, {}, {}, true});
    if (!read.errors || !read.warnings || (read.format == "clean" && !report.text.empty()))
      return "no known format";
    if (!sum) {
      sum = std::move(read);
      return "";
    }
    join(sum->format, read.format);
    sum->errors = plus_known(sum->errors, read.errors);
    sum->warnings = plus_known(sum->warnings, read.warnings);
    sum->complete = sum->complete && read.complete;
    sum->confidence = std::min(sum->confidence, read.confidence);
    sum->findings.insert(sum->findings.end(), read.findings.begin(), read.findings.end());
    sum->suspicious.insert(sum->suspicious.end(), read.suspicious.begin(), read.suspicious.end());
    return "";
  });
  auto& result = sum ? *sum : text;
  if (sum) {
    if (exit.signal) problems.emplace_back("a report, but the command was ended by a signal");
    // The text beside a report is often a summary alone, or empty: silence is no contradiction.
    const auto found = *sum->errors + *sum->warnings;
    const auto printed = text.errors && text.warnings ? *text.errors + *text.warnings : 0;
    if (printed > 0 && found == 0)
      problems.push_back("the report has no findings, the output " + std::to_string(printed));
    if (found == 0 && exit.exit_code.value_or(0) != 0)
      problems.push_back("exit code " + std::to_string(*exit.exit_code) + " without a finding in the report");
  }
  return held(std::move(result), problems);
}

}  // namespace hydra::parsers
