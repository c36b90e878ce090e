// Reports of tests in XML: JUnit in all its dialects, TRX, NUnit 2 and 3, xUnit.net. Test cases are counted;
// failures that only the suites' attributes report (a suite that could not run) are added: none is lost.
#include "base/strings.hpp"
#include "parsers/marks.hpp"
#include "parsers/reports.hpp"
#include "parsers/scan.hpp"
#include "parsers/xml.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace hydra::parsers {
namespace {

using model::TestOutcome;
using model::TestStatus;

/// Linters write their findings as failed test cases: their suites are never tests.
bool is_lint(const XmlTag& suite) {
  const auto package = suite.value("package"), name = suite.value("name");
  return package == "org.eslint" || package == "stylelint" || package == "tslint" ||
         one_of(name, {"phpstan", "mypy", "stylelint", "pylint", "flake8", "shellcheck", "golangci-lint",
                       "yamllint", "ansible-lint", "org.eslint", "rubocop", "PHP_CodeSniffer"});
}

/// A kind of report: its root, the element of a test, and the element's attributes.
struct Dialect {
  std::string_view root, format, test, name, status;
};
constexpr Dialect kDialects[] = {{"testsuites", "junit", "testcase", "name", "status"},
                                 {"testsuite", "junit", "testcase", "name", "status"},
                                 {"TestRun", "trx", "UnitTestResult", "testName", "outcome"},
                                 {"test-run", "nunit", "test-case", "fullname", "result"},
                                 {"test-suite", "nunit", "test-case", "fullname", "result"},
                                 {"test-results", "nunit", "test-case", "fullname", "result"},
                                 {"assemblies", "xunit", "test", "name", "result"},
                                 {"assembly", "xunit", "test", "name", "result"}};

/// Figures of the suites' attributes. Only the outermost suite with figures counts: dialects differ in
/// whether inner suites are included, and the outermost is always a total.
struct Totals {
  std::int64_t tests = 0, bad = 0;
  std::int64_t least = 0;  ///< if all figures of a suite but one count the same tests
  bool tell = false;       ///< the attributes tell of failures
};

class TestXml {
 public:
  void read(const XmlTag& tag) {
    if (dialect == nullptr) {
      for (const auto& one : kDialects)
        if (tag.is(one.root)) dialect = &one;
      if (dialect == nullptr) return;
    }
    const bool junit = is_junit();
    if (junit && (tag.is("testsuite") || tag.is("testsuites")))
      suite(tag);
    else if (tag.is(dialect->test))
      test(tag);
    else if (inside_ > 0 && tag.begins())
      detail(tag);
    else if (!junit && tag.begins())
      head(tag);
  }
  /// Joins the tries of a test, entries of equal name, suite and file. Where tries passed and failed, the
  /// exit code tells tries from different tests. `known`: the run has other failures.
  void join_tries(const ExitFacts& exit, bool known);

  const Dialect* dialect = nullptr;
  bool lint = false, broken = false;
  std::vector<model::TestCase> tests;
  std::int64_t reasons = 0;  ///< elements that tell of failures, several of which a test may have
  Totals said;

 private:
  struct Suite {
    bool all = false, summed = false;
    std::string name;
  };

  void figures(const XmlTag& tag) {
    const bool junit = is_junit();
    said.tests += leading_number(tag.value(junit ? "tests" : "total"));
    std::int64_t most = 0;
    for (const auto* word : {"failures", "errors", "failed", "error", "timeout", "aborted"}) {
      if (junit && !one_of(word, {"failures", "errors"})) break;
      const auto n = leading_number(tag.value(word));
      said.bad += n;
      most = std::max(most, n);
      said.tell = said.tell || tag.has(word);
    }
    said.least += most;
  }

  void head(const XmlTag& tag) {
    if (one_of(tag.name, {"test-run", "test-results", "assembly", "Counters"})) figures(tag);
    // An assembly that could not be loaded fails the run without a test.
    if (tag.is("ResultSummary")) broken = one_of(tag.value("outcome"), {"Failed", "Error", "Aborted"});
  }

  void suite(const XmlTag& tag) {
    if (tag.kind == XmlTag::Kind::close) {
      if (!open_.empty()) open_.pop_back();
      return;
    }
    ++suites_;
    lint = lint || is_lint(tag);
    const bool summed = !open_.empty() && open_.back().summed;
    const bool tells = tag.has("tests");
    if (tells && !summed) figures(tag);
    if (tag.kind == XmlTag::Kind::open)
      open_.push_back({tag.is("testsuites"), summed || tells, tag.value("name")});
  }

  void test(const XmlTag& tag) {
    const bool nested = inside_ > 0 && dialect->format == "trx";  // rows of a data-driven test
    if (tag.kind == XmlTag::Kind::close)
      inside_ -= std::min(inside_, 1);
    else
      inside_ = (nested ? inside_ : 0) + (tag.kind == XmlTag::Kind::open ? 1 : 0);
    if (nested || tag.kind == XmlTag::Kind::close) return;
    // GoogleTest lists disabled tests only here; its own counts omit them.
    if (tag.value("result") == "suppressed") {
      inside_ = 0;
      return;
    }
    auto name = tag.value(dialect->name);
    if (name.empty()) name = tag.value("name");
    model::TestCase t{is_junit() ? full_name(tag, name) : std::move(name), TestStatus::passed};
    // NUnit 2 has tests without a result.
    auto word = tag.value(dialect->status);
    if (word.empty()) word = tag.value(dialect->format == "nunit" ? "success" : "result");
    if (to_lower(tag.value("executed")) == "false") word = "skipped";
    // The words of JUnit's dialects are many, and elements inside of the test are the rule.
    settled_ = !is_junit() && (!word.empty() || dialect->format != "nunit");
    t.status = status_of_word(word).value_or(settled_ ? TestStatus::error : TestStatus::passed);
    tests.push_back(std::move(t));
    places_.emplace_back(suites_, std::hash<std::string>{}(tag.value("file")));
  }

  std::string full_name(const XmlTag& tag, const std::string& name) const {
    auto of = tag.value("classname");
    if (of.empty() && !open_.empty() && !open_.back().all) of = open_.back().name;
    if (of.empty() || of == name || name.starts_with(of + " ") || name.starts_with(of + ".")) return name;
    return name.empty() ? of : of + "." + name;
  }

  void detail(const XmlTag& tag) {
    auto& status = tests.back().status;
    const bool failure = tag.is("failure"), error = tag.is("error");
    if (failure || error) ++reasons;
    if (settled_ && !(failure && is_junit())) return;
    // CTest marks a test whose program is missing as skipped; such a test has failed.
    if (failure || tag.value("message") == "Unable to find executable")
      status = TestStatus::failed;
    else if (error)
      status = TestStatus::error;
    else if (tag.is("skipped") || tag.is("ignored"))
      status = TestStatus::skipped;
    else
      return;
    settled_ = true;
  }

  bool is_junit() const { return dialect->format == "junit"; }

  std::vector<std::pair<std::size_t, std::size_t>> places_;  ///< suite, and hash of the file, of each test
  std::vector<Suite> open_;
  std::size_t suites_ = 0;
  int inside_ = 0;  ///< open elements of tests
  bool settled_ = false;
};

bool bad(const model::TestCase& t) { return t.status == TestStatus::failed || t.status == TestStatus::error; }

void TestXml::join_tries(const ExitFacts& exit, bool known) {
  if (!exit.exit_code || !is_junit()) return;
  const auto key = [this](std::size_t i) { return std::tuple(std::string_view(tests[i].name), places_[i]); };
  std::map<decltype(key(0)), std::vector<std::size_t>> failed;
  for (std::size_t i = 0; i < tests.size(); ++i)
    if (bad(tests[i])) failed[key(i)];
  for (std::size_t i = 0; i < tests.size(); ++i)
    if (const auto at = failed.find(key(i)); at != failed.end() && tests[i].status != TestStatus::skipped)
      at->second.push_back(i);
  const auto passes = [this](const std::vector<std::size_t>& all) {
    return std::count_if(all.begin(), all.end(), [this](auto i) { return !bad(tests[i]); });
  };
  for (const auto& [name, all] : failed) known = known || passes(all) == 0;
  std::vector<bool> earlier(tests.size(), false);
  for (const auto& [name, all] : failed) {
    auto& last = tests[all.back()].status;
    const auto passed = passes(all);
    // A retry ends with the first pass.
    const bool retried = known && passed == 1 && last == TestStatus::passed;
    if (passed > 0 && exit.exit_code != 0 && !retried) continue;
    if (passed > 0) last = exit.exit_code == 0 ? TestStatus::passed : TestStatus::failed;
    for (const auto i : all) earlier[i] = i != all.back();
  }
  std::size_t i = 0;
  std::erase_if(tests, [&](const auto&) { return earlier[i++]; });
}

}  // namespace

bool read_test_xml(std::string_view text, const ExitFacts& exit, WholeReport& out) {
  XmlReader xml(text);
  TestXml report;
  for (XmlTag tag; xml.next(tag);) {
    report.read(tag);
    if (report.dialect == nullptr && !contains(text.substr(0, 4096), "<testsuite")) return false;
  }
  out.length = xml.position();
  if (report.lint || report.dialect == nullptr) return false;
  auto& r = out.report;
  r.format = report.dialect->format;
  r.complete = xml.ended();
  r.counts = counts_of_tests(report.tests);
  const auto listed = *r.counts.failed + *r.counts.errors, all = std::ssize(report.tests);
  const auto& said = report.said;
  const auto missing =
      std::max<std::int64_t>(said.bad, report.broken ? 1 : 0) - std::max(listed, report.reasons);
  // The list is the truth; failures without a test are those of suites that could not run.
  const bool unlisted = missing > 0 && (listed == 0 || said.tests > all);
  report.join_tries(exit, unlisted);
  r.counts = counts_of_tests(report.tests);
  if (unlisted) {
    r.counts.errors = *r.counts.errors + missing;
    r.counts.total.reset();
  } else if (said.least > std::max(listed, report.reasons) || (said.tell && said.bad < listed)) {
    r.suspicious.emplace_back("the figures of the report do not add up");
  }
  const bool none = r.complete && all == 0;
  if (none && said.tests > 0) {
    r.counts = counts(std::max<std::int64_t>(0, said.tests - said.bad), said.bad, 0, 0);
    r.counts.passed.reset();  // some of the tests may have been skipped
    r.counts.skipped.reset();
  } else if (none && missing <= 0) {
    r.outcome = TestOutcome::no_tests;
  }
  if (!r.complete) r.counts.total.reset();
  r.tests = std::move(report.tests);
  return true;
}

}  // namespace hydra::parsers
