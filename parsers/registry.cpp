#include "parsers/registry.hpp"

#include "parsers/formats.hpp"
#include "parsers/reports.hpp"
#include "parsers/summaries.hpp"

#include <algorithm>

namespace hydra::parsers {
namespace {

using model::TestOutcome;

constexpr TestParser kTestParsers[] = {
    {"json", find_json_report},
    {"junit", find_junit},
    {"libtest-json", find_libtest_json},
    {"jest", find_jest},
    {"vitest", find_vitest},
    {"mocha", find_mocha},
    {"node-test", find_node_test},
    {"tap", find_tap},
    {"pytest", find_pytest},
    {"unittest", find_unittest},
    {"cargo-test", find_cargo},
    {"nextest", find_nextest},
    {"go-test", find_go},
    {"googletest", find_googletest},
    {"ctest", find_ctest},
    {"rspec", find_rspec},
    {"minitest", find_minitest},
    {"exunit", find_exunit},
    {"prove", find_prove},
    {"surefire", find_surefire},
    {"phpunit", find_phpunit},
    {"playwright", find_playwright},
    {"gradle", find_gradle},
    {"gotestsum", find_gotestsum},
    {"pytest-sugar", find_sugar},
    // Last, since these readers see only lines that the others left.
    {"summaries", find_summaries},
    {"generic", find_generic},
};

}  // namespace

std::span<const TestParser> test_parsers() { return kTestParsers; }

std::span<const std::string> markers_of(const TestParser& parser) {
  const auto it = test_data().markers.find(parser.name);
  return it == test_data().markers.end() ? std::span<const std::string>() : it->second;
}

std::vector<std::string_view> test_formats() {
  std::vector<std::string_view> out;
  for (const auto& parser : kTestParsers)
    if (parser.find != find_summaries && std::find(out.begin(), out.end(), parser.name) == out.end())
      out.push_back(parser.name);
  for (const auto& format : summary_formats())
    if (std::find(out.begin(), out.end(), format) == out.end()) out.push_back(format);
  std::sort(out.begin(), out.end());
  return out;
}

model::TestCounts counts(std::int64_t passed, std::int64_t failed, std::int64_t skipped,
                         std::int64_t errors) {
  return {passed, failed, skipped, errors, passed + failed + skipped + errors};
}

std::optional<std::int64_t> plus_known(std::optional<std::int64_t> a, std::optional<std::int64_t> b) {
  if (!a || !b) return std::nullopt;
  return *a + *b;
}

void add_counts(model::TestCounts& sum, const model::TestCounts& more) {
  sum.passed = plus_known(sum.passed, more.passed);
  sum.failed = plus_known(sum.failed, more.failed);
  sum.skipped = plus_known(sum.skipped, more.skipped);
  sum.errors = plus_known(sum.errors, more.errors);
  sum.total = plus_known(sum.total, more.total);
}

void join(std::string& formats, const std::string& more) {
  if (("+" + formats + "+").find("+" + more + "+") != std::string::npos) return;
  formats += formats.empty() ? more : "+" + more;
}

bool without_tests(const model::ParsedTests& r) { return r.counts.total == 0 && r.tests.empty(); }

void add_report(model::ParsedTests& sum, model::ParsedTests more) {
  if (sum.format.empty()) {
    sum = std::move(more);
    return;
  }
  join(sum.format, more.format);
  if (without_tests(sum))
    sum.tests = std::move(more.tests);
  else if (!without_tests(more) && (sum.tests.empty() || more.tests.empty()))
    sum.tests.clear();
  else
    sum.tests.insert(sum.tests.end(), more.tests.begin(), more.tests.end());
  add_counts(sum.counts, more.counts);
  sum.complete = sum.complete && more.complete;
  sum.confidence = std::min(sum.confidence, more.confidence);
  if (sum.outcome == TestOutcome::passed ? more.outcome != TestOutcome::no_tests
                                         : sum.outcome == TestOutcome::no_tests)
    sum.outcome = more.outcome;
  sum.evidence.insert(sum.evidence.end(), more.evidence.begin(), more.evidence.end());
  sum.suspicious.insert(sum.suspicious.end(), more.suspicious.begin(), more.suspicious.end());
}

void make_room(std::vector<model::TestCase>& tests, std::size_t lines) {
  constexpr std::size_t kLong = 4096;
  if (tests.size() == kLong) tests.reserve(kLong + std::min(lines, kMaxNames));
}

void give_back(std::vector<model::TestCase>& tests) {
  if (tests.capacity() / 4 > tests.size()) tests.shrink_to_fit();
}

void keep_complete_names(model::ParsedTests& report) {
  const auto& c = report.counts;
  const auto sum = plus_known(plus_known(c.passed, c.failed), plus_known(c.skipped, c.errors));
  if (!sum || static_cast<std::int64_t>(report.tests.size()) != *sum) report.tests.clear();
}

}  // namespace hydra::parsers
