// JUnit XML in all its dialects. Test cases are counted; failures that only the suites' attributes report (a
// suite that could not run) are added, so that no failure is lost.
#include "parsers/marks.hpp"
#include "parsers/reports.hpp"
#include "parsers/scan.hpp"
#include "parsers/xml.hpp"

#include <algorithm>

namespace hydra::parsers {
namespace {

using model::TestStatus;

/// Linters write their findings as failed test cases: their suites are never tests.
bool is_lint(const XmlTag& suite) {
  const auto package = suite.value("package"), name = suite.value("name");
  return package == "org.eslint" || package == "stylelint" || package == "tslint" ||
         one_of(name, {"phpstan", "mypy", "stylelint", "pylint", "flake8", "shellcheck", "golangci-lint",
                       "yamllint", "ansible-lint", "org.eslint", "rubocop", "PHP_CodeSniffer"});
}

/// Figures of the suites' attributes. Only the outermost suite with figures counts: dialects differ in
/// whether inner suites are included, and the outermost is always a total.
struct Totals {
  std::int64_t tests = 0, bad = 0;
};

class JUnit {
 public:
  void read(const XmlTag& tag) {
    if (tag.is("testsuite") || tag.is("testsuites"))
      suite(tag);
    else if (tag.is("testcase"))
      test(tag);
    else if (inside_ && tag.begins())
      detail(tag);
  }
  bool lint = false;
  std::vector<model::TestCase> tests;
  Totals said;

 private:
  struct Suite {
    bool all = false, summed = false;
    std::string name;
  };

  void suite(const XmlTag& tag) {
    if (tag.kind == XmlTag::Kind::close) {
      if (!open_.empty()) open_.pop_back();
      return;
    }
    lint = lint || is_lint(tag);
    const bool summed = !open_.empty() && open_.back().summed;
    const bool tells = tag.has("tests");
    if (tells && !summed) {
      said.tests += leading_number(tag.value("tests"));
      said.bad += leading_number(tag.value("failures")) + leading_number(tag.value("errors"));
    }
    if (tag.kind == XmlTag::Kind::open)
      open_.push_back({tag.is("testsuites"), summed || tells, tag.value("name")});
  }

  void test(const XmlTag& tag) {
    if (tag.kind == XmlTag::Kind::close) {
      inside_ = false;
      return;
    }
    inside_ = false;
    const auto name = tag.value("name"), status = tag.value("status"), result = tag.value("result");
    // GoogleTest lists disabled tests only here; its own counts omit them.
    if (result == "suppressed") return;
    model::TestCase t{full_name(tag, name), TestStatus::passed};
    if (one_of(status, {"fail", "failed", "failure", "FAILED"}) ||
        one_of(result, {"failed", "failure", "fail"}))
      t.status = TestStatus::failed;
    else if (one_of(status, {"error", "errored"}) || result == "error")
      t.status = TestStatus::error;
    else if (one_of(status, {"disabled", "notrun", "skipped", "skip", "ignored", "pending", "todo"}) ||
             one_of(result, {"skipped", "ignored", "disabled"}))
      t.status = TestStatus::skipped;
    tests.push_back(std::move(t));
    inside_ = tag.kind == XmlTag::Kind::open;
    settled_ = false;
  }

  std::string full_name(const XmlTag& tag, const std::string& name) const {
    auto of = tag.value("classname");
    if (of.empty() && !open_.empty() && !open_.back().all) of = open_.back().name;
    if (of.empty() || of == name || name.starts_with(of + " ") || name.starts_with(of + ".")) return name;
    return name.empty() ? of : of + "." + name;
  }

  void detail(const XmlTag& tag) {
    auto& status = tests.back().status;
    if (tag.is("failure")) {
      status = TestStatus::failed;
      settled_ = true;
    } else if (tag.is("error")) {
      if (!settled_) status = TestStatus::error;
      settled_ = true;
    } else if ((tag.is("skipped") || tag.is("ignored")) && !settled_) {
      // CTest marks a test whose program is missing as skipped; such a test has failed.
      status = tag.value("message") == "Unable to find executable" ? TestStatus::failed : TestStatus::skipped;
      settled_ = true;
    }
  }

  std::vector<Suite> open_;
  bool inside_ = false, settled_ = false;
};

}  // namespace

bool read_junit(std::string_view text, WholeReport& out) {
  XmlReader xml(text);
  JUnit junit;
  for (XmlTag tag; xml.next(tag);) junit.read(tag);
  out.length = xml.position();
  if (junit.lint) return false;
  auto& r = out.report;
  r.format = "junit";
  r.complete = xml.ended();
  r.counts = counts_of_tests(junit.tests);
  const auto missing = junit.said.bad - *r.counts.failed - *r.counts.errors;
  if (missing > 0) {
    r.counts.errors = *r.counts.errors + missing;  // suites that could not run
    r.counts.total.reset();
  }
  const bool none = r.complete && junit.tests.empty();
  if (none && junit.said.tests > 0) {
    r.counts = counts(std::max<std::int64_t>(0, junit.said.tests - junit.said.bad), junit.said.bad, 0, 0);
    r.counts.passed.reset();  // some of the tests may have been skipped
    r.counts.skipped.reset();
  } else if (none && missing <= 0) {
    r.outcome = "no_tests";
  }
  if (!r.complete) r.counts.total.reset();
  r.tests = std::move(junit.tests);
  return true;
}

}  // namespace hydra::parsers
