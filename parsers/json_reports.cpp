// Test reports that are one JSON document: jest and vitest, mocha, mochawesome, RSpec, CTRF, Playwright,
// pytest-json-report, GoogleTest, Catch2, Cucumber and behave, karma.
#include "parsers/json_reports.hpp"

#include "parsers/json_read.hpp"
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
  std::int64_t n[4] = {0, 0, 0, 0};
  for (const auto& t : r.tests) ++n[static_cast<int>(t.status)];
  r.counts = counts(n[0], n[1], n[2], n[3]);
  if (r.tests.empty()) r.outcome = "no_tests";
}

bool jest(const json& j, TestReport& r) {
  if (!j.contains("numTotalTests")) return false;
  r.format = "jest";
  const auto broken = number_in(j, "numRuntimeErrorTestSuites");
  r.counts = counts(number_in(j, "numPassedTests"), number_in(j, "numFailedTests"),
                    number_in(j, "numPendingTests") + number_in(j, "numTodoTests"), broken);
  if (broken > 0) r.counts.total.reset();
  if (const auto* files = array_in(j, "testResults"))
    for (const auto& f : *files)
      if (const auto* tests = array_in(f, "assertionResults"))
        for (const auto& t : *tests)
          r.tests.push_back({text_in(t, "fullName"), by_word(text_in(t, "status"))});
  if (number_in(j, "numTotalTests") == 0 && broken == 0) r.outcome = "no_tests";
  const auto it = j.find("success");
  if (it != j.end() && *it == false && *r.counts.failed + broken == 0) {
    // vitest has no figure for suites that could not run.
    r.counts.errors = std::max<std::int64_t>(1, number_in(j, "numFailedTestSuites"));
    r.counts.total.reset();
    r.outcome.clear();
  }
  keep_complete_names(r);
  return true;
}

bool mocha(const json& j, TestReport& r) {
  const auto* stats = object_in(j, "stats");
  if (stats == nullptr || !stats->contains("passes") || !stats->contains("failures")) return false;
  r.format = "mocha";
  r.counts = counts(number_in(*stats, "passes"), number_in(*stats, "failures"),
                    number_in(*stats, "pending") + number_in(*stats, "skipped"), 0);
  const std::pair<const char*, TestStatus> groups[] = {
      {"passes", TestStatus::passed}, {"failures", TestStatus::failed}, {"pending", TestStatus::skipped}};
  for (const auto& [key, status] : groups)
    if (const auto* tests = array_in(j, key))
      for (const auto& t : *tests) r.tests.push_back({text_in(t, "fullTitle"), status});
  if (r.counts.total == 0) r.outcome = "no_tests";
  keep_complete_names(r);
  return true;
}

bool rspec(const json& j, TestReport& r) {
  const auto* s = object_in(j, "summary");
  if (s == nullptr || !s->contains("example_count")) return false;
  r.format = "rspec";
  const auto failed = number_in(*s, "failure_count"), skipped = number_in(*s, "pending_count");
  const auto outside = number_in(*s, "errors_outside_of_examples_count");
  const auto all = number_in(*s, "example_count");
  r.counts = counts(std::max<std::int64_t>(0, all - failed - skipped), failed, skipped, outside);
  if (outside > 0) r.counts.total.reset();
  if (outside > 0 && all == 0) r.outcome = "build_failed";
  if (outside == 0 && all == 0) r.outcome = "no_tests";
  if (const auto* tests = array_in(j, "examples"))
    for (const auto& t : *tests)
      r.tests.push_back({text_in(t, "full_description"), by_word(text_in(t, "status"))});
  keep_complete_names(r);
  return true;
}

/// The Common Test Report Format.
bool ctrf(const json& j, TestReport& r) {
  const auto* results = object_in(j, "results");
  const auto* s = results != nullptr ? object_in(*results, "summary") : nullptr;
  if (s == nullptr || !s->contains("passed") || !s->contains("failed")) return false;
  r.format = "ctrf";
  r.counts = counts(number_in(*s, "passed"), number_in(*s, "failed"),
                    number_in(*s, "skipped") + number_in(*s, "pending") + number_in(*s, "other"), 0);
  if (s->contains("tests") && number_in(*s, "tests") != *r.counts.total)
    r.suspicious.emplace_back("the figures of the summary do not add up");
  if (const auto* tests = array_in(*results, "tests"))
    for (const auto& t : *tests) {
      std::string name;
      const auto suite = t.is_object() ? t.find("suite") : t.end();
      if (t.is_object() && suite != t.end() && suite->is_string()) name = suite->get<std::string>() + " > ";
      if (t.is_object() && suite != t.end() && suite->is_array())
        for (const auto& part : *suite)
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
    const auto* inner = array_in(*step.suite, children);
    if (inner == nullptr) continue;
    for (auto it = inner->rbegin(); it != inner->rend(); ++it) {
      const auto own = text_in(*it, title);
      open.push_back({&*it, own.empty() ? step.name : step.name + own + " > "});
    }
  }
}

bool playwright(const json& j, TestReport& r) {
  const auto* stats = object_in(j, "stats");
  if (stats == nullptr || !stats->contains("expected") || !stats->contains("unexpected")) return false;
  r.format = "playwright";
  r.counts = counts(number_in(*stats, "expected") + number_in(*stats, "flaky"),
                    number_in(*stats, "unexpected"), number_in(*stats, "skipped"), 0);
  walk(j, "suites", "title", [&r](const json& suite, const std::string& name) {
    const auto* specs = array_in(suite, "specs");
    if (specs == nullptr) return;
    for (const auto& spec : *specs) {
      const auto* runs = array_in(spec, "tests");
      if (runs == nullptr) continue;
      for (const auto& run : *runs) {
        const auto project = text_in(run, "projectName");
        r.tests.push_back({(project.empty() ? "" : "[" + project + "] ") + name + text_in(spec, "title"),
                           by_word(text_in(run, "status"))});
      }
    }
  });
  if (const auto* errors = array_in(j, "errors"); errors != nullptr && !errors->empty()) {
    r.counts.errors = static_cast<std::int64_t>(errors->size());
    r.counts.total.reset();
  } else if (r.counts.total == 0) {
    r.outcome = "no_tests";
  }
  keep_complete_names(r);
  return true;
}

bool pytest_json(const json& j, TestReport& r) {
  const auto* s = object_in(j, "summary");
  if (s == nullptr || !j.contains("exitcode") || !s->contains("total")) return false;
  r.format = "pytest";
  r.counts = counts(number_in(*s, "passed") + number_in(*s, "xpassed"), number_in(*s, "failed"),
                    number_in(*s, "skipped") + number_in(*s, "xfailed"), number_in(*s, "error"));
  if (const auto* tests = array_in(j, "tests"))
    for (const auto& t : *tests) r.tests.push_back({text_in(t, "nodeid"), by_word(text_in(t, "outcome"))});
  std::int64_t unloadable = 0;
  if (const auto* collectors = array_in(j, "collectors"))
    for (const auto& c : *collectors) unloadable += text_in(c, "outcome") == "failed" ? 1 : 0;
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
  const auto* suites = array_in(j, "testsuites");
  if (suites == nullptr || !j.contains("tests") || !j.contains("failures")) return false;
  r.format = "googletest";
  for (const auto& suite : *suites) {
    const auto* tests = array_in(suite, "testsuite");
    if (tests == nullptr) continue;
    for (const auto& t : *tests) {
      const auto status = text_in(t, "status"), result = text_in(t, "result");
      if (status == "NOTRUN") continue;  // disabled: GoogleTest's own counts leave it out
      const auto* failures = array_in(t, "failures");
      auto name = text_in(t, "classname");
      name += (name.empty() ? "" : ".") + text_in(t, "name");
      r.tests.push_back({std::move(name), failures != nullptr && !failures->empty() ? TestStatus::failed
                                          : result == "SKIPPED"                     ? TestStatus::skipped
                                                                                    : TestStatus::passed});
    }
  }
  count_listed(r);
  if (*r.counts.failed < number_in(j, "failures"))
    r.suspicious.emplace_back("fewer failed tests than counted");
  return true;
}

bool catch2(const json& j, TestReport& r) {
  const auto* run = object_in(j, "test-run");
  const auto* cases = run != nullptr ? array_in(*run, "test-cases") : nullptr;
  if (cases == nullptr) return false;
  r.format = "catch2";
  for (const auto& c : *cases) {
    const auto* info = object_in(c, "test-info");
    const auto* totals = object_in(c, "totals");
    const auto* n = totals != nullptr ? object_in(*totals, "test-cases") : nullptr;
    if (n == nullptr && totals != nullptr) n = object_in(*totals, "assertions");
    const auto failed = n != nullptr ? number_in(*n, "failed") : 1;
    const auto skipped = n != nullptr ? number_in(*n, "skipped") + number_in(*n, "fail-but-ok") : 0;
    r.tests.push_back({info != nullptr ? text_in(*info, "name") : "", failed > 0    ? TestStatus::failed
                                                                      : skipped > 0 ? TestStatus::skipped
                                                                                    : TestStatus::passed});
  }
  count_listed(r);
  return true;
}

/// Scenarios: the worst of their steps.
TestStatus scenario_status(const json& element) {
  if (const auto own = text_in(element, "status"); !own.empty()) return by_word(own);  // behave
  TestStatus worst = TestStatus::passed;
  for (const char* list : {"before", "steps", "after"}) {
    const auto* steps = array_in(element, list);
    if (steps == nullptr) continue;
    for (const auto& s : *steps) {
      const auto* result = object_in(s, "result");
      const auto status = result != nullptr ? by_word(text_in(*result, "status")) : TestStatus::skipped;
      if (status == TestStatus::failed || status == TestStatus::error) return TestStatus::failed;
      if (status == TestStatus::skipped) worst = status;
    }
  }
  return worst;
}

bool cucumber(const json& j, TestReport& r) {
  if (!j.is_array() || j.empty()) return false;
  for (const auto& feature : j)
    if (!feature.is_object() || !feature.contains("keyword") || !feature.contains("name")) return false;
  r.format = "cucumber";
  for (const auto& feature : j) {
    const auto* elements = array_in(feature, "elements");
    if (elements == nullptr) continue;
    for (const auto& e : *elements)
      if (text_in(e, "type") != "background")
        r.tests.push_back({text_in(feature, "name") + " > " + text_in(e, "name"), scenario_status(e)});
  }
  count_listed(r);
  return true;
}

/// karma-json-reporter.
bool karma(const json& j, TestReport& r) {
  const auto* s = object_in(j, "summary");
  if (s == nullptr || !j.contains("browsers") || !s->contains("success")) return false;
  r.format = "karma";
  const auto it = s->find("error");
  const bool broken = it != s->end() && it->is_boolean() && it->get<bool>();
  r.counts =
      counts(number_in(*s, "success"), number_in(*s, "failed"), number_in(*s, "skipped"), broken ? 1 : 0);
  if (broken) r.counts.total.reset();
  if (r.counts.total == 0) r.outcome = "no_tests";
  return true;
}

using Read = bool (*)(const json& j, TestReport& r);
constexpr std::array<Read, 10> kReportReaders{jest,       playwright, rspec, ctrf,  pytest_json,
                                              googletest, catch2,     karma, mocha, cucumber};

}  // namespace

bool read_test_json(std::string_view text, model::TestReport& report) {
  const auto j = read_json(text);
  if (j.is_discarded()) return false;
  report.complete = true;
  if (j.is_array()) return cucumber(j, report);
  return j.is_object() && std::any_of(kReportReaders.begin(), kReportReaders.end(),
                                      [&](const Read read) { return read(j, report); });
}

}  // namespace hydra::parsers
