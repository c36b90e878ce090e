// More outputs of test runners written from their documented formats, and all of them together.
#pragma once

#include "documented_cases.hpp"

#include <iterator>
#include <vector>

namespace hydra::parsers {

inline const Documented kMoreDocumented[] = {
    {"tox", "pytest", 1, 1, 1, 0, 0, 2, "tests_failed",
     "py311: commands[0]> pytest\n============================= test session starts "
     "==============================\n"
     "collected 2 items\n\nt.py .F\n\n========================= 1 failed, 1 passed in 0.01s "
     "=========================\n"
     "py311: exit 1 (0.35 seconds) /repo> pytest pid=12\n  py311: FAIL code 1 (0.40=setup[0.05]+cmd[0.35] "
     "seconds)\n"
     "  evaluation failed :( (0.50 seconds)\n"},
    {"newman", "newman", 1, 1, 1, 0, 0, 2, "tests_failed",
     R"(newman

Demo

→ Get
  GET https://x [200 OK, 1kB, 50ms]
  ✓  status
  1. time

┌─────────────────────────┬──────────┬──────────┐
│                         │ executed │   failed │
├─────────────────────────┼──────────┼──────────┤
│              iterations │        1 │        0 │
├─────────────────────────┼──────────┼──────────┤
│                requests │        1 │        0 │
├─────────────────────────┼──────────┼──────────┤
│            test-scripts │        1 │        0 │
├─────────────────────────┼──────────┼──────────┤
│      prerequest-scripts │        0 │        0 │
├─────────────────────────┼──────────┼──────────┤
│              assertions │        2 │        1 │
├─────────────────────────┴──────────┴──────────┤
│ total run duration: 177ms                     │
└───────────────────────────────────────────────┘
)"},
    {"hurl", "hurl", 4, 1, 1, 0, 0, 2, "tests_failed",
     R"(a.hurl: Success (1 request(s) in 5 ms)
b.hurl: Failure (1 request(s) in 5 ms)
--------------------------------------------------------------------------------
Executed files:    2
Executed requests: 2 (45.5/s)
Succeeded files:   1 (50.0%)
Failed files:      1 (50.0%)
Duration:          22 ms

)"},
    {"v_test", "v-test", 1, 2, 1, 0, 0, 3, "tests_failed",
     R"(---- Testing... ----
OK    [1/3] C: 1 ms a_test.v
FAIL  [2/3] b_test.v
Summary for all V _test.v files: 1 failed, 2 passed, 3 total. Elapsed time: 1000 ms, on 1 job.
)"},
    {"buck2", "buck2", 32, 3, 1, 0, 0, 4, "tests_failed",
     R"(✓ Pass: //a:t - one (0.1s)
✗ Fail: //a:t - two (0.1s)
Tests finished: Pass 3. Fail 1. Timeout 0. Fatal 0. Skip 0. Omit 0. Infra Failure 0. Build failure 0
)"},
    {"buck2_old", "buck2", 32, 3, 1, 2, 0, 6, "tests_failed",
     R"(Tests finished: Pass 3. Fail 1. Fatal 0. Skip 2. Build failure 0
)"},
    {"dbt", "dbt", 1, 3, 1, 0, 0, 4, "tests_failed",
     R"(10:00:00  1 of 4 START test not_null_a ... [RUN]
10:00:00  1 of 4 PASS not_null_a ... [PASS in 0.05s]
10:00:01  Completed with 1 error and 0 warnings:
10:00:01  
10:00:01  Failure in test not_null (models/a.yml)
10:00:01    Got 1 result, configured to fail if != 0
10:00:01  
10:00:01  Done. PASS=3 WARN=0 ERROR=1 SKIP=0 TOTAL=4
)"},
    {"dbt_ok", "dbt", 0, 4, 0, 0, 0, 4, "",
     R"(10:00:01  Completed successfully
10:00:01  
10:00:01  Done. PASS=4 WARN=0 ERROR=0 SKIP=0 NO-OP=0 TOTAL=4
)"},
    {"midje", "midje", 1, 2, 1, 0, 0, 3, "tests_failed",
     R"(FAIL at (t.clj:3)
FAILURE: 1 check failed.  (But 2 succeeded.)
)"},
    {"midje_ok", "midje", 0, 3, 0, 0, 0, 3, "",
     R"(nil
All checks (3) succeeded.
)"},
    {"tinytest", "tinytest", 1, 2, 1, 0, 0, 3, "tests_failed",
     R"(test_a.R......................    3 tests 1 fails 10ms
----- FAILED[data]: test_a.R<3--3>
 call| expect_equal(1, 2)

Showing 1 out of 3 results: 1 fails, 2 passes (10ms)
)"},
    {"tinytest_ok", "tinytest", 0, 3, 0, 0, 0, 3, "",
     R"(test_a.R......................    3 tests OK 10ms
All ok, 3 results (10ms)
)"},
    {"runit", "runit", 1, 2, 1, 0, 0, 3, "tests_failed",
     R"(RUNIT TEST PROTOCOL -- Sat Nov 21 10:00:00 2026 
*********************************************** 
Number of test functions: 3 
Number of errors: 0 
Number of failures: 1 

)"},
    {"avocado", "avocado", 1, 2, 1, 0, 0, 3, "tests_failed",
     R"(JOB ID     : x
 (1/3) a: PASS (0.1 s)
RESULTS    : PASS 2 | ERROR 0 | FAIL 1 | SKIP 0 | WARN 0 | INTERRUPT 0 | CANCEL 0
JOB TIME   : 1 s
)"},
    // Checks that passed with warnings are counted apart.
    {"boost_warnings", "boost-test", 201, 2, 2, 1, 0, 5, "tests_failed",
     R"(Running 4 test cases...
a.cpp(6): error: in "bad": check 1 == 2 has failed [1 != 2]
unknown location(0): fatal error: in "boom": unknown type
a.cpp(8): last checkpoint: "boom" test entry

Test module "demo" has failed with:
  1 test case out of 5 passed
  1 test case out of 5 passed with warnings
  2 test cases out of 5 failed
  1 test case out of 5 skipped
  1 test case out of 5 aborted
  2 assertions out of 4 passed
  2 assertions out of 4 failed
  1 failed warning
)"},
    {"boost_default", "boost-test", 0, 2, 0, kUnknown, 0, kUnknown, "",
     "Running 2 test cases...\n\n*** No errors detected\n"},
    {"boost_default_failed", "boost-test", 201, kUnknown, kUnknown, kUnknown, kUnknown, kUnknown,
     "tests_failed",
     R"(Running 4 test cases...
a.cpp(6): error: in "bad": check 1 == 2 has failed [1 != 2]

*** 1 failure is detected in the test module "demo"
)",
     0, false},
    {"nextest_shows_skipped", "nextest", 0, 1, 0, 1, 0, 2, "",
     R"(    Starting 1 test across 1 binary (1 test skipped)
        PASS [   0.004s] demo tests::adds
        SKIP [         ] demo tests::slow
────────────
     Summary [   0.007s] 1 test run: 1 passed, 1 skipped
)",
     2},
    {"k6", "k6", 99, 15, 5, 0, 0, 20, "tests_failed",
     R"(  █ THRESHOLDS 

    checks
    ✗ 'rate>0.9' rate=75.00%


  █ TOTAL RESULTS 

    checks_total.......: 20     15.54/s
    checks_succeeded...: 75.00% 15 out of 20
    checks_failed......: 25.00% 5 out of 20

    ✓ is status 200
    ✗ has body
      ↳  50% — ✓ 5 / ✗ 5

    HTTP
    http_req_duration..: avg=4.04ms min=2.51ms med=3.48ms max=12.11ms p(90)=6.41ms p(95)=12.11ms

running (00m01.3s), 0/1 VUs, 10 complete and 0 interrupted iterations
default ✓ [======================================] 1 VUs  00m01.3s/10m0s  10/10 shared iters
time="2025-05-01T10:00:00+02:00" level=error msg="thresholds on metrics 'checks' have been crossed"
)"},
    {"k6_before_1", "k6", 0, 20, 0, 0, 0, 20, "",
     R"(     ✓ is status 200
     ✓ has body

     checks.........................: 100.00% ✓ 20       ✗ 0   
     data_received..................: 39 kB  30 kB/s
     iterations.....................: 10     7.77/s
)"},
    // Every check holds, a threshold does not.
    {"k6_slow", "k6", 99, 20, 0, 0, 0, 20, "",
     R"(     ✓ is status 200

     checks.........................: 100.00% ✓ 20       ✗ 0   
   ✗ http_req_duration..............: avg=4.04ms min=2.51ms med=3.48ms max=12.11ms p(90)=6.41ms p(95)=12.11ms
time="2025-05-01T10:00:00+02:00" level=error msg="some thresholds have failed"
)"},
    {"nightwatch", "nightwatch", 5, 1, 1, 0, 0, 2, "tests_failed",
     R"(
[Demo] Test Suite
──────────────────────────────────────
  Running good:
──────────────────────────────────────
  ✔ Element <body> was visible after 45 milliseconds.

  ✨ PASSED. 1 assertions. (1.5s)

  Running bad:
──────────────────────────────────────
  ✖ Testing if element <x> is present - expected "present" but got: "not present"

  FAILED: 1 assertions failed (5.1s)

────────────────────────────────────────────────────────────────────────────────────────────────────

  ️TEST FAILURE (7.345s):  
   - 1 assertions failed; 1 passed

   ✖ 1) demo

   – bad (5.1s)
)",
     2},
    {"nightwatch_ok", "nightwatch", 0, 2, 0, 0, 0, 2, "",
     R"([Demo] Test Suite
  Running good:
  ✔ Element <body> was visible after 45 milliseconds.

  ✨ PASSED. 1 assertions. (1.5s)

  Running fine:
  ✔ Element <body> was visible after 45 milliseconds.

  ✨ PASSED. 3 assertions. (1.5s)

  ✨ PASSED. 4 total assertions (2.8s)
)",
     2},
    {"kahlan", "kahlan", 255, 2, 1, 0, 0, 3, "tests_failed",
     R"(.F.                                                 3 / 3 (100%)

  ✖ it adds
    expect->toBe() failed in `spec/a.php` line 9

Expectations   : 3 Executed
Specifications : 0 Pending, 0 Excluded, 0 Skipped

Passed 2 of 3 FAIL (FAILURE: 1) in 0.042 seconds (using 6MB)
)"},
    {"kahlan_ok", "kahlan", 0, 3, 0, 0, 0, 3, "", "Passed 3 of 3 PASS in 0.040 seconds (using 6MB)\n"},
    {"gleeunit", "gleeunit", 0, 3, 0, 0, 0, 3, "", "...\n3 tests, no failures\n"},
};

inline std::vector<Documented> all_documented() {
  std::vector<Documented> all(std::begin(kDocumented), std::end(kDocumented));
  all.insert(all.end(), std::begin(kMoreDocumented), std::end(kMoreDocumented));
  return all;
}

}  // namespace hydra::parsers
