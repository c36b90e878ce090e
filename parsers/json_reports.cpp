// Test reports that are one JSON document: jest and vitest, mocha, mochawesome, RSpec, CTRF, Playwright,
// pytest-json-report, GoogleTest.
#include "parsers/json_read.hpp"
#include "parsers/marks.hpp"
#include "parsers/reports.hpp"
#include "parsers/scan.hpp"

#include <algorithm>
#include <array>

namespace hydra::parsers {
namespace {

using model::TestReport;
using model::TestStatus;
using nlohmann::json;

TestStatus by_word(const std::string& word) { return status_of_word(word).value_or(TestStatus::skipped); }

/// Counts what is listed.
void count_listed(TestReport& r) {
  r.counts = counts_of_tests(r.tests);
  if (r.tests.empty()) r.outcome = "no_tests";
}

/// vitest has no figure for suites that could not run: they failed, and no test of theirs is listed.
std::int64_t suites_without_tests(const json& j) {
  const auto& suites = array_in(j, "testResults");
  return std::count_if(suites.begin(), suites.end(), [](const json& s) {
    return text_in(s, "status") == "failed" && array_in(s, "assertionResults").empty();
  });
}

bool jest(const json& j, TestReport& r) {
  if (!j.contains("numTotalTests")) return false;
  r.format = "jest";
  const auto broken = j.contains("numRuntimeErrorTestSuites") ? number_in(j, "numRuntimeErrorTestSuites")
                                                              : suites_without_tests(j);
  r.counts = counts(number_in(j, "numPassedTests"), number_in(j, "numFailedTests"),
                    number_in(j, "numPendingTests") + number_in(j, "numTodoTests"), broken);
  if (broken > 0) r.counts.total.reset();
  for (const auto& f : array_in(j, "testResults"))
    for (const auto& t : array_in(f, "assertionResults"))
      r.tests.push_back({text_in(t, "fullName"), by_word(text_in(t, "status"))});
  if (number_in(j, "numTotalTests") == 0 && broken == 0) r.outcome = "no_tests";
  if (json_member(j, "success") == false && *r.counts.failed + broken == 0) {
    // An error outside of all suites is in no list.
    r.counts.errors = std::max<std::int64_t>(1, number_in(j, "numFailedTestSuites"));
    r.counts.total.reset();
    r.outcome.clear();
  }
  keep_complete_names(r);
  return true;
}

bool mocha(const json& j, TestReport& r) {
  const auto& stats = object_in(j, "stats");
  if (!stats.contains("passes") || !stats.contains("failures")) return false;
  r.format = "mocha";
  r.counts = counts(number_in(stats, "passes"), number_in(stats, "failures"),
                    number_in(stats, "pending") + number_in(stats, "skipped"), 0);
  const std::pair<const char*, TestStatus> groups[] = {
      {"passes", TestStatus::passed}, {"failures", TestStatus::failed}, {"pending", TestStatus::skipped}};
  for (const auto& [key, status] : groups)
    for (const auto& t : array_in(j, key)) r.tests.push_back({text_in(t, "fullTitle"), status});
  if (r.counts.total == 0) r.outcome = "no_tests";
  keep_complete_names(r);
  return true;
}

bool rspec(const json& j, TestReport& r) {
  const auto& s = object_in(j, "summary");
  if (!s.contains("example_count")) return false;
  r.format = "rspec";
  const auto failed = number_in(s, "failure_count"), skipped = number_in(s, "pending_count");
  const auto outside = number_in(s, "errors_outside_of_examples_count");
  const auto all = number_in(s, "example_count");
  r.counts = counts(std::max<std::int64_t>(0, all - failed - skipped), failed, skipped, outside);
  if (outside > 0) r.counts.total.reset();
  if (outside > 0 && all == 0) r.outcome = "build_failed";
  if (outside == 0 && all == 0) r.outcome = "no_tests";
  for (const auto& t : array_in(j, "examples"))
    r.tests.push_back({text_in(t, "full_description"), by_word(text_in(t, "status"))});
  keep_complete_names(r);
  return true;
}

/// The Common Test Report Format.
bool ctrf(const json& j, TestReport& r) {
  const auto& results = object_in(j, "results");
  const auto& s = object_in(results, "summary");
  if (!s.contains("passed") || !s.contains("failed")) return false;
  r.format = "ctrf";
  r.counts = counts(number_in(s, "passed"), number_in(s, "failed"),
                    number_in(s, "skipped") + number_in(s, "pending") + number_in(s, "other"), 0);
  if (s.contains("tests") && number_in(s, "tests") != *r.counts.total)
    r.suspicious.emplace_back("the figures of the summary do not add up");
  for (const auto& t : array_in(results, "tests")) {
    const auto& suite = json_member(t, "suite");
    std::string name;
    if (suite.is_string() || suite.is_array())
      for (const auto& part : suite)  // a text is the only element of itself
        if (part.is_string()) name += part.get<std::string>() + " > ";
    r.tests.push_back({name + text_in(t, "name"), by_word(text_in(t, "status"))});
  }
  if (!r.tests.empty()) {
    const auto listed_bad = std::count_if(r.tests.begin(), r.tests.end(), [](const auto& t) {
      return t.status == TestStatus::failed || t.status == TestStatus::error;
    });
    if (listed_bad > *r.counts.failed)
      r.suspicious.emplace_back("the list has more failed tests than the summary");
  }
  if (r.counts.total == 0) r.outcome = "no_tests";
  keep_complete_names(r);
  return true;
}

/// Suites within suites, walked without recursion: `children` and `tests` are member names.
template <class Visit>
void walk(const json& root, const char* children, const char* title, Visit visit) {
  struct Step {
    const json* suite;
    std::string name;
  };
  std::vector<Step> open{{&root, ""}};
  while (!open.empty()) {
    const auto step = std::move(open.back());
    open.pop_back();
    visit(*step.suite, step.name);
    const auto& inner = array_in(*step.suite, children);
    for (auto it = inner.rbegin(); it != inner.rend(); ++it) {
      const auto own = text_in(*it, title);
      open.push_back({&*it, own.empty() ? step.name : step.name + own + " > "});
    }
  }
}

bool playwright(const json& j, TestReport& r) {
  const auto& stats = object_in(j, "stats");
  if (!stats.contains("expected") || !stats.contains("unexpected")) return false;
  r.format = "playwright";
  r.counts = counts(number_in(stats, "expected") + number_in(stats, "flaky"), number_in(stats, "unexpected"),
                    number_in(stats, "skipped"), 0);
  walk(j, "suites", "title", [&r](const json& suite, const std::string& name) {
    for (const auto& spec : array_in(suite, "specs"))
      for (const auto& run : array_in(spec, "tests")) {
        const auto project = text_in(run, "projectName");
        r.tests.push_back({(project.empty() ? "" : "[" + project + "] ") + name + text_in(spec, "title"),
                           by_word(text_in(run, "status"))});
      }
  });
  if (const auto& errors = array_in(j, "errors"); !errors.empty()) {
    r.counts.errors = static_cast<std::int64_t>(errors.size());
    r.counts.total.reset();
  } else if (r.counts.total == 0) {
    r.outcome = "no_tests";
  }
  keep_complete_names(r);
  return true;
}

bool pytest_json(const json& j, TestReport& r) {
  const auto& s = object_in(j, "summary");
  if (!j.contains("exitcode") || !s.contains("total")) return false;
  r.format = "pytest";
  r.counts = counts(number_in(s, "passed") + number_in(s, "xpassed"), number_in(s, "failed"),
                    number_in(s, "skipped") + number_in(s, "xfailed"), number_in(s, "error"));
  for (const auto& t : array_in(j, "tests"))
    r.tests.push_back({text_in(t, "nodeid"), by_word(text_in(t, "outcome"))});
  std::int64_t unloadable = 0;
  for (const auto& c : array_in(j, "collectors")) unloadable += json_text(c, "outcome") == "failed" ? 1 : 0;
  if (unloadable > 0) {
    r.counts.errors = *r.counts.errors + unloadable;
    r.counts.total.reset();
    if (r.tests.empty()) r.outcome = "build_failed";
  } else if (r.counts.total == 0) {
    r.outcome = "no_tests";
  }
  if (number_in(j, "exitcode") == 2) r.complete = false;  // interrupted
  keep_complete_names(r);
  return true;
}

bool googletest(const json& j, TestReport& r) {
  const auto& suites = json_member(j, "testsuites");
  if (!suites.is_array() || !j.contains("tests") || !j.contains("failures")) return false;
  r.format = "googletest";
  for (const auto& suite : suites)
    for (const auto& t : array_in(suite, "testsuite")) {
      if (json_text(t, "status") == "NOTRUN") continue;  // disabled: GoogleTest's own counts leave it out
      auto name = text_in(t, "classname");
      name += (name.empty() ? "" : ".") + text_in(t, "name");
      r.tests.push_back({std::move(name), !array_in(t, "failures").empty()      ? TestStatus::failed
                                          : json_text(t, "result") == "SKIPPED" ? TestStatus::skipped
                                                                                : TestStatus::passed});
    }
  count_listed(r);
  if (*r.counts.failed < number_in(j, "failures"))
    r.suspicious.emplace_back("fewer failed tests than counted");
  return true;
}

using Read = bool (*)(const json& j, TestReport& r);
constexpr std::array<Read, 7> kReportReaders{jest, playwright, rspec, ctrf, pytest_json, googletest, mocha};

}  // namespace

bool read_test_json(std::string_view text, model::TestReport& report) {
  const auto j = read_json(text);
  report.complete = true;
  return j.is_object() && std::any_of(kReportReaders.begin(), kReportReaders.end(),
                                      [&](const Read read) { return read(j, report); });
}

}  // namespace hydra::parsers
