// Report formats from their documentation; damaged and hostile ones.
#include "parsers/parsers.hpp"

#include <gtest/gtest.h>

namespace hydra::parsers {
namespace {

struct Expected {
  std::string format;
  std::int64_t passed, failed, skipped, errors;
};

void expect(const std::string& text, int exit, const Expected& e,
            const std::vector<std::string>& names = {}) {
  const auto r = parse_tests(text, {exit, {}});
  EXPECT_EQ(r.format, e.format) << text.substr(0, 80);
  EXPECT_EQ(r.counts.passed, e.passed) << e.format;
  EXPECT_EQ(r.counts.failed, e.failed) << e.format;
  EXPECT_EQ(r.counts.skipped, e.skipped) << e.format;
  EXPECT_EQ(r.counts.errors, e.errors) << e.format;
  EXPECT_TRUE(r.complete) << e.format;
  EXPECT_TRUE(r.suspicious.empty()) << e.format << ": " << (r.suspicious.empty() ? "" : r.suspicious[0]);
  EXPECT_EQ(r.confidence, model::Confidence::high) << e.format;
  if (names.empty()) return;
  std::vector<std::string> mine;
  for (const auto& t : r.tests) mine.push_back(t.name);
  EXPECT_EQ(mine, names);
}

TEST(JUnit, Dialects) {
  // A suite that could not run has no test case, only an attribute.
  const auto broken = parse_tests(
      R"x(<testsuites tests="1" failures="0" errors="1"><testsuite name="a" errors="1" tests="1"><testcase name="x"/></testsuite></testsuites>)x",
      {1, {}});
  EXPECT_EQ(broken.counts.errors, 1);
  EXPECT_EQ(broken.counts.passed, 1);
  EXPECT_FALSE(broken.counts.total);
  // Surefire: passed on a second try.
  expect(
      R"x(<testsuite name="p.C" tests="1" failures="0"><testcase name="a" classname="p.C"><flakyFailure message="m"/></testcase></testsuite>)x",
      0, {"junit", 1, 0, 0, 0}, {"p.C.a"});
  // Several files behind each other, as `cat build/test-results/*.xml` gives them, with text around.
  expect(
      "> Task :test\n<?xml version=\"1.0\"?>\n<testsuite name=\"A\" tests=\"1\"><testcase name=\"x\" "
      "classname=\"A\"/>\n"
      "</testsuite>\n<?xml version=\"1.0\"?>\n<testsuite name=\"B\" tests=\"1\"><testcase name=\"x\" "
      "classname=\"B\">"
      "<skipped/></testcase></testsuite>\nBUILD SUCCESSFUL\n",
      0, {"junit", 1, 0, 1, 0}, {"A.x", "B.x"});
}

TEST(JUnit, EqualNamesAreNumberedByStatus) {
  const auto r = parse_tests(
      R"x(<testsuite tests="3"><testcase name="x"><failure/></testcase><testcase name="x"/><testcase name="x #2"/></testsuite>)x",
      {1, {}});
  ASSERT_EQ(r.tests.size(), 3U);
  EXPECT_EQ(r.tests[1].name, "x");
  EXPECT_EQ(r.tests[0].name, "x #3");
  EXPECT_EQ(r.tests[2].name, "x #2");
}

TEST(JUnit, ALintersFindingsAreNoTests) {
  const auto r = parse_tests(
      R"x(<testsuites><testsuite package="org.eslint" name="a.js" tests="1" errors="1"><testcase name="no-undef"><failure/></testcase></testsuite></testsuites>)x",
      {1, {}});
  EXPECT_EQ(r.format, "exit_code_only");
}

TEST(JUnit, CutAnywhereIsNeverClean) {
  const std::string whole =
      "<?xml version=\"1.0\"?>\n<testsuites tests=\"2\" failures=\"1\">\n<testsuite name=\"s\" tests=\"2\" "
      "failures=\"1\">\n"
      "<testcase name=\"a\"/>\n<testcase name=\"b\"><failure "
      "message=\"m\">&lt;/testsuites></failure></testcase>\n"
      "</testsuite>\n</testsuites>\n";
  for (std::size_t n = 0; n + 2 < whole.size(); ++n) {
    const auto r = parse_tests(whole.substr(0, n), {0, {}});
    EXPECT_TRUE(r.format == "exit_code_only" || !r.complete) << n;
    EXPECT_TRUE(r.format == "exit_code_only" || !r.suspicious.empty()) << n;
  }
}

TEST(Xml, EntityBombsStayText) {
  std::string bomb =
      "<?xml version=\"1.0\"?>\n<!DOCTYPE lolz [<!ENTITY a \"lol>]\"><!ENTITY b \"&a;&a;&a;\">]>\n<testsuite "
      "tests=\"1\">";
  bomb += "<testcase name=\"&b;&#65;&#x1F600;&#xD800;\"/></testsuite>\n";
  expect(bomb, 0, {"junit", 1, 0, 0, 0}, {"&b;A\xF0\x9F\x98\x80\xEF\xBF\xBD"});
}

TEST(Json, Documents) {
  expect(
      R"x({"created":1.0,"exitcode":1,"root":"/r","summary":{"passed":1,"failed":1,"xfailed":1,"total":3,"collected":3},
"tests":[{"nodeid":"t.py::a","outcome":"passed"},{"nodeid":"t.py::b","outcome":"failed"},{"nodeid":"t.py::c","outcome":"xfailed"}]})x",
      1, {"pytest", 1, 1, 1, 0}, {"t.py::a", "t.py::b", "t.py::c"});
}

TEST(Json, Lines) {
  expect(R"x({ "type": "suite", "event": "started", "test_count": 2 }
{ "type": "test", "event": "started", "name": "a" }
{ "type": "test", "name": "a", "event": "ok" }
{ "type": "test", "name": "b", "event": "failed", "stdout": "{ \"type\": \"test\" }" }
{ "type": "suite", "event": "failed", "passed": 1, "failed": 1, "ignored": 0 }
)x",
         101, {"cargo-test", 1, 1, 0, 0}, {"a", "b"});
  const auto cut = parse_tests(
      "{ \"type\": \"suite\", \"event\": \"started\", \"test_count\": 2 }\n"
      "{ \"type\": \"test\", \"name\": \"a\", \"event\": \"ok\" }\n",
      {0, {}});
  EXPECT_FALSE(cut.complete);
  EXPECT_FALSE(cut.suspicious.empty());
}

TEST(Json, DeepNestingIsRefused) {
  for (const char* open : {"[", "{\"summary\":", "{\"numTotalTests\":["}) {
    std::string deep;
    for (int i = 0; i < 100'000; ++i) deep += open;
    EXPECT_EQ(parse_tests(deep, {0, {}}).format, "exit_code_only");
    EXPECT_EQ(parse_tests("{\"numTotalTests\":1,\"x\":" + deep, {0, {}}).format, "exit_code_only");
  }
}

}  // namespace
}  // namespace hydra::parsers
