// The table of summaries.hpp. Each row is written from the runner's documented or recorded output.
#include "parsers/summaries.hpp"

#include <array>

namespace hydra::parsers {
namespace {

using enum SummaryRow::Kind;

// Catch2 sets its result off with 79 of them.
#define RULER "==============================================================================="

constexpr auto kSummariesTableRows = std::to_array<SummaryRow>({
    // JavaScript
    {"jasmine", last, "%t spec{s}, %f failure{s}{, %s pending spec}{s}\nFinished in %*"},
    {"jasmine", last, "Executed %n of %t spec{s}{ (%f FAILED)}{ (%s PENDING)}{ (%s SKIPPED)} in %*"},
    {"jasmine", last, "Executed %n of %t spec{s} SUCCESS{ (%s PENDING)}{ (%s SKIPPED)} in %*"},
    {"jasmine", no_tests, "Incomplete: No specs found%*"},
    {"jasmine", no_tests, "No specs found"},
    {"uvu", last, " Total: %r\n Passed: %p\n Skipped: %s\n Duration: %*"},
    {"lab", last, "%f of %r tests failed{ (%s skipped)}\n?\nTest duration: %*"},
    {"lab", last, "%p test{s} passed{ (%s skipped)}\n?\nTest duration: %*"},
    {"lab", last, "%p test{s} complete{ (%s skipped)}\n?\nTest duration: %*"},

    // C and C++
    {"catch2", last,
     RULER
     "\ntest cases: %t | %p passed{ | %f failed}{ | %s skipped}{ | %s failed as expected}\nassertions: %*"},
    {"catch2", last,
     RULER "\ntest cases: %t | %f failed{ | %s skipped}{ | %s failed as expected}\nassertions: %*"},
    {"catch2", last, RULER "\ntest cases: %t | %s failed as expected\nassertions: %*"},
    {"catch2", last, RULER "\ntest cases: %t | %s skipped\nassertions: %*"},
    {"catch2", last, RULER "\nAll tests passed (%n assertion{s} in %p test case{s})"},
    {"catch2", last, "Passed all %p test case{s} with %n assertion{s}."},
    {"catch2", last, "Passed %p test case{s} with %n assertion{s}."},
    {"catch2", no_tests, RULER "\nNo tests ran"},
    {"catch2", no_tests, "No test cases matched %*"},
    {"catch2", crashed, "due to a fatal error condition:"},
    {"doctest", start, "[doctest] doctest version is "},
    {"doctest", each,
     "[doctest] test cases: %r | %p passed | %f failed |{ %s skipped}\n[doctest] assertions: %*"},
    {"doctest", crashed, "{ }%w FATAL ERROR: test case CRASHED: %*"},
    {"boost-test", each,
     "Test module %w has %w with:\n?{ }%p test case{s} out of %t passed\n?{ }%p test case{s} out of %n "
     "passed with "
     "warnings\n?{ }%f test case{s} out of %n failed\n?{ }%s test case{s} out of %n skipped\n?{ }%n test "
     "case{s} out of "
     "%n aborted"},
    {"check", start, "Running suite(s): "},
    {"check", each, "%d%%: Checks: %t, Failures: %f, Errors: %e"},
    {"criterion", last, "[====] Synthesis: Tested: %t | Passing: %p | Failing: %f | Crashing: %n"},
    {"cpputest", each, "OK (%n tests, %r ran, %n checks, %s ignored, %n filtered out, %n ms)"},
    {"cpputest", each,
     "Errors (%f failures, %n tests, %r ran, %n checks, %s ignored, %n filtered out, %n ms)"},
    {"cpputest", each,
     "Errors (%f failures, %n run failures, %n tests, %r ran, %n checks, %s ignored, %n filtered out, %n "
     "ms)"},
    {"unity", each, "-----------------------\n%t Tests %f Failures %s Ignored\n?\n%*"},
    {"cunit", start, "     CUnit - A unit testing framework for C"},
    {"cunit", each, " tests %n %t %p %f %s\n asserts %*"},
    {"qttest", each, "Totals: %p passed, %f failed, %s skipped{, %s blacklisted}{, %nms}"},
    {"greatest", each, "Pass: %p, fail: %f, skip: %s."},
    {"munit", each, "%p of %r (%d%%) tests successful, %s (%d%%) test{s} skipped."},
    {"lit", last,
     "Total Discovered Tests: %t\n?{ }Excluded{ }: %n{ (%d%%)}\n?{ }Skipped{ }: %s{ (%d%%)}\n?{ "
     "}Unsupported{ }: %s{ "
     "(%d%%)}\n?{ }Passed{ }: %p{ (%d%%)}\n?{ }Passed With Retry{ }: %p{ (%d%%)}\n?{ }Expectedly Failed{ }: "
     "%s{ (%d%%)}\n?{ "
     "}Unresolved{ }: %e{ (%d%%)}\n?{ }Timed Out{ }: %f{ (%d%%)}\n?{ }Failed{ }: %f{ (%d%%)}\n?{ "
     "}Unexpectedly Passed{ }: "
     "%f{ (%d%%)}"},
    {"cppunit", each, "!!!FAILURES!!!\nTest Results:\nRun: %t Failures: %f Errors: %e"},
    {"cppunit", last, "OK (%p test{s})"},
    {"cppunit", last, "OK (%p)"},
    {"unittest++", each, "Success: %p test{s} passed.\nTest time: %*"},
    {"unittest++", each, "FAILURE: %f out of %t test{s} failed (%n failure{s}).\nTest time: %*"},
    {"lit", last,
     "Testing Time: %*\n?{ }Excluded{ }: %n\n?{ }Skipped{ }: %s\n?{ }Unsupported{ }: %s\n?{ }Passed{ }: "
     "%p\n?{ }Passed With Retry{ }: %p\n?{ }Expectedly Failed{ }: %s\n?{ }Unresolved{ }: %e\n?{ }Timed "
     "Out{ }: %f\n?{ }Failed{ }: %f\n?{ }Unexpectedly Passed{ }: %f",
     "-- Testing: "},
    {"ceedling", last, "TESTED: %t\nPASSED: %p\nFAILED: %f\nIGNORED: %s"},
    {"cocotb", last, "{ }** TESTS=%t PASS=%p FAIL=%f SKIP=%s{ %*}"},
    {"platformio", last, "%t test cases: %p succeeded in %*"},
    {"platformio", last, "%t test cases: %f failed, %p succeeded in %*"},
    {"bazel", last, "Executed %n out of %t test{s}: %p test{s} pass{es}."},
    {"bazel", last, "Executed %n out of %t test{s}: %p test{s} pass{es} and %f fail{s} locally."},
    {"bazel", last, "Executed %n out of %t test{s}: %f fail{s} locally."},

    // .NET
    {"dotnet", each, "{ }Passed! - Failed: %f, Passed: %p, Skipped: %s, Total: %t, Duration: %*"},
    {"dotnet", each, "{ }Failed! - Failed: %f, Passed: %p, Skipped: %s, Total: %t, Duration: %*"},
    {"dotnet", each, "{ }Skipped! - Failed: %f, Passed: %p, Skipped: %s, Total: %t, Duration: %*"},
    {"dotnet", each, "Total tests: %t\n?{ }Passed: %p\n?{ }Failed: %f\n?{ }Skipped: %s\n Total time: %*"},
    {"dotnet", each, "Total tests: %t. Passed: %p. Failed: %f. Skipped: %s."},
    {"dotnet", last, "{ }Test summary: total: %t, failed: %f, succeeded: %p, skipped: %s, duration: %*"},
    {"dotnet", last, " total: %t\n failed: %f\n succeeded: %p\n skipped: %s\n duration: %*"},
    {"dotnet", no_tests, "No test is available in %*"},
    {"dotnet", no_tests, "{ }No test matches the given testcase filter %*"},
    {"dotnet", build_failed, "Build FAILED."},
    {"dotnet", build_failed, "{ }Build failed with %*"},
    {"dotnet", crashed, "The active test run was aborted. %*"},
    {"dotnet", crashed, "Test Run Aborted%*"},
    {"xunit", each, " %w Total: %t, Errors: %e, Failed: %f, Skipped: %s, Time: %*"},
    {"xunit", each, " %w Total: %t, Errors: %e, Failed: %f, Skipped: %s, Not Run: %n, Time: %*"},
    {"nunit", last, "{ }Test Count: %t, Pass: %p, Fail: %f, Warn: %p, Inconclusive: %s, Skip: %s"},
    {"nunit", last, "{ }Test Count: %t, Passed: %p, Failed: %f, Warnings: %p, Inconclusive: %s, Skipped: %s"},

    // JVM
    {"junit5", last,
     "[ %e containers failed ]\n[ %t tests found ]\n[ %s tests skipped ]\n[ %n tests started ]\n[ %s tests "
     "aborted ]\n"
     "[ %p tests successful ]\n[ %f tests failed ]"},
    {"junit5", last,
     "[ %t tests found ]\n[ %s tests skipped ]\n[ %n tests started ]\n[ %s tests aborted ]\n"
     "[ %p tests successful ]\n[ %f tests failed ]"},
    {"testng", each, "Total tests run: %t, Failures: %f, Skips: %s"},
    {"testng", each, "Total tests run: %t, Passes: %p, Failures: %f, Skips: %s"},
    {"ant-junit", each, "{ }[junit] Tests run: %t, Failures: %f, Errors: %e, Skipped: %s, Time elapsed: %*"},
    {"ant-junit", each, "{ }[junit] Tests run: %t, Failures: %f, Errors: %e, Time elapsed: %*"},
    {"sbt", each,
     "[info] Passed: Total %n, Failed %f, Errors %e, Passed %p{, Skipped %s}{, Ignored %s}{, Canceled %s}{, "
     "Pending %s}"},
    {"sbt", each,
     "[error] Failed: Total %n, Failed %f, Errors %e, Passed %p{, Skipped %s}{, Ignored %s}{, Canceled %s}{, "
     "Pending %s}"},
    {"sbt", each,
     "[error] Error: Total %n, Failed %f, Errors %e, Passed %p{, Skipped %s}{, Ignored %s}{, Canceled %s}{, "
     "Pending %s}"},
    {"sbt", build_failed, "[error] (%w / %w Compilation failed"},
    {"sbt", no_tests, "[info] No tests were executed."},
    {"scalatest", each, "Tests: succeeded %p, failed %f, canceled %s, ignored %s, pending %s"},
    {"kotest", last,
     "Specs: %n passed, %n failed, %n total\nTests: %p passed, %f failed, %s ignored, %t total"},
    {"utest", last, "Tests: %t, Passed: %p, Failed: %f"},
    {"zig-test", last, "All %p tests passed.", "test."},
    {"zig-test", last, "%p passed; %s skipped; %f failed."},

    // xcodebuild prints that line too, but no such marks.
    {"xcpretty", last, "{ }Executed %t test{s}, with %f failure{s} (%n unexpected) in %*", "    ✓ "},
    {"xcpretty", last,
     "{ }Executed %t test{s}, with %s test{s} skipped and %f failure{s} (%n unexpected) in %*", "    ✓ "},
    {"xcpretty", last, "{ }Executed %t test{s}, with %f failure{s} (%n unexpected) in %*", "    ✗ "},
    {"xcpretty", last,
     "{ }Executed %t test{s}, with %s test{s} skipped and %f failure{s} (%n unexpected) in %*", "    ✗ "},

    // Python
    {"stestr", last,
     "Ran: %n test{s} in %*\n - Passed: %p\n - Skipped: %s\n - Expected Fail: %s\n - Unexpected Success: "
     "%f\n - Failed: "
     "%f"},
    {"subunit", last, "Total tests: %t\nPassed tests: %p\nFailed tests: %f\nSkipped tests: %s"},
    {"testr", last, "Ran %t test{s} in %*\nFAILED (id=%n, failures=%f{, skips=%s})"},
    {"testr", last, "Ran %t test{s} in %*\nPASSED (id=%n{, skips=%s})"},
    {"zope-testrunner", last, " Ran %t test{s} with %f failure{s}, %e error{s} and %s skipped in %*"},
    {"python-doctest", each,
     "%t test{s} in %n item{s}.\n%p passed and %f failed.\n?***Test Failed*** %n failure{s}."},
    {"python-doctest", each, "%t test{s} in %n item{s}.\n%p passed."},
    {"python-doctest", each, "***Test Failed*** %f failure{s}."},
    {"behave", last,
     "%n feature{s} passed, %*\n%p scenario{s} passed, %f failed, %s skipped{, %s untested}\n%n step{s} "
     "passed, %*"},
    {"behave", last,
     "%n feature{s} passed, %*\n%p scenario{s} passed, %f failed, %e error, %s skipped{, %s untested}\n%n "
     "step{s} "
     "passed, %*"},

    // Erlang and Elixir
    {"eunit", each, "Finished in %*\n%t tests, %f failures{, %s skipped}{, %e cancelled}"},
    {"eunit", each, " Failed: %f. Skipped: %s. Passed: %p."},
    {"eunit", each, " All %p tests passed."},
    {"eunit", each, " Test passed.", "EUnit"},
    {"eunit", crashed, "One or more tests were cancelled."},
    {"eunit", no_tests, " There were no tests to run."},
    {"common-test", each, "All %p tests passed.", "===>"},
    {"common-test", each, "Failed %f tests. Passed %p tests."},
    {"common-test", each, "Skipped %s (%n, %n) tests. Passed %p tests."},
    {"common-test", each, "Failed %f tests. Skipped %s (%n, %n) tests. Passed %p tests."},
    {"rebar3", build_failed, "===> Compiling %w failed"},

    // Functional languages
    {"ounit", last, "FAILED: Cases: %t Tried: %n Errors: %e Failures: %f Skip: %s Todo: %s Timeouts: %f."},
    {"ounit", last, "OK: Cases: %t Tried: %n Errors: %e Failures: %f Skip: %s Todo: %s Timeouts: %f."},
    {"ounit", last, "FAILED: Cases: %t Tried: %n Errors: %e Failures: %f Skip: %s Todo: %s"},
    {"ounit", last, "Ran: %t tests in: %d seconds.\nOK"},
    {"hunit", last, "Cases: %t Tried: %n Errors: %e Failures: %f"},
    {"haskell-doctest", last, "Examples: %t Tried: %n Errors: %e Failures: %f"},
    {"elm-test", last, "TEST RUN %*\n\nDuration: %*\nPassed: %p\nFailed: %f\n?Todo: %s\n?Skipped: %s"},
    {"rackunit", each, "%p success(es) %f failure(s) %e error(s) %t test(s) run"},
    {"srfi-64", each,
     "# of expected passes %p\n?# of expected failures %s\n?# of unexpected successes %p\n?# of unexpected "
     "failures %f\n?# of skipped tests %s",
     "%%%% Starting test "},
    {"srfi-64", each, "# of unexpected failures %f\n?# of skipped tests %s", "%%%% Starting test "},
    {"fiveam", last, "{ }Did %n check{s}.\n Pass: %p (%*\n Skip: %s (%*\n Fail: %f (%*"},
    // Expected failures are results as expected, too.
    {"ert", last,
     "Ran %t test{s}, %n result{s} as expected{, %f unexpected}{, %s skipped} (%*\n%s expected failure{s}"},
    {"ert", last,
     "Ran %t test{s}, %n result{s} as expected, %f unexpected, %s skipped (%*\n%s expected failure{s}"},
    {"ert", last, "Ran %t test{s}, %p result{s} as expected{, %f unexpected}{, %s skipped} (%*"},
    {"ert", last, "Ran %t test{s}, %p result{s} as expected, %f unexpected, %s skipped (%*"},
    {"buttercup", last, "Ran %t spec{s}, %f failed, in %*"},
    {"kaocha", last, "%t test{s}, %n assertion{s}{, %e error}{s}{, %s pending}, %f failure{s}."},

    // Lua, R, Julia, Tcl, PowerShell, vim, …
    {"busted", last, "%p success{es} / %f failure{s} / %e error{s} / %s pending : %d seconds"},
    {"luaunit", last,
     "Ran %r test{s} in %d seconds, %p success{es}, %f failure{s}{, %e error}{s}{, %s skipped}"},
    {"luaunit", last, "Ran %r test{s} in %d seconds, %p success{es}, %e error{s}{, %s skipped}"},
    {"testthat", last, "[ FAIL %f | WARN %n | SKIP %s | PASS %n ]"},
    {"tcltest", last, "%w Total %t Passed %p Skipped %s Failed %f"},
    {"pester", last, "Tests Passed: %p, Failed: %f, Skipped: %s, Inconclusive: %s, NotRun: %n"},
    {"pester", last, "Tests Passed: %p, Failed: %f, Skipped: %s NotRun: %n"},
    {"pester", last, "Tests Passed: %p, Failed: %f, Skipped: %s, Pending: %s, Inconclusive: %s"},
    {"vader", last, "Success/Total: %p/%t{ (%*}"},

    {"kahlan", last, "Passed %p of %r PASS in %*"},
    {"kahlan", last, "Passed %p of %r FAIL (FAILURE: %f{, EXCEPTION: %e}) in %*"},
    {"kahlan", last, "Passed %p of %r FAIL (EXCEPTION: %e) in %*"},

    // Shell and infrastructure
    {"terraform-test", last, "Success! %p passed, %f failed{, %s skipped}."},
    {"terraform-test", last, "Failure! %p passed, %f failed{, %s skipped}."},
    {"forge", each, "Suite result: %w %p passed; %f failed; %s skipped; finished in %*"},
    {"forge", each, "Test result: %w %p passed; %f failed; %s skipped; finished in %*"},
    {"inspec", last, "Test Summary: %p successful, %f failure{s}, %s skipped"},
    {"goss", last, "Count: %t, Failed: %f, Skipped: %s"},
    {"conftest", last, "%t test{s}, %p passed, %n warning{s}, %f failure{s}, %e exception{s}"},
    {"vunit", last, "pass %p of %t\nfail %f of %t"},
    {"buck2", last,
     "Tests finished: Pass %p. Fail %f. {Timeout %f. }Fatal %e. Skip %s. {Omit %s. }{Infra Failure %e. "
     "}Build "
     "failure %e"},
    {"hurl", last,
     "Executed files: %t\n?Executed requests: %*\nSucceeded files: %p (%*\nFailed files: %f (%*"},
    // k6 counts what its checks said, each time they ran.
    {"k6", last,
     "{ }checks_total%w %t %*\n checks_succeeded%w %d%% %p out of %n\n checks_failed%w %d%% %f out of %n"},
    {"k6", last, "{ }checks%w %d%% ✓ %p ✗ %f"},
    {"newman", last, "│ assertions │ %t │ %f │", "test-scripts"},
    {"avocado", last,
     "RESULTS : PASS %p | ERROR %e | FAIL %f | SKIP %s | WARN %p | INTERRUPT %e{ | CANCEL %s}"},
    {"v-test", last, "Summary for all V _test.v files: {%f failed, }{%p passed, }{%s skipped, }%t total.%*"},
    {"gleeunit", last, "%p test{s}, no failures"},
    {"midje", last, "All checks (%p) succeeded."},
    {"midje", last, "FAILURE: %f check{s} failed. (But %p succeeded.)"},
    {"tinytest", last, "All ok, %p results %*"},
    {"tinytest", last, "Showing %n out of %t results: %f fail{s}, %p pass{es}%*"},
    {"runit", each, "Number of test functions: %t\nNumber of errors: %e\nNumber of failures: %f"},
    // Models that were built count too: dbt tells them together.
    {"dbt", last, "Done. PASS=%p WARN=%p ERROR=%f SKIP=%s {NO-OP=%s }TOTAL=%t"},
    {"dbt", last, "%w Done. PASS=%p WARN=%p ERROR=%f SKIP=%s {NO-OP=%s }TOTAL=%t"},
});
#undef RULER

}  // namespace

std::span<const SummaryRow> summary_rows() { return kSummariesTableRows; }

}  // namespace hydra::parsers
