// Outputs of test runners written from their documented formats, with what they say.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace hydra::parsers {

using N = std::optional<std::int64_t>;
inline constexpr std::nullopt_t kUnknown = std::nullopt;

struct Documented {
  std::string name, format;
  int exit_code = 0;
  N passed, failed, skipped, errors, total;
  std::string outcome;
  std::string text;
  std::size_t names = 0;  ///< how many tests are listed
  bool complete = true;
};

inline const Documented kDocumented[] = {
    // Rust
    {"nextest", "nextest", 100, 2, 1, 1, 0, 4, "tests_failed",
     R"(    Finished `test` profile [unoptimized + debuginfo] target(s) in 0.02s
────────────
 Nextest run ID 0b1c with nextest profile: default
    Starting 3 tests across 2 binaries (1 test skipped)
        PASS [   0.004s] demo tests::adds
        FAIL [   0.005s] demo tests::bad
        PASS [   0.004s] demo::it ok
────────────
     Summary [   0.007s] 3 tests run: 2 passed, 1 failed, 1 skipped
        FAIL [   0.005s] demo tests::bad
error: test run failed
)",
     3},
    {"nextest_ok", "nextest", 0, 3, 0, 0, 0, 3, "",
     R"(    Starting 3 tests across 2 binaries
        PASS [   0.004s] demo tests::adds
  TRY 1 FAIL [   0.005s] demo tests::flaky
  TRY 2 PASS [   0.005s] demo tests::flaky
        PASS [   0.004s] demo::it ok
────────────
     Summary [   0.007s] 3 tests run: 3 passed (1 flaky), 0 skipped
)",
     3},
    // .NET
    {"dotnet_minimal", "dotnet", 1, 9, 1, 1, 0, 11, "tests_failed",
     R"(  Determining projects to restore...
  Failed Demo.Tests.MathTests.Bad [3 ms]
  Error Message:
   Assert.Equal() Failure

Failed!  - Failed:     1, Passed:     4, Skipped:     1, Total:     6, Duration: 20 ms - A.Tests.dll (net8.0)
Passed!  - Failed:     0, Passed:     5, Skipped:     0, Total:     5, Duration: 3 ms - B.Tests.dll (net8.0)
)"},
    {"dotnet_normal", "dotnet", 1, 2, 1, 1, 0, 4, "tests_failed",
     R"(Starting test execution, please wait...
  Passed Demo.MathTests.Adds [1 ms]
  Failed Demo.MathTests.Bad [2 ms]
  Skipped Demo.MathTests.Later [1 ms]
  Passed Demo.MathTests.Other [< 1 ms]

Test Run Failed.
Total tests: 4
     Passed: 2
     Failed: 1
    Skipped: 1
 Total time: 1.2053 Seconds
)"},
    {"dotnet_terminal_logger", "dotnet", 0, 4, 0, 1, 0, 5, "",
     R"(  Demo.Tests test succeeded (0.6s)

Test summary: total: 5, failed: 0, succeeded: 4, skipped: 1, duration: 0.6s
Build succeeded in 2.1s
)"},
    {"dotnet_unbuilt", "dotnet", 1, 0, 0, 0, kUnknown, kUnknown, "build_failed",
     R"(/repo/A.cs(3,9): error CS0103: The name 'x' does not exist in the current context [/repo/A.csproj]

Build FAILED.

    0 Warning(s)
    1 Error(s)
)"},
    {"dotnet_aborted", "dotnet", 1, kUnknown, kUnknown, kUnknown, kUnknown, kUnknown, "crashed",
     R"(The active test run was aborted. Reason: Test host process crashed : Stack overflow.

Test Run Aborted.
)",
     0, false},
    // Swift
    // JVM
    {"gradle", "gradle", 1, 3, 1, 1, 0, 5, "tests_failed",
     R"(> Task :compileJava
> Task :compileTestJava
> Task :test FAILED

ATest > bad() FAILED
    org.opentest4j.AssertionFailedError at ATest.java:9

5 tests completed, 1 failed, 1 skipped

FAILURE: Build failed with an exception.

* What went wrong:
Execution failed for task ':test'.
> There were failing tests. See the report at: file:///repo/build/reports/tests/test/index.html

BUILD FAILED in 2s
3 actionable tasks: 3 executed
)"},
    {"gradle_names", "gradle", 0, 2, 0, 1, 0, 3, "",
     R"(> Task :test

ATest > adds() PASSED

ATest > later() SKIPPED

BTest > other() PASSED

BUILD SUCCESSFUL in 2s
3 actionable tasks: 3 executed
)",
     3},
    {"gradle_silent", "gradle", 0, kUnknown, 0, kUnknown, 0, kUnknown, "",
     R"(> Task :compileJava
> Task :test

BUILD SUCCESSFUL in 2s
)"},
    {"gradle_unbuilt", "gradle", 1, 0, 0, 0, kUnknown, kUnknown, "build_failed",
     R"(> Task :compileJava FAILED
/repo/src/main/java/A.java:1: error: incompatible types

FAILURE: Build failed with an exception.

* What went wrong:
Execution failed for task ':compileJava'.
> Compilation failed; see the compiler error output for details.

BUILD FAILED in 1s
)"},
    // Browsers
    // Keyword-driven and behaviour-driven
    {"behat", "cucumber", 1, 2, 1, 0, 0, 3, "tests_failed",
     R"(--- Failed scenarios:

    features/a.feature:6

3 scenarios (2 passed, 1 failed)
9 steps (7 passed, 1 failed, 1 skipped)
0m0.02s (9.52Mb)
)"},
    // PHP
    {"pest", "pest", 1, 2, 1, 2, 0, 5, "tests_failed",
     R"(
   PASS  Tests\Unit\OtherTest
  ✓ it is other                                                         0.01s

   FAIL  Tests\Unit\MathTest
  ✓ it adds
  ⨯ it is bad                                                           0.02s
  - it is skipped
  ↓ it is later

  Tests:    1 failed, 1 skipped, 1 todo, 2 passed (3 assertions)
  Duration: 0.12s
)",
     5},
    {"phpunit_10", "phpunit", 0, 4, 0, 1, 0, 5, "",
     R"(PHPUnit 10.5.1 by Sebastian Bergmann and contributors.

..S.D                                                               5 / 5 (100%)

Time: 00:00.010, Memory: 8.00 MB

OK, but there were issues!
Tests: 5, Assertions: 6, Deprecations: 1, Skipped: 1.
)"},
    {"codeception", "phpunit", 1, 2, 1, 0, 0, 3, "tests_failed",
     R"(Codeception PHP Testing Framework v5.0.0

Unit Tests (3) ---------------------------------
✔ MathTest: Adds (0.00s)
✖ MathTest: Bad (0.00s)
------------------------------------------------

Time: 00:00.061, Memory: 10.00 MB

There was 1 failure:

FAILURES!
Tests: 3, Assertions: 3, Failures: 1.
)"},
    // C and C++
    {"catch2_v3", "catch2", 0, 3, 0, 0, 0, 3, "",
     R"(Randomness seeded to: 12
===============================================================================
All tests passed (7 assertions in 3 test cases)

)"},
    {"catch2_crash", "catch2", 139, 1, 1, 0, 0, 2, "crashed",
     R"(t.cpp:5: FAILED:
due to a fatal error condition:
  SIGSEGV - Segmentation violation signal

===============================================================================
test cases: 2 | 1 passed | 1 failed
assertions: 2 | 1 passed | 1 failed

)",
     0, false},
    {"doctest_crash", "doctest", 139, kUnknown, kUnknown, kUnknown, kUnknown, kUnknown, "crashed",
     "[doctest] doctest version is \"2.4.9\"\n[doctest] run with \"--help\" for options\n", 0, false},
    // Go
    // Functional languages
    {"tasty_ok", "tasty", 0, 2, 0, 0, 0, 2, "",
     "All\n  a: OK\n  b: OK (0.12s)\n\nAll 2 tests passed (0.12s)\n"},
    {"alcotest_ok", "alcotest", 0, 1, 0, 1, 0, 2, "",
     "Testing `demo'.\nThis run has ID `T6'.\n\n  [OK]          math          0   ok.\n  [SKIP]        math  "
     "        "
     "1   later.\n\nTest Successful in 0.001s. 1 test run.\n",
     2},
    {"ounit_ok", "ounit", 0, 3, 0, 0, 0, 3, "", "...\nRan: 3 tests in: 0.10 seconds.\nOK\n"},
    {"crystal", "crystal-spec", 1, 2, 1, 0, 0, 3, "tests_failed",
     ".F.\n\nFinished in 1.23 milliseconds\n3 examples, 1 failures, 0 errors, 0 pending\n"},
    // Others
    {"dart", "dart", 1, 3, 1, 1, 0, 5, "tests_failed",
     "00:00 +0: loading test/a_test.dart\n00:00 +0: adds\n00:00 +1: bad\n00:00 +1 -1: bad [E]\n  Expected: "
     "<2>\n"
     "00:00 +3 ~1 -1: Some tests failed.\n"},
    {"dart_ok", "dart", 0, 3, 0, 0, 0, 3, "",
     "00:00 +0: adds\n00:00 +2: other\n00:00 +3: All tests passed!\n"},
    {"pester", "pester", 1, 3, 1, 1, 0, 5, "tests_failed",
     "Tests completed in 1.2s\nTests Passed: 3, Failed: 1, Skipped: 1, Inconclusive: 0, NotRun: 0\n"},
    {"nose", "unittest", 1, 2, 1, 1, 1, 5, "tests_failed",
     ".FES.\n======================================================================\nERROR: test_err (t.A)\n"
     "----------------------------------------------------------------------\nValueError: x\n\n"
     "======================================================================\nFAIL: test_bad (t.A)\n"
     "----------------------------------------------------------------------\nAssertionError\n\n"
     "----------------------------------------------------------------------\nRan 5 tests in 0.010s\n\n"
     "FAILED (SKIP=1, errors=1, failures=1)\n"},
};

}  // namespace hydra::parsers
