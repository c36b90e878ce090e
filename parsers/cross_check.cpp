// Report files beside the text of the same command: the report has the better figures; the text and the exit
// code decide whether the report is credible.
#include "parsers/registry.hpp"

#include <algorithm>

namespace hydra::parsers {
namespace {

using model::LintReport;
using model::TestReport;

constexpr std::string_view kUnread = "exit_code_only";

std::string about(const Report& report, std::string_view what) {
  return "report " + std::string(report.name) + ": " + std::string(what);
}

void join(std::string& format, const std::string& more) {
  if (format.empty())
    format = more;
  else if (("+" + format + "+").find("+" + more + "+") == std::string::npos)
    format += "+" + more;
}

void add(TestReport& sum, TestReport more) {
  if (sum.format.empty()) {
    sum = std::move(more);
    return;
  }
  join(sum.format, more.format);
  // An empty report must not cost the names of the other reports.
  const auto empty = [](const TestReport& r) { return r.counts.total == 0 && r.tests.empty(); };
  if (empty(sum)) {
    sum.tests = std::move(more.tests);
  } else if (!empty(more)) {
    if (sum.tests.empty() || more.tests.empty())
      sum.tests.clear();
    else
      sum.tests.insert(sum.tests.end(), more.tests.begin(), more.tests.end());
  }
  add_report(sum, more);
}

/// Compares passed plus skipped and failed plus errors, since formats draw those lines at different places.
void compare(TestReport& report, const TestReport& text) {
  // Packages are not tests (H21 of docs/scoring.md), so their counts cannot be compared.
  if (text.format == kUnread || text.format == "go-packages") return;
  const auto bad = plus_known(report.counts.failed, report.counts.errors);
  const auto good = plus_known(report.counts.passed, report.counts.skipped);
  const auto text_bad = plus_known(text.counts.failed, text.counts.errors);
  const auto text_good = plus_known(text.counts.passed, text.counts.skipped);
  const auto say = [&](std::int64_t mine, std::int64_t other, const char* what) {
    report.suspicious.push_back("the report has " + std::to_string(mine) + " " + what + ", the output " +
                                std::to_string(other));
  };
  if (!text.complete) {
    report.suspicious.emplace_back("a report, but the test run in the output has no end");
    return;
  }
  if (bad && text_bad && *bad != *text_bad) say(*bad, *text_bad, "failed tests");
  if (good && text_good && *good != *text_good) say(*good, *text_good, "tests that did not fail");
  report.suspicious.insert(report.suspicious.end(), text.suspicious.begin(), text.suspicious.end());
}

void unique(std::vector<std::string>& texts) {
  std::vector<std::string> out;
  for (auto& t : texts)
    if (std::find(out.begin(), out.end(), t) == out.end()) out.push_back(std::move(t));
  texts = std::move(out);
}

}  // namespace

TestReport parse_tests(std::string_view output, const ExitFacts& exit, const Hints& hints,
                       std::span<const Report> reports) {
  auto text = parse_tests(output, exit, hints);
  if (reports.empty()) return text;
  std::vector<std::string> problems;
  TestReport sum;
  for (const auto& report : reports) {
    if (!report.problem.empty()) {
      problems.push_back(about(report, report.problem));
      continue;
    }
    auto read = parse_tests(report.text, {}, Hints{{}, "auto", hints.root, {}, {}, true});
    if (read.format == kUnread) {
      problems.push_back(about(report, "no known format"));
      continue;
    }
    if (!read.complete) problems.push_back(about(report, "it has no end"));
    for (auto& range : read.evidence) range.format += " in " + std::string(report.name);
    add(sum, std::move(read));
  }
  auto& result = sum.format.empty() ? text : sum;
  if (!sum.format.empty()) {
    sum.outcome = sum.outcome == "tests_failed" || sum.outcome == "partial" ? "" : sum.outcome;
    if (sum.outcome.empty() &&
        (text.outcome == "crashed" || text.outcome == "build_failed" || text.outcome == "partial"))
      sum.outcome = text.outcome;
    compare(sum, text);
    hold_against_exit(sum, exit);
  }
  result.suspicious.insert(result.suspicious.end(), problems.begin(), problems.end());
  unique(result.suspicious);
  if (!result.suspicious.empty()) result.confidence = std::min(result.confidence, model::Confidence::low);
  return result;
}

LintReport parse_lint(std::string_view output, const ExitFacts& exit, const Hints& hints,
                      std::span<const Report> reports) {
  auto text = parse_lint(output, exit, hints);
  if (reports.empty()) return text;
  std::vector<std::string> problems;
  std::optional<LintReport> sum;
  for (const auto& report : reports) {
    if (!report.problem.empty()) {
      problems.push_back(about(report, report.problem));
      continue;
    }
    auto read = parse_lint(report.text, {}, Hints{{}, "auto", {}, {}, {}, true});
    if (!read.errors || !read.warnings || (read.format == "clean" && !report.text.empty())) {
      problems.push_back(about(report, "no known format"));
      continue;
    }
    if (!sum) {
      sum = std::move(read);
      continue;
    }
    join(sum->format, read.format);
    sum->errors = plus_known(sum->errors, read.errors);
    sum->warnings = plus_known(sum->warnings, read.warnings);
    sum->complete = sum->complete && read.complete;
    sum->confidence = std::min(sum->confidence, read.confidence);
    sum->findings.insert(sum->findings.end(), read.findings.begin(), read.findings.end());
    sum->suspicious.insert(sum->suspicious.end(), read.suspicious.begin(), read.suspicious.end());
  }
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
  result.suspicious.insert(result.suspicious.end(), problems.begin(), problems.end());
  unique(result.suspicious);
  if (!result.suspicious.empty()) result.confidence = std::min(result.confidence, model::Confidence::low);
  return result;
}

}  // namespace hydra::parsers
