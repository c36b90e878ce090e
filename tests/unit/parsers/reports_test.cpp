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

std::string suite_of(const std::string& cases, const std::string& figures = {}) {
  return "<testsuite name=\"s\"" + figures + ">" + cases + "</testsuite>";
}
std::string junit_case(const std::string& name, const std::string& inside, const std::string& more = {}) {
  return "<testcase classname=\"s\" name=\"" + name + "\"" + more + ">" + inside + "</testcase>";
}
std::vector<std::string> cases_of(const model::ParsedTests& r) {
  std::vector<std::string> out;
  for (const auto& t : r.tests) out.push_back(t.name + " " + std::string(model::name(t.status)));
  return out;
}
using Cases = std::vector<std::string>;

TEST(JUnitTries, APassedRunHasOneTestOfEachName) {
  const auto tries = junit_case("net", "<failure/>") + junit_case("a", "") + junit_case("net", "<error/>") +
                     junit_case("net", "");
  const auto text = suite_of(tries, " tests=\"4\" failures=\"1\" errors=\"1\"");
  expect(text, 0, {"junit", 2, 0, 0, 0}, {"s.a", "s.net"});
  const Report file[] = {{"junit.xml", text, {}}};
  const auto r = parse_tests("2 tests completed, 0 failed\n", {0, {}}, Hints{}, file);
  EXPECT_EQ(cases_of(r), (Cases{"s.a passed", "s.net passed"}));
  EXPECT_TRUE(r.suspicious.empty());
}

TEST(JUnitTries, TheOutputMayCountTries) {
  const auto text = suite_of(junit_case("net", "<failure/>") + junit_case("net", ""));
  const Report file[] = {{"j", text, {}}};
  const auto r = parse_tests("> Task :test\n\n2 tests completed, 1 failed\n\nBUILD SUCCESSFUL in 1s\n",
                             {0, {}}, Hints{}, file);
  EXPECT_EQ(cases_of(r), Cases{"s.net passed"});
  EXPECT_TRUE(r.suspicious.empty());
}

TEST(JUnitTries, WithoutAPassTheTestFailed) {
  const auto r =
      parse_tests(suite_of(junit_case("net", "<failure/>") + junit_case("net", "<failure/>")), {1, {}});
  EXPECT_EQ(cases_of(r), Cases{"s.net failed"});
  EXPECT_TRUE(r.suspicious.empty());
  EXPECT_FALSE(
      parse_tests(suite_of(junit_case("net", "<failure/>") + junit_case("net", "<failure/>")), {0, {}})
          .suspicious.empty());
}

// The exit code says that a test failed: equal names are different tests, or tries of a test that is flaky.
TEST(JUnitTries, AFailedRunNeverMakesATestPass) {
  const auto alone = parse_tests(suite_of(junit_case("x", "<failure/>") + junit_case("x", "")), {1, {}});
  EXPECT_EQ(cases_of(alone), (Cases{"s.x #2 failed", "s.x passed"}));
  const auto order = parse_tests(
      suite_of(junit_case("x", "") + junit_case("x", "<failure/>") + junit_case("y", "<failure/>")), {1, {}});
  EXPECT_EQ(cases_of(order), (Cases{"s.x passed", "s.x #2 failed", "s.y failed"}));
  const auto retried = parse_tests(
      suite_of(junit_case("x", "<failure/>") + junit_case("x", "") + junit_case("y", "<failure/>")), {1, {}});
  EXPECT_EQ(cases_of(retried), (Cases{"s.x failed", "s.y failed"}));
  for (const ExitFacts& exit : {ExitFacts{}, ExitFacts{{}, 9}})
    EXPECT_EQ(parse_tests(suite_of(junit_case("x", "<failure/>") + junit_case("x", "")), exit).counts.failed,
              1);
}

TEST(JUnitTries, OtherSuitesAndFilesHaveOtherTests) {
  const auto bad = junit_case("x", "<failure/>"), good = junit_case("x", "");
  EXPECT_EQ(
      parse_tests("<testsuites>" + suite_of(bad) + suite_of(good) + "</testsuites>", {0, {}}).counts.failed,
      1);
  const auto files =
      suite_of(junit_case("x", "<failure/>", " file=\"a\"") + junit_case("x", "", " file=\"b\""));
  EXPECT_FALSE(parse_tests(files, {0, {}}).suspicious.empty());
  // A skipped entry is no try, and passed ones of equal names are different tests.
  EXPECT_FALSE(parse_tests(suite_of(bad + junit_case("x", "<skipped/>")), {0, {}}).suspicious.empty());
  EXPECT_EQ(parse_tests(suite_of(good + good), {0, {}}).counts.passed, 2);
}

TEST(JUnit, TheListIsTheTruth) {
  // Several failures of a test, and errors that are counted among the failures, are no contradiction.
  const auto twice = suite_of(junit_case("x", "<failure/><failure/>"), " tests=\"1\" failures=\"2\"");
  expect(twice, 1, {"junit", 0, 1, 0, 0}, {"s.x"});
  const auto both = suite_of(junit_case("x", "<failure/>"), " tests=\"1\" failures=\"1\" errors=\"1\"");
  expect(both, 1, {"junit", 0, 1, 0, 0}, {"s.x"});
  for (const char* figures : {" tests=\"2\" failures=\"0\"", " tests=\"2\" failures=\"2\""}) {
    const auto r =
        parse_tests(suite_of(junit_case("x", "<failure/>") + junit_case("y", ""), figures), {1, {}});
    EXPECT_EQ(r.counts.failed, 1) << figures;
    EXPECT_EQ(r.counts.total, 2) << figures;
    EXPECT_FALSE(r.suspicious.empty()) << figures;
  }
}

TEST(Json, TheListIsTheTruth) {
  const auto jest = [](const std::string& figures, const std::string& statuses) {
    std::string list;
    for (const char c : statuses)
      list += std::string(list.empty() ? "" : ",") + R"({"fullName":")" + c + R"(","status":")" +
              (c == 'p'   ? "passed"
               : c == 'f' ? "failed"
                          : "pending") +
              "\"}";
    return "{" + figures + R"(,"success":false,"testResults":[{"assertionResults":[)" + list + "]}]}\n";
  };
  const auto fewer =
      parse_tests(jest(R"("numTotalTests":3,"numPassedTests":3,"numFailedTests":0)", "ppf"), {1, {}});
  EXPECT_EQ(fewer.counts.passed, 2);
  EXPECT_EQ(fewer.counts.failed, 1);
  EXPECT_EQ(fewer.tests.size(), 3U);
  EXPECT_FALSE(fewer.suspicious.empty());
  // vitest once counted skipped tests as passed.
  expect(jest(R"("numTotalTests":3,"numPassedTests":2,"numFailedTests":1,"numPendingTests":1)", "psf"), 1,
         {"jest", 1, 1, 1, 0}, {"p", "s", "f"});
}

TEST(Trx, Outcomes) {
  expect(R"x(<?xml version="1.0" encoding="utf-8"?>
<TestRun id="1" xmlns="http://microsoft.com/schemas/VisualStudio/TeamTest/2010"><Results>
<UnitTestResult testName="D.Adds" outcome="Passed"/>
<UnitTestResult testName="D.Bad" outcome="Failed"><Output><ErrorInfo><Message>m</Message></ErrorInfo></Output></UnitTestResult>
<UnitTestResult testName="D.Off" outcome="NotExecuted"/><UnitTestResult testName="D.Odd" outcome="NotRunnable"/>
<UnitTestResult testName="D.Rows" outcome="Passed"><InnerResults><UnitTestResult testName="D.Rows(1)" outcome="Passed"/>
<UnitTestResult testName="D.Rows(2)" outcome="Passed"></UnitTestResult></InnerResults></UnitTestResult></Results>
<ResultSummary outcome="Failed"><Counters total="5" executed="3" passed="2" failed="1" notRunnable="1"/></ResultSummary></TestRun>)x",
         1, {"trx", 2, 1, 2, 0}, {"D.Adds", "D.Bad", "D.Off", "D.Odd", "D.Rows"});
  const auto unloaded = parse_tests(
      "<TestRun><Results/><ResultSummary outcome=\"Failed\"><Counters "
      "total=\"0\"/></ResultSummary></TestRun>",
      {0, {}});
  EXPECT_EQ(unloaded.counts.errors, 1);
  EXPECT_FALSE(unloaded.suspicious.empty());
}

TEST(Nunit, Versions) {
  // NUnit 2.4 has no results, 2.5 has; a test that is not runnable did not run.
  expect(
      R"x(<?xml version="1.0"?><test-results name="a.dll" total="3" errors="1" failures="1" not-run="2" invalid="1">
<test-suite name="a" success="False"><results><test-case name="N.A" executed="True" success="True"/>
<test-case name="N.B" executed="True" success="False"><failure><message>m</message></failure></test-case>
<test-case name="N.C" executed="False"><reason/></test-case>
<test-case name="N.D" executed="True" result="Error" success="False"/>
<test-case name="N.E" executed="False" result="NotRunnable"/></results></test-suite></test-results>)x",
      1, {"nunit", 1, 1, 2, 1}, {"N.A", "N.B", "N.C", "N.D", "N.E"});
  const std::string suite = R"x(<test-suite type="Assembly" name="d" total="3" failed="1">
<test-case id="1" name="A" fullname="N.A" result="Passed"/><test-case id="2" name="B" fullname="N.B" result="Failed" label="Error">
<failure/></test-case><test-case id="3" name="C" fullname="N.C" result="Inconclusive"/></test-suite>)x";
  for (const auto& text :
       {suite, "<test-run id=\"2\" total=\"3\" failed=\"1\" result=\"Failed\">" + suite + "</test-run>"})
    expect(text, 1, {"nunit", 1, 1, 1, 0}, {"N.A", "N.B", "N.C"});
}

TEST(Xunit, Assemblies) {
  const std::string assembly =
      R"x(<assembly name="a.dll" total="3" passed="1" failed="1" skipped="1" errors="0"><collection name="c">
<test name="A.adds(x: 1)" type="A" method="adds" result="Pass"/><test name="A.bad" result="Fail"><failure><message>
<![CDATA[<test result="Pass" name="x"/>]]></message></failure></test><test name="A.off" result="Skip"><reason>r</reason></test>
</collection></assembly>)x";
  for (const auto& text : {assembly, "<assemblies>" + assembly + "</assemblies>"})
    expect(text, 1, {"xunit", 1, 1, 1, 0}, {"A.adds(x: 1)", "A.bad", "A.off"});
}

TEST(Tap, DirectivesAreWords) {
  const auto r = parse_tests(
      "TAP version 13\n1..7\nnot ok 1 - a # TODO: later\nnot ok 2 - b # todolist is empty\nok 3 - c # "
      "Skipped here\n"
      "ok 4 - issue #12\nnot ok 5 - issue #12 # todo\nnot ok 6 - d \\# TODO\nok 7 - e # time=2ms\n",
      {1, {}});
  EXPECT_EQ(cases_of(r), (Cases{"a skipped", "b failed", "c skipped", "issue #12 passed",
                                "issue #12 #2 skipped", "d \\# TODO failed", "e passed"}));
}

TEST(Tap, PointsOutsideOfThePlan) {
  EXPECT_TRUE(parse_tests("1..2\nok 1 - a\nok 2 - b\n", {0, {}}).suspicious.empty());
  for (const char* text : {"1..2\nok 1 - a\nok 3 - b\n", "1..2\nok 1 - a\nok 1 - b\n",
                           "1..0 # SKIP\nok 1 - a\n", "1..2\nok 1 - a\nok 2 - b\nnot ok 2 - c\n"})
    EXPECT_FALSE(parse_tests(text, {0, {}}).suspicious.empty()) << text;
  // Each of several documents begins with 1; points need no numbers.
  EXPECT_TRUE(parse_tests("1..1\nok 1 - a\n1..1\nok 1 - b\n", {0, {}}).suspicious.empty());
  EXPECT_TRUE(parse_tests("1..2\nok - a\nok - b\n", {0, {}}).suspicious.empty());
  EXPECT_EQ(parse_tests("1..0 # SKIP no database\n", {0, {}}).outcome, model::TestOutcome::no_tests);
}

TEST(Json, GoEventsWithoutAPackage) {
  const std::string events = R"({"Action":"run","Test":"TestA"})"
                             "\n"
                             R"({"Action":"output","Test":"TestA","Output":"--- FAIL: TestA\n"})"
                             "\n"
                             R"({"Action":"run","Test":"TestA/sub"})"
                             "\n"
                             R"({"Action":"pass","Test":"TestA/sub"})"
                             "\n"
                             R"({"Action":"fail","Test":"TestA"})"
                             "\n"
                             R"({"Action":"output","Output":"FAIL\n"})"
                             "\n";
  expect(events + R"({"Action":"fail"})" + "\n", 1, {"go-test", 1, 1, 0, 0}, {"TestA", "TestA/sub"});
  EXPECT_FALSE(parse_tests(events, {0, {}}).complete);
  // Lines of other tools.
  EXPECT_EQ(parse_tests("{\"Action\":\"pass\"}\n{\"Action\":\"run\"}\n", {0, {}}).format, "exit_code_only");
}

TEST(Sarif, SuppressionsHaveAStatus) {
  const auto errors = [](const std::string& suppressions) {
    return parse_lint(
               R"({"version":"2.1.0","runs":[{"tool":{"driver":{"name":"x"}},"results":[{"level":"error",)"
               R"("message":{"text":"m"},"suppressions":[)" +
                   suppressions + "]}]}]}\n",
               {0, {}})
        .errors;
  };
  EXPECT_EQ(errors(""), 1);
  EXPECT_EQ(errors(R"({"kind":"inSource"})"), 0);
  EXPECT_EQ(errors(R"({"kind":"external","status":"accepted"})"), 0);
  EXPECT_EQ(errors(R"({"kind":"external","status":"underReview"})"), 1);
  EXPECT_EQ(errors(R"({"kind":"external","status":"accepted"},{"kind":"external","status":"rejected"})"), 1);
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
