// XCTest and Swift Testing, by swift test and xcodebuild.
#include "parsers/marks.hpp"
#include "parsers/scan.hpp"

#include <map>

namespace hydra::parsers {
namespace {

using model::TestStatus;

/// "Test Case '-[Mod.ATests testA]' passed (0.001 seconds)." -> "Mod.ATests testA"; Linux:
/// 'Mod.ATests.testA'.
std::optional<model::TestCase> xctest_case(std::string_view line) {
  eat_blanks(line);
  if (!eat(line, "Test Case '") && !eat(line, "Test case '")) return std::nullopt;
  const auto close = line.rfind('\'');
  if (close == std::string_view::npos) return std::nullopt;
  auto verdict = line.substr(close + 1);
  auto name = line.substr(0, close);
  TestStatus status = TestStatus::passed;
  if (verdict.starts_with(" failed"))
    status = TestStatus::failed;
  else if (verdict.starts_with(" skipped"))
    status = TestStatus::skipped;
  else if (!verdict.starts_with(" passed"))
    return std::nullopt;
  if (eat(name, "-[")) eat_end(name, "]");
  return model::TestCase{std::string(name), status};
}

/// "Executed 5 tests, with 1 test skipped and 2 failures (0 unexpected) in 0.1 (0.2) seconds".
struct Executed {
  std::int64_t all = 0, skipped = 0, failures = 0;
};
std::optional<Executed> executed_of(std::string_view line) {
  eat_blanks(line);
  Executed e;
  if (!eat(line, "Executed ")) return std::nullopt;
  const auto all = eat_number(line);
  if (!all || (!eat(line, " tests, with ") && !eat(line, " test, with "))) return std::nullopt;
  e.all = *all;
  auto n = eat_number(line);
  if (n && (eat(line, " tests skipped and ") || eat(line, " test skipped and "))) {
    e.skipped = *n;
    n = eat_number(line);
  }
  if (!n || !line.starts_with(" failure") || !contains(line, " seconds")) return std::nullopt;
  e.failures = *n;
  return e;
}

/// Swift Testing: "✔ Test adds() passed after 0.001 seconds.", "✘ Test run with 5 tests failed after …".
struct Testing {
  std::string_view name;
  std::string_view verdict;
};
std::optional<Testing> testing_of(std::string_view line) {
  // The mark is one symbol of any font.
  const auto at = line.find(" Test ");
  if (at == std::string_view::npos || at == 0 || at > 8 || line[0] == ' ') return std::nullopt;
  const auto lead = static_cast<unsigned char>(line[0]);
  if (lead < 0x80 && !one_of(line.substr(0, at), {"[OK]", "[FAIL]", "[SKIP]"})) return std::nullopt;
  line.remove_prefix(at + 6);
  for (const std::string_view verdict : {" passed after ", " failed after ", " skipped"})
    if (const auto end = line.rfind(verdict); end != std::string_view::npos)
      return Testing{line.substr(0, end), verdict};
  return std::nullopt;
}

struct Xctest {
  std::optional<std::size_t> begin;
  bool outer = false, done = false;
  std::map<std::string, TestStatus> tests;  ///< a test may run again (retries): its last result counts
  std::int64_t unexpected = 0;
};

void xctest_finish(Xctest& x, const Executed& e, std::size_t end, std::vector<TestSegment>& out) {
  auto seg = ended_run("xctest", *x.begin, end);
  auto& r = seg.report;
  std::vector<model::TestCase> tests;
  for (const auto& [name, status] : x.tests) tests.push_back({name, status});
  const auto failed = count_of(tests, TestStatus::failed);
  if (static_cast<std::int64_t>(tests.size()) == e.all) {
    r.counts = counts(e.all - failed - e.skipped, failed, e.skipped, 0);
    if (failed == 0 && e.failures > 0) r.counts.errors = e.failures;
  } else if (e.failures == 0) {
    r.counts = counts(e.all - e.skipped, 0, e.skipped, 0);
  } else {
    // Failures are assertions; without a line a test nobody knows how many tests they hit.
    r.counts.failed = e.failures;
    r.counts.skipped = e.skipped;
    r.counts.errors = 0;
    r.counts.total = e.all;
    if (failed > 0) r.counts.failed = failed;
  }
  if (e.all == 0) r.outcome = "no_tests";
  take_names(r, std::move(tests));
  out.push_back(std::move(seg));
  x = {};
}

}  // namespace

void find_xctest(const Input& in, std::vector<TestSegment>& out) {
  Xctest x;
  const auto first = out.size();
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    const auto line = in.lines[i];
    if (line.starts_with("Test Suite '") || line.starts_with("Test suite '")) {
      if (!x.begin) x.begin = i;
      const bool all = line.find("'All tests'") != std::string_view::npos ||
                       line.find("'Selected tests'") != std::string_view::npos;
      const bool end = contains(line, "' passed at ") || contains(line, "' failed at ");
      if (all && !end && x.tests.empty()) x.begin = i;
      x.done = all && end;
    } else if (auto t = xctest_case(line)) {
      if (!x.begin) x.begin = i;
      x.tests[t->name] = t->status;
    } else if (const auto e = x.done ? executed_of(line) : std::nullopt) {
      xctest_finish(x, *e, i + 1, out);
    } else if (line.starts_with("error: Exited with unexpected signal code ") ||
               line.starts_with("** TEST INTERRUPTED **") ||
               contains(line, "Restarting after unexpected exit, crash, or test timeout")) {
      if (!x.begin) x.begin = i;
      auto seg = unfinished_run("xctest", *x.begin, i + 1);
      seg.report.outcome = "crashed";
      seg.confidence = 60;
      out.push_back(std::move(seg));
      x = {};
    } else if (line.starts_with("error: no tests found") ||
               line.starts_with("error: no such module 'XCTest'")) {
      out.push_back(empty_run("xctest", i, i + 1));
    } else if (line.starts_with("** BUILD FAILED **") || line.starts_with("** TEST BUILD FAILED **") ||
               line.starts_with("error: fatalError") ||
               line.starts_with("error: emit-module command failed")) {
      if (out.size() == first && !x.begin) out.push_back(unbuilt_run("xctest", i, i + 1));
    }
  }
  if (x.begin) out.push_back(unfinished_run("xctest", *x.begin, in.lines.size()));
}

void find_swift_testing(const Input& in, std::vector<TestSegment>& out) {
  std::optional<std::size_t> begin;
  std::vector<model::TestCase> tests;
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    const auto line = in.lines[i];
    if (line.ends_with(" Test run started.")) {
      if (begin) out.push_back(unfinished_run("swift-testing", *begin, i));
      begin = i;
      tests.clear();
      continue;
    }
    const auto t = begin ? testing_of(line) : std::nullopt;
    if (!t) continue;
    auto name = t->name;
    if (eat(name, "run with ")) {
      const auto all = eat_number(name);
      if (!all || !name.starts_with(" test")) continue;
      auto seg = ended_run("swift-testing", *begin, i + 1);
      auto& r = seg.report;
      const auto failed = count_of(tests, TestStatus::failed), skipped = count_of(tests, TestStatus::skipped);
      const bool bad = t->verdict == " failed after ";
      if (*all == 0) {
        r.outcome = "no_tests";
        r.counts = counts(0, 0, 0, 0);
      } else if (static_cast<std::int64_t>(tests.size()) >= *all || !bad) {
        // Skipped tests are in the figure or beside it, by version.
        const bool apart = static_cast<std::int64_t>(tests.size()) == *all + skipped;
        r.counts = counts(*all - failed - (apart ? 0 : skipped), failed, skipped, 0);
      } else {
        r.counts.total = *all;
        if (failed > 0) r.counts.failed = failed;
      }
      if (bad && failed == 0) r.counts.errors = 1;
      take_names(r, std::move(tests));
      out.push_back(std::move(seg));
      begin.reset();
      tests.clear();
    } else if (t->verdict == " skipped") {
      tests.push_back({std::string(name), TestStatus::skipped});
    } else {
      tests.push_back(
          {std::string(name), t->verdict == " passed after " ? TestStatus::passed : TestStatus::failed});
    }
  }
  if (begin) out.push_back(unfinished_run("swift-testing", *begin, in.lines.size()));
}

}  // namespace hydra::parsers
