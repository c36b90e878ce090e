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
    {"gleeunit", "gleeunit", 0, 3, 0, 0, 0, 3, "", "...\n3 tests, no failures\n"},
};

inline std::vector<Documented> all_documented() {
  std::vector<Documented> all(std::begin(kDocumented), std::end(kDocumented));
  all.insert(all.end(), std::begin(kMoreDocumented), std::end(kMoreDocumented));
  return all;
}

}  // namespace hydra::parsers
