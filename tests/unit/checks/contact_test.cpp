#include "checks/contact.hpp"

#include <gmock/gmock.h>

namespace hydra::checks {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

model::TestReport red_tests(const std::vector<std::string>& names) {
  model::TestReport report;
  for (const auto& name : names) report.tests.push_back({name, model::TestStatus::failed});
  return report;
}

const std::vector<std::string> kContactFiles{"tests/test_x.py", "test/x.test.mjs"};

// As pytest 8 prints failures: the section, the lines of code, the error, the place.
TEST(Contact, APytestFailureForWantOfANameIsNone) {
  const std::string log =
      "tests/test_x.py::test_clamp FAILED  [ 50%]\n"
      "tests/test_x.py::test_sum FAILED  [100%]\n"
      "=== FAILURES ===\n"
      "____ test_clamp ____\n"
      "    def test_clamp():\n"
      ">       assert calc.clamp(5, 1, 3) == 3\n"
      "E       AttributeError: module 'calc' has no attribute 'clamp'\n"
      "tests/test_x.py:6: AttributeError\n"
      "____ test_sum ____\n"
      ">       assert calc.add(1, 2) == 3\n"
      "E       assert 4 == 3\n"
      "tests/test_x.py:9: AssertionError\n";
  EXPECT_THAT(without_contact(log, red_tests({"tests/test_x.py::test_clamp", "tests/test_x.py::test_sum"}),
                              kContactFiles)
                  .tests,
              ElementsAre("tests/test_x.py::test_clamp"));
}

// A bug of the code that is tested is what tests are for, whatever kind of error it raises.
TEST(Contact, AnErrorInsideTheProductIsAFailure) {
  const std::string log =
      "ERROR: test_clamp (tests.test_x.TestX.test_clamp)\n"
      "----------------------------------------------------------------------\n"
      "Traceback (most recent call last):\n"
      "  File \"/home/u/app/tests/test_x.py\", line 6, in test_clamp\n"
      "    self.assertEqual(calc.clamp(5, 1, 3), 3)\n"
      "  File \"/home/u/app/calc.py\", line 2, in clamp\n"
      "    return limit.upper\n"
      "AttributeError: 'int' object has no attribute 'upper'\n"
      "\n"
      "ERROR: test_new (tests.test_x.TestX.test_new)\n"
      "----------------------------------------------------------------------\n"
      "Traceback (most recent call last):\n"
      "  File \"/home/u/app/tests/test_x.py\", line 9, in test_new\n"
      "    self.assertEqual(calc.clamp(5, 1, 3, 4), 3)\n"
      "TypeError: clamp() takes 3 positional arguments but 4 were given\n";
  EXPECT_THAT(without_contact(log,
                              red_tests({"test_clamp (tests.test_x.TestX.test_clamp)",
                                         "test_new (tests.test_x.TestX.test_new)"}),
                              kContactFiles)
                  .tests,
              ElementsAre("test_new (tests.test_x.TestX.test_new)"));
}

TEST(Contact, ParametersOfAFunctionThatExistsAreToldFromMissingNames) {
  const std::string log =
      "____ test_new ____\n"
      ">       assert clamp(5, 1, 3, wrap=True) == 2\n"
      "E       TypeError: clamp() got an unexpected keyword argument 'wrap'\n"
      "tests/test_x.py:6: TypeError\n"
      "____ test_gone ____\n"
      ">       assert calc.wrap(5) == 2\n"
      "E       AttributeError: module 'calc' has no attribute 'wrap'\n"
      "tests/test_x.py:9: AttributeError\n";
  const auto found = without_contact(
      log, red_tests({"tests/test_x.py::test_new", "tests/test_x.py::test_gone"}), kContactFiles);
  EXPECT_THAT(found.tests, ElementsAre("tests/test_x.py::test_new", "tests/test_x.py::test_gone"));
  EXPECT_THAT(found.by_arguments, ElementsAre("tests/test_x.py::test_new"));
}

// pytest's short tracebacks name each frame in front of the error.
TEST(Contact, AShortTracebackEndsInTheProduct) {
  const auto* const log =
      "=================================== FAILURES ===================================\n"
      "__________________________________ test_mode ___________________________________\n"
      "tests/test_stats.py:15: in test_mode\n"
      "    assert Stats([2, 1]).mode == 1\n"
      "lib/stats.py:150: in mode\n"
      "    return self._mode\n"
      "E   AttributeError: 'Stats' object has no attribute '_mode'\n";
  EXPECT_THAT(
      without_contact(log, red_tests({"tests/test_stats.py::test_mode"}), {"tests/test_stats.py"}).tests,
      IsEmpty());
}

// A missing name that the code under test caught is not what the test failed by.
TEST(Contact, WhatWasCaughtIsNotWhatFailed) {
  const auto* const log =
      "__________________________________ test_mode ___________________________________\n"
      "tests/test_stats.py:12: in test_mode\n"
      "    stats.fast_mode()\n"
      "E   AttributeError: 'Stats' object has no attribute 'fast_mode'\n"
      "\n"
      "During handling of the above exception, another exception occurred:\n"
      "tests/test_stats.py:15: in test_mode\n"
      "    assert Stats([2, 1]).mode == 1\n"
      "E   assert 2 == 1\n";
  EXPECT_THAT(
      without_contact(log, red_tests({"tests/test_stats.py::test_mode"}), {"tests/test_stats.py"}).tests,
      IsEmpty());
}

TEST(Contact, TapNamesTheFrameBelowTheError) {
  const std::string log =
      "TAP version 13\n"
      "# Subtest: clamps\n"
      "not ok 1 - clamps\n"
      "  ---\n"
      "  location: '/home/u/app/test/x.test.mjs:4:1'\n"
      "  failureType: 'testCodeFailure'\n"
      "  error: 'calc.clamp is not a function'\n"
      "  stack: |-\n"
      "    TestContext.<anonymous> (file:///home/u/app/test/x.test.mjs:5:22)\n"
      "    Test.runInAsyncScope (node:async_hooks:206:9)\n"
      "  ...\n"
      "# Subtest: adds\n"
      "not ok 2 - adds\n"
      "  ---\n"
      "  error: 'value.reduce is not a function'\n"
      "  stack: |-\n"
      "    add (file:///home/u/app/calc.mjs:2:10)\n"
      "    TestContext.<anonymous> (file:///home/u/app/test/x.test.mjs:9:22)\n"
      "  ...\n";
  EXPECT_THAT(without_contact(log, red_tests({"clamps", "adds"}), kContactFiles).tests,
              ElementsAre("clamps"));
}

TEST(Contact, APathNamesNoTest) {
  const std::string log =
      "not ok 1 - all\n"
      "  error: '0 == 1'\n"
      "not ok 2 - low\n"
      "  location: '/home/u/app/test/all.test.mjs:5:1'\n"
      "  error: 'calc.low is not a function'\n";
  EXPECT_THAT(without_contact(log, red_tests({"all", "low"}), kContactFiles).tests, ElementsAre("low"));
}

TEST(Contact, WhatAFunctionGivesBackIsNoInterface) {
  const std::string log =
      "____ test_clamp ____\n"
      "E       AttributeError: 'NoneType' object has no attribute 'upper'\n"
      "tests/test_x.py:6: AttributeError\n";
  EXPECT_THAT(without_contact(log, red_tests({"tests/test_x.py::test_clamp"}), kContactFiles).tests,
              IsEmpty());
}

TEST(Contact, GreenTestsAreNotAskedFor) {
  model::TestReport report;
  report.tests.push_back({"tests/test_x.py::test_clamp", model::TestStatus::passed});
  EXPECT_THAT(
      without_contact("test_clamp\nImportError: cannot import name 'x'\n", report, kContactFiles).tests,
      IsEmpty());
}

}  // namespace
}  // namespace hydra::checks
