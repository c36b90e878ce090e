// CTest's own Test.xml (ctest -T Test) and QtTest's XML: their status stands in several elements of a case.
#include "parsers/marks.hpp"
#include "parsers/reports.hpp"
#include "parsers/scan.hpp"
#include "parsers/xml.hpp"

namespace hydra::parsers {
namespace {

using model::TestCase;
using model::TestStatus;

/// The text behind a tag that was just read, up to the next one.
std::string_view text_behind(std::string_view text, const XmlReader& xml) {
  const auto rest = text.substr(std::min(xml.position(), text.size()));
  return rest.substr(0, std::min<std::size_t>(rest.find('<'), 4096));
}

void finish(const XmlReader& xml, std::string_view format, std::vector<TestCase> tests, WholeReport& out) {
  auto& r = out.report;
  r.format = format;
  r.complete = xml.ended();
  r.counts = counts_of_tests(tests);
  if (!r.complete) r.counts.total.reset();
  if (tests.empty() && r.complete) r.outcome = "no_tests";
  r.tests = std::move(tests);
  out.length = xml.position();
}

struct CtestCase {
  TestCase test;
  std::string status;
  bool completion = false, skipped = false;
};

void ctest_close(CtestCase& now, std::vector<TestCase>& tests) {
  // What did not run for another reason than its own wish (its program is missing) has failed.
  now.test.status = now.status == "passed"                  ? TestStatus::passed
                    : now.status == "notrun" && now.skipped ? TestStatus::skipped
                                                            : TestStatus::failed;
  tests.push_back(std::move(now.test));
  now = {};
}

}  // namespace

bool read_ctest_xml(std::string_view text, WholeReport& out) {
  XmlReader xml(text);
  std::vector<TestCase> tests;
  CtestCase now;
  bool open = false, testing = false;
  for (XmlTag tag; xml.next(tag);) {
    if (tag.is("Testing")) testing = true;
    if (tag.is("Test") && tag.kind == XmlTag::Kind::open && tag.has("Status")) {
      now = {};
      now.status = tag.value("Status");
      open = true;
    } else if (!open) {
      continue;
    } else if (tag.is("Test") && tag.kind == XmlTag::Kind::close) {
      ctest_close(now, tests);
      open = false;
    } else if (tag.kind != XmlTag::Kind::open) {
      continue;
    } else if (tag.is("Name") && now.test.name.empty()) {
      now.test.name = xml_text(text_behind(text, xml));
    } else if (tag.is("NamedMeasurement")) {
      now.completion = tag.value("name") == "Completion Status";
    } else if (tag.is("Value") && now.completion) {
      const auto why = text_behind(text, xml);
      now.skipped = why == "Disabled" || why.starts_with("SKIP_");
      now.completion = false;
    }
  }
  if (!testing) return false;
  finish(xml, "ctest", std::move(tests), out);
  return true;
}

bool read_qttest_xml(std::string_view text, WholeReport& out) {
  XmlReader xml(text);
  std::vector<TestCase> tests;
  std::string function;
  for (XmlTag tag; xml.next(tag);) {
    if (tag.is("TestFunction")) {
      if (tag.kind == XmlTag::Kind::open) function = tag.value("name");
    } else if (tag.begins() && tag.is("Incident")) {
      // An expected failure is followed by the function's own incident.
      const auto kind = tag.value("type");
      if (kind == "pass") tests.push_back({function, TestStatus::passed});
      if (kind == "fail" || kind == "xpass") tests.push_back({function, TestStatus::failed});
      if (kind == "bpass" || kind == "bfail") tests.push_back({function, TestStatus::skipped});
    } else if (tag.begins() && tag.is("Message") && tag.value("type") == "skip") {
      tests.push_back({function, TestStatus::skipped});
    }
  }
  if (tests.empty()) return false;
  finish(xml, "qttest", std::move(tests), out);
  return true;
}

}  // namespace hydra::parsers
