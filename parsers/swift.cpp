// XCTest and Swift Testing, by swift test and xcodebuild.
#include "parsers/formats.hpp"
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

/// "Executed 5 tests, with 1 test skipped and 2 failures (0 unexpected) in 0.1 (0.2) seconds": all tests,
/// skipped ones and failures, which are assertions.
bool executed(std::string_view line, Figures& f) {
  f.skipped = 0;
  return match(lint_line<"{indent}Executed {total} test{s}, with {?{skipped} test{s} skipped and }{failed} "
                         "failure{any} seconds{any}">(),
               line, f);
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
  bool done = false;
  std::map<std::string, TestStatus> tests;  ///< a test may run again (retries): its last result counts
};

void xctest_finish(Xctest& x, const Figures& e, std::size_t end, std::vector<TestSegment>& out) {
  auto seg = ended_run("xctest", *x.begin, end);
  auto& r = seg.report;
  std::vector<model::TestCase> tests;
  for (const auto& [name, status] : x.tests) tests.push_back({name, status});
  const auto failed = count_of(tests, TestStatus::failed);
  if (std::ssize(tests) == *e.total) {
    r.counts = counts(*e.total - failed - *e.skipped, failed, *e.skipped, 0);
    if (failed == 0 && *e.failed > 0) r.counts.errors = e.failed;
  } else if (*e.failed == 0) {
    r.counts = counts(*e.total - *e.skipped, 0, *e.skipped, 0);
  } else {
    // Failures are assertions; without a line a test nobody knows how many tests they hit.
    r.counts = {std::nullopt, failed > 0 ? failed : *e.failed, *e.skipped, 0, *e.total};
  }
  if (e.total == 0) r.outcome = "no_tests";
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
    } else if (Figures e; x.done && executed(line, e)) {
      xctest_finish(x, e, i + 1, out);
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
  OpenRun run("swift-testing", out);
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    const auto line = in.lines[i];
    if (line.ends_with(" Test run started.")) {
      run.starts(i);
      continue;
    }
    const auto t = run ? testing_of(line) : std::nullopt;
    if (!t) continue;
    const bool passed = t->verdict == " passed after ", failing = t->verdict == " failed after ";
    auto name = t->name;
    if (!eat(name, "run with ")) {
      run.tests.push_back({std::string(name), passed    ? TestStatus::passed
                                              : failing ? TestStatus::failed
                                                        : TestStatus::skipped});
      continue;
    }
    const auto all = eat_number(name);
    if (!all || !name.starts_with(" test")) continue;
    const auto failed = count_of(run.tests, TestStatus::failed),
               skipped = count_of(run.tests, TestStatus::skipped);
    model::TestCounts c;
    if (*all == 0) {
      c = counts(0, 0, 0, 0);
    } else if (std::ssize(run.tests) >= *all || !failing) {
      // Skipped tests are in the figure or beside it, by version.
      const bool apart = std::ssize(run.tests) == *all + skipped;
      c = counts(*all - failed - (apart ? 0 : skipped), failed, skipped, 0);
    } else {
      c.total = *all;
      if (failed > 0) c.failed = failed;
    }
    if (failing && failed == 0) c.errors = 1;
    run.ends(i + 1, c);
  }
  run.cut(in.lines.size());
}

}  // namespace hydra::parsers
