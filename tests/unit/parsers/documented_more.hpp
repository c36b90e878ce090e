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
    {"nextest_shows_skipped", "nextest", 0, 1, 0, 1, 0, 2, "",
     R"(    Starting 1 test across 1 binary (1 test skipped)
        PASS [   0.004s] demo tests::adds
        SKIP [         ] demo tests::slow
────────────
     Summary [   0.007s] 1 test run: 1 passed, 1 skipped
)",
     2},
    // Every check holds, a threshold does not.
};

inline std::vector<Documented> all_documented() {
  std::vector<Documented> all(std::begin(kDocumented), std::end(kDocumented));
  all.insert(all.end(), std::begin(kMoreDocumented), std::end(kMoreDocumented));
  return all;
}

}  // namespace hydra::parsers
