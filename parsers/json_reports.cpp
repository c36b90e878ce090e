// Test reports that are one JSON document: jest and vitest, mocha, mochawesome, RSpec, pytest-json-report.
#include "base/strings.hpp"
#include "parsers/formats.hpp"
#include "parsers/json_read.hpp"
#include "parsers/marks.hpp"
#include "parsers/reports.hpp"
#include "parsers/scan.hpp"

#include <algorithm>
#include <array>

namespace hydra::parsers {
namespace {

using model::ParsedTests;
using model::TestOutcome;
using model::TestStatus;
using nlohmann::json;

TestStatus by_word(const std::string& word) { return status_of_word(word).value_or(TestStatus::skipped); }

/// The list of tests is the truth; other figures in the head are a contradiction. `total`: the head's number
/// of tests, `outside`: errors that no test of the list has.
void take_list(ParsedTests& r, std::vector<model::TestCase> tests, std::int64_t total, std::int64_t outside) {
  if (!tests.empty()) {
    const auto said = plus_known(r.counts.failed, r.counts.errors);
    r.counts = counts_of_tests(tests);
    r.counts.errors = *r.counts.errors + outside;
    if (total != std::ssize(tests) || said != plus_known(r.counts.failed, r.counts.errors))
      r.suspicious.emplace_back("the figures of the report do not add up");
    r.tests = std::move(tests);
    keep_complete_names(r);
  }
  if (outside > 0) r.counts.total.reset();
}

/// vitest has no figure for suites that could not run: such a suite has failed and lists no tests.
std::int64_t suites_without_tests(const json& j) {
  const auto& suites = array_in(j, "testResults");
  return std::count_if(suites.begin(), suites.end(), [](const json& s) {
    return text_in(s, "status") == "failed" && array_in(s, "assertionResults").empty();
  });
}

bool jest(const json& j, ParsedTests& r) {
  if (!j.contains("numTotalTests")) return false;
  r.format = "jest";
  const auto broken = j.contains("numRuntimeErrorTestSuites") ? number_in(j, "numRuntimeErrorTestSuites")
                                                              : suites_without_tests(j);
  r.counts = counts(number_in(j, "numPassedTests"), number_in(j, "numFailedTests"),
                    number_in(j, "numPendingTests") + number_in(j, "numTodoTests"), broken);
  std::vector<model::TestCase> tests;
  for (const auto& f : array_in(j, "testResults"))
    for (const auto& t : array_in(f, "assertionResults"))
      tests.push_back({text_in(t, "fullName"), by_word(text_in(t, "status"))});
  take_list(r, std::move(tests), number_in(j, "numTotalTests"), broken);
  if (number_in(j, "numTotalTests") == 0 && broken == 0) r.outcome = TestOutcome::no_tests;
  if (json_member(j, "success") == false && *r.counts.failed + broken == 0) {
    // No list contains an error outside of all suites.
    r.counts.errors = std::max<std::int64_t>(1, number_in(j, "numFailedTestSuites"));
    r.counts.total.reset();
    r.outcome = {};
    r.tests.clear();
  }
  return true;
}

bool mocha(const json& j, ParsedTests& r) {
  const auto& stats = object_in(j, "stats");
  if (!stats.contains("passes") || !stats.contains("failures")) return false;
  r.format = "mocha";
  r.counts = counts(number_in(stats, "passes"), number_in(stats, "failures"),
                    number_in(stats, "pending") + number_in(stats, "skipped"), 0);
  const std::pair<const char*, TestStatus> groups[] = {
      {"passes", TestStatus::passed}, {"failures", TestStatus::failed}, {"pending", TestStatus::skipped}};
  std::vector<model::TestCase> tests;
  for (const auto& [key, status] : groups)
    for (const auto& t : array_in(j, key)) tests.push_back({text_in(t, "fullTitle"), status});
  take_list(r, std::move(tests), *r.counts.total, 0);
  if (r.counts.total == 0) r.outcome = TestOutcome::no_tests;
  return true;
}

bool rspec(const json& j, ParsedTests& r) {
  const auto& s = object_in(j, "summary");
  if (!s.contains("example_count")) return false;
  r.format = "rspec";
  const auto failed = number_in(s, "failure_count"), skipped = number_in(s, "pending_count");
  const auto outside = number_in(s, "errors_outside_of_examples_count");
  const auto all = number_in(s, "example_count");
  r.counts = counts(std::max<std::int64_t>(0, all - failed - skipped), failed, skipped, outside);
  if (all == 0) r.outcome = outside > 0 ? TestOutcome::build_failed : TestOutcome::no_tests;
  std::vector<model::TestCase> tests;
  for (const auto& t : array_in(j, "examples"))
    tests.push_back({text_in(t, "full_description"), by_word(text_in(t, "status"))});
  take_list(r, std::move(tests), all, outside);
  return true;
}

bool pytest_json(const json& j, ParsedTests& r) {
  const auto& s = object_in(j, "summary");
  if (!j.contains("exitcode") || !s.contains("total")) return false;
  r.format = "pytest";
  r.counts = counts(number_in(s, "passed") + number_in(s, "xpassed"), number_in(s, "failed"),
                    number_in(s, "skipped") + number_in(s, "xfailed"), number_in(s, "error"));
  std::vector<model::TestCase> tests;
  for (const auto& t : array_in(j, "tests"))
    tests.push_back({text_in(t, "nodeid"), by_word(text_in(t, "outcome"))});
  std::int64_t unloadable = 0;
  for (const auto& c : array_in(j, "collectors")) unloadable += json_text(c, "outcome") == "failed" ? 1 : 0;
  r.counts.errors = *r.counts.errors + unloadable;
  if (tests.empty() && unloadable > 0)
    r.outcome = TestOutcome::build_failed;
  else if (r.counts.total == 0)
    r.outcome = TestOutcome::no_tests;
  take_list(r, std::move(tests), number_in(s, "total"), unloadable);
  if (number_in(j, "exitcode") == 2) r.complete = false;  // interrupted
  return true;
}

using Read = bool (*)(const json& j, ParsedTests& r);
constexpr std::array<Read, 4> kReportReaders{jest, rspec, pytest_json, mocha};

}  // namespace

std::optional<TestStatus> status_of_word(std::string_view word) {
  const auto w = to_lower(word.substr(0, 40));
  if (among<"status_passed">(w)) return TestStatus::passed;
  if (among<"status_failed">(w)) return TestStatus::failed;
  if (among<"status_error">(w)) return TestStatus::error;
  if (among<"status_skipped">(w)) return TestStatus::skipped;
  return std::nullopt;
}

bool read_test_json(std::string_view text, model::ParsedTests& report) {
  const auto j = read_json(text);
  report.complete = true;
  return j.is_object() && std::any_of(kReportReaders.begin(), kReportReaders.end(),
                                      [&](const Read read) { return read(j, report); });
}

}  // namespace hydra::parsers
