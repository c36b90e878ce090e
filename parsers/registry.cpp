#include "parsers/registry.hpp"

#include "parsers/reports.hpp"
#include "parsers/summaries.hpp"
#include "parsers/test_families.hpp"

#include <algorithm>
#include <array>

namespace hydra::parsers {
namespace {

constexpr std::array kTestParsers{
    TestParser{"json",
               find_json_report,
               {"\"numTotalTests\"", "\"passes\"", "\"example_count\"", "\"unexpected\"", "\"exitcode\"",
                "\"testsuites\"", "\"test-run\"", "\"summary\"", "\"keyword\"", "\"browsers\""}},
    TestParser{"junit",
               find_junit,
               {"<testsuite", "<TestR", "<assembl", "<test-run", "<test-results", "<testng-results",
                "<robot ", "<Testing", "<QtVersion>", "<Catch", "<doctest", "<TestLog"}},
    TestParser{"libtest-json", find_libtest_json, {"\"type\":\"suite\"", "\"type\": \"suite\""}},
    TestParser{"pytest-reportlog", find_reportlog, {"\"$report_type\""}},
    TestParser{"cucumber", find_cucumber_messages, {"\"testCaseStarted", "\"testRunStarted"}},
    TestParser{"dart-json", find_dart_json, {"\"protocolVersion\""}},
    TestParser{"jest",
               find_jest,
               {"PASS ", "FAIL ", "Test Suites:", "No tests found, exiting", "process.exit called with"}},
    TestParser{"vitest", find_vitest, {"RUN  v", "DEV  v"}},
    TestParser{
        "mocha", find_mocha, {" passing", "No test files found", "Exception during run: ", "✖ ERROR: "}},
    TestParser{"mocha", find_mocha_stream, {"[\"start\",{\"total\""}},
    TestParser{"node-test", find_node_test, {"# tests ", "ℹ tests "}},
    TestParser{
        "tap",
        find_tap,
        {"TAP version ", "1..0", "1..1", "1..2", "1..3", "1..4", "1..5", "1..6", "1..7", "1..8", "1..9"}},
    TestParser{"tap", find_node_tap, {"Asserts:"}},
    TestParser{"pytest",
               find_pytest,
               // A summary holds one of its words, which others end or the time follows.
               {" test session starts ",
                "[100%]",
                " ran in ",
                "passed in ",
                "passed, ",
                "failed in ",
                "failed, ",
                "skipped in ",
                "skipped, ",
                "selected in ",
                "selected, ",
                "rror in ",
                "rror, ",
                "rrors in ",
                "rrors, ",
                "rerun in ",
                "rerun, ",
                "arning in ",
                "arning, ",
                "arnings in ",
                "arnings, "}},
    TestParser{"unittest", find_unittest, {"Ran ", ") ... "}},
    TestParser{"cargo-test", find_cargo, {"running ", "test result: ", "could not compile"}},
    TestParser{"nextest", find_nextest, {"Summary ["}},
    TestParser{"go-test", find_go, {"=== RUN", "--- ", "\"Action\"", "ok  \t", "FAIL\t", "?   \t"}},
    TestParser{"googletest", find_googletest, {"[==========]"}},
    TestParser{"ctest", find_ctest, {" Test ", "% tests passed, ", "No tests were found!!!"}},
    TestParser{"rspec", find_rspec, {"Finished in "}},
    TestParser{"minitest", find_minitest, {" assertions, "}},
    TestParser{"ava", find_ava, {"  ─", " find any files to test"}},
    TestParser{"bun", find_bun, {"bun test v"}},
    TestParser{"deno",
               find_deno,
               {" tests from ", " test from ", " passed (", " passed |", "error: No test modules found",
                "error: Type checking failed", "error: Module not found "}},
    TestParser{"exunit",
               find_exunit,
               {"Finished in ", "Running ExUnit", "== Compilation error in file ", "** (CompileError)",
                "There are no tests to run"}},
    TestParser{"bats", find_bats, {" ✓ ", " ✗ "}},
    TestParser{"prove", find_prove, {"Files="}},
    TestParser{"cmocka", find_cmocka, {" test(s)."}},
    TestParser{
        "meson",
        find_meson,
        {"meson-logs", "No tests defined.", "Expected Fail:", "Unexpected Pass:", "Fail: ", "Ok: ", " OK  ",
         " FAIL  ", " SKIP  ", " TIMEOUT  ", " ERROR  ", " EXPECTEDFAIL ", " UNEXPECTEDPASS "}},
    TestParser{"automake",
               find_automake,
               {"Testsuite summary for ", " tests passed", " test passed", " tests failed", " test failed",
                " behave"}},
    TestParser{"surefire", find_surefire, {" T E S T S", "[INFO] ", "[ERROR] "}},
    TestParser{"phpunit",
               find_phpunit,
               {"by Sebastian Bergmann", "Codeception PHP Testing", "ParaTest v", ", Memory: "}},
    TestParser{"alcotest", find_alcotest, {"Testing `", "Testing ‘"}},
    TestParser{"plunit", find_plunit, {"PL-Unit: "}},
    TestParser{"testtools", find_testtools, {"Tests running..."}},
    TestParser{"tasty", find_tasty, {" out of ", " passed ("}},
    TestParser{"cucumber", find_cucumber, {"cenario", " examples (", " example ("}},
    TestParser{"robot", find_robot, {"Output:  ", "| PASS |", "| FAIL |", "| SKIP |"}},
    TestParser{"playwright", find_playwright, {" tests using ", " test using ", "Error: No tests found"}},
    TestParser{"cypress", find_cypress, {"(Run Starting)"}},
    TestParser{"karma", find_karma, {": Executed "}},
    TestParser{"webdriverio", find_webdriverio, {"Spec Files:"}},
    TestParser{"testcafe", find_testcafe, {"Running tests in:"}},
    TestParser{"nightwatch", find_nightwatch, {"TEST FAILURE (", "✨ PASSED. "}},
    TestParser{"dotnet", find_dotnet, {"Total tests: "}},
    TestParser{"scalatest", find_scalatest, {"Tests: succeeded "}},
    TestParser{"gradle", find_gradle, {"> Task :", "BUILD SUCCESSFUL in ", "BUILD FAILED in "}},
    TestParser{"junit4", find_junit4, {"JUnit version "}},
    TestParser{"clojure-test", find_clojure, {" tests containing "}},
    TestParser{"xctest",
               find_xctest,
               {"Test Suite '", "Test suite '", "Test Case '", "Test case '", "error: no tests found",
                "BUILD FAILED **", "error: fatalError", "error: emit-module command failed",
                "error: Exited with unexpected signal"}},
    TestParser{"swift-testing", find_swift_testing, {" Test run started."}},
    TestParser{"pest", find_pest, {"  Tests:", "   PASS  ", "   FAIL  ", "   WARN  ", "   TODO  "}},
    TestParser{"shunit2", find_shunit2, {" tests.", "Ran 1 test."}},
    TestParser{
        "dart", find_dart, {"+0: ", "+1: ", "+2: ", "+3: ", "+4: ", "+5: ", "+6: ", "+7: ", "+8: ", "+9: ",
                            "-0: ", "-1: ", "-2: ", "-3: ", "-4: ", "-5: ", "-6: ", "-7: ", "-8: ", "-9: ",
                            "~0: ", "~1: ", "~2: ", "~3: ", "~4: ", "~5: ", "~6: ", "~7: ", "~8: ", "~9: "}},
    TestParser{"julia", find_julia, {"Test Summary:"}},
    TestParser{"nim-unittest", find_nim, {"[Suite] "}},
    TestParser{"dejagnu", find_dejagnu, {" Summary ==="}},
    TestParser{"ginkgo", find_ginkgo, {"Running Suite: "}},
    TestParser{"gotestsum", find_gotestsum, {"DONE "}},
    TestParser{"busted", find_busted_gtest, {"] Running tests from "}},
    TestParser{"trial", find_trial, {"PASSED (", "FAILED ("}},
    TestParser{"boost-test", find_boost, {"*** No errors detected", " detected in the test module "}},
    TestParser{"autotest", find_autotest, {" test suite. ##"}},
    TestParser{"kyua", find_kyua, {"  ->  passed", "  ->  failed", "  ->  broken", "  ->  skipped"}},
    TestParser{"subunit", find_subunit, {"test: "}},
    TestParser{"pytest-sugar", find_sugar, {"Test session starts (platform: "}},
    // Behind all others: reads what they left.
    TestParser{"summaries", find_summaries},
    TestParser{"generic", find_generic},
};

std::optional<std::int64_t> plus_known(std::optional<std::int64_t> a, std::optional<std::int64_t> b) {
  if (!a || !b) return std::nullopt;
  return *a + *b;
}

}  // namespace

std::span<const TestParser> test_parsers() { return kTestParsers; }

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

void add_counts(model::TestCounts& sum, const model::TestCounts& more) {
  sum.passed = plus_known(sum.passed, more.passed);
  sum.failed = plus_known(sum.failed, more.failed);
  sum.skipped = plus_known(sum.skipped, more.skipped);
  sum.errors = plus_known(sum.errors, more.errors);
  sum.total = plus_known(sum.total, more.total);
}

void make_room(std::vector<model::TestCase>& tests, std::size_t lines) {
  constexpr std::size_t kLong = 4096;
  if (tests.size() == kLong) tests.reserve(kLong + std::min(lines, kMaxNames));
}

void give_back(std::vector<model::TestCase>& tests) {
  if (tests.capacity() / 4 > tests.size()) tests.shrink_to_fit();
}

void keep_complete_names(model::TestReport& report) {
  const auto& c = report.counts;
  const auto sum = plus_known(plus_known(c.passed, c.failed), plus_known(c.skipped, c.errors));
  if (!sum || static_cast<std::int64_t>(report.tests.size()) != *sum) report.tests.clear();
}

}  // namespace hydra::parsers
