// Report files beside the output and the exit code: agreement, contradiction, and files that can't be read.
#include "parsers/parsers.hpp"

#include <gtest/gtest.h>

namespace hydra::parsers {
namespace {

const std::string kReport =
    "<testsuites><testsuite name=\"t\" tests=\"3\" failures=\"1\"><testcase classname=\"t\" name=\"a\"/>"
    "<testcase classname=\"t\" name=\"b\"/><testcase classname=\"t\" "
    "name=\"c\"><failure/></testcase></testsuite></testsuites>";
const std::string kText =
    "============================= test session starts ==============================\ncollected 3 items\n\n"
    "t.py ..F\n\n=== 1 failed, 2 passed in 0.01s ===\n";

model::ParsedTests read(const std::string& text, const ExitFacts& exit, const Report& report) {
  const Report reports[] = {report};
  return parse_tests(text, exit, {}, reports);
}

TEST(CrossCheck, AgreementTakesTheReport) {
  for (const auto& text : {kText, std::string("quiet\n"), std::string()}) {
    const auto r = read(text, {1, {}}, {"junit.xml", kReport, {}});
    EXPECT_EQ(r.format, "junit");
    EXPECT_EQ(r.counts.passed, 2);
    EXPECT_EQ(r.counts.failed, 1);
    EXPECT_EQ(r.tests.size(), 3U);
    EXPECT_EQ(r.outcome, model::TestOutcome::tests_failed);
    EXPECT_TRUE(r.suspicious.empty());
  }
}

TEST(CrossCheck, ContradictionsAreSaid) {
  const auto clean =
      "<testsuite name=\"t\"><testcase name=\"a\"/><testcase name=\"b\"/><testcase name=\"c\"/></testsuite>";
  EXPECT_FALSE(read(kText, {1, {}}, {"j", clean, {}}).suspicious.empty());    // the text knows a failure
  EXPECT_FALSE(read("", {1, {}}, {"j", clean, {}}).suspicious.empty());       // the exit code too
  EXPECT_FALSE(read("", {{}, 9}, {"j", clean, {}}).suspicious.empty());       // killed behind the report
  EXPECT_FALSE(read(kText, {0, {}}, {"j", kReport, {}}).suspicious.empty());  // failed tests, exit code 0
  EXPECT_TRUE(read("", {0, {}}, {"j", clean, {}}).suspicious.empty());
  const auto fewer = "<testsuite name=\"t\"><testcase name=\"c\"><failure/></testcase></testsuite>";
  EXPECT_FALSE(read(kText, {1, {}}, {"j", fewer, {}}).suspicious.empty());
}

TEST(CrossCheck, UnreadableReports) {
  const auto link = read(kText, {1, {}}, {"junit.xml", {}, "is a symbolic link"});
  EXPECT_EQ(link.format, "pytest");
  ASSERT_EQ(link.suspicious.size(), 1U);
  EXPECT_EQ(link.suspicious[0], "report junit.xml: is a symbolic link");
  EXPECT_EQ(link.confidence, model::Confidence::low);
  for (const auto& text :
       {std::string(), std::string("no report"), kReport.substr(0, 90), std::string(99, '\0')})
    EXPECT_FALSE(read(kText, {1, {}}, {"j", text, {}}).suspicious.empty()) << text;
}

// A report is no terminal: no byte of it overwrites or removes others.
TEST(CrossCheck, ControlCharactersInReportsAreBlanks) {
  const std::string bar = "<system-out>10%\r20%\b\x1b[2K\x1b[1G\x1b]0;title 100%</system-out>";
  const std::string junit = "<testsuite name=\"t\" tests=\"3\" failures=\"1\"><testcase name=\"a\rb\">" +
                            bar +
                            "</testcase><testcase name=\"\x1b[31mc\"/><testcase name=\"d\xff\"><failure>\r"
                            "</failure></testcase></testsuite>";
  const auto r = read("", {1, {}}, {"junit.xml", junit, {}});
  EXPECT_EQ(r.format, "junit");
  EXPECT_TRUE(r.complete);
  EXPECT_TRUE(r.suspicious.empty());
  ASSERT_EQ(r.tests.size(), 3U);
  EXPECT_EQ(r.tests[0].name, "t.a b");
  EXPECT_EQ(r.tests[1].name, "t. [31mc");
  EXPECT_EQ(r.tests[2].name, "t.d\xEF\xBF\xBD");
  const auto tap = read("", {1, {}}, {"tap", "TAP version 13\n1..2\nok 1 - a\rnot ok 2\nnot ok 2 - b\n", {}});
  ASSERT_EQ(tap.tests.size(), 2U);
  EXPECT_EQ(tap.tests[0].name, "a not ok 2");
  // Marks of wrappers are text of a report.
  const std::string marked = "[web] ok 1 - a\n[web] ok 2 - b\n[web] ok 3 - c\n[web] 1..3\n";
  EXPECT_FALSE(read("", {0, {}}, {"tap", marked, {}}).suspicious.empty());
  const std::string sarif =
      "{\"version\":\"2.1.0\",\"runs\":[{\"tool\":{\"driver\":{\"name\":\"x\"}},\"results\":[{\"level\":"
      "\"error\",\"message\":{\"text\":\"m\"}}\r,{\"level\":\"error\",\"message\":{\"text\":\"n\"}}]}]}";
  const Report found[] = {{"x.sarif", sarif, {}}};
  EXPECT_EQ(parse_lint("", {1, {}}, Hints{}, found).errors, 2);
}

TEST(CrossCheck, SeveralReportsAddUp) {
  const std::string
      a = "<testsuite name=\"A\"><testcase classname=\"A\" name=\"x\"/></testsuite>",
      b = "<testsuite name=\"B\"><testcase classname=\"B\" name=\"x\"><skipped/></testcase></testsuite>",
      none = "<testsuite name=\"C\" tests=\"0\"></testsuite>";
  const Report reports[] = {{"a", a, {}}, {"b", b, {}}, {"c", none, {}}};
  const auto r = parse_tests("", {0, {}}, {}, reports);
  EXPECT_EQ(r.counts.passed, 1);
  EXPECT_EQ(r.counts.skipped, 1);
  EXPECT_EQ(r.tests.size(), 2U);
  EXPECT_EQ(r.outcome, model::TestOutcome::passed);
  EXPECT_TRUE(r.suspicious.empty());
}

TEST(CrossCheck, Lint) {
  const std::string findings =
      R"([{"filePath":"/r/a.js","messages":[{"ruleId":"no-undef","severity":2,"message":"m","line":1,"column":2}],"errorCount":1,"warningCount":0}])";
  const Report found[] = {{"eslint.json", findings, {}}};
  const auto r = parse_lint("", {1, {}}, Hints{}, found);
  EXPECT_EQ(r.errors, 1);
  EXPECT_EQ(r.warnings, 0);
  EXPECT_TRUE(r.suspicious.empty());
  const Report gone[] = {{"eslint.json", {}, "is a FIFO"}};
  EXPECT_FALSE(parse_lint("", {0, {}}, Hints{}, gone).suspicious.empty());
  const Report clean[] = {{"eslint.json", "[]", {}}};
  EXPECT_FALSE(parse_lint("", {1, {}}, Hints{}, clean).suspicious.empty());
}

}  // namespace
}  // namespace hydra::parsers
