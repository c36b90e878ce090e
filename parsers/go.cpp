// go test: by test if the output has tests (-v, -json), else by package (H21 of docs/scoring.md). Only
// announced tests count.
#include "parsers/marks.hpp"
#include "parsers/reports.hpp"
#include "parsers/scan.hpp"

#include <map>

namespace hydra::parsers {
namespace {

using model::TestOutcome;
using model::TestStatus;

struct Test {
  std::string package, name;
  std::optional<TestStatus> status;
};

/// Collects announced tests, for the text and for the JSON format.
struct GoRun {
  std::vector<Test> tests;
  std::map<std::string, std::size_t, std::less<>> live;  ///< announced tests, by package and name
  std::int64_t unbuilt = 0;
  bool contradiction = false, cut = false, panicked = false;
  std::optional<std::size_t> begin;
  std::size_t end = 0;

  void seen(std::size_t i) {
    if (!begin) begin = i;
    end = i + 1;
  }
  void announce(const std::string& package, std::string_view name) {
    live[package + " > " + std::string(name)] = tests.size();
    tests.push_back({package, std::string(name), std::nullopt});
  }
  bool settle(const std::string& package, std::string_view name, TestStatus status) {
    const auto it = live.find(package + " > " + std::string(name));
    if (it == live.end()) return false;
    auto& test = tests[it->second];
    if (test.status && *test.status != status) {
      contradiction = true;
      status = *test.status == TestStatus::failed ? *test.status : status;
      if (status == TestStatus::passed) status = *test.status;
    }
    test.status = status;
    return true;
  }
};

void emit(GoRun& run, std::vector<TestSegment>& out) {
  auto seg = run_of("go-test", *run.begin, run.end, 60);
  auto& r = seg.report;
  bool open = false;
  for (const auto& t : run.tests) {
    open = open || !t.status;
    r.tests.push_back({t.package + " > " + t.name, t.status.value_or(TestStatus::failed)});
  }
  r.complete = !run.cut;
  const auto listed = counts_of_tests(r.tests);
  r.counts = counts(*listed.passed, *listed.failed, *listed.skipped, run.unbuilt);
  if (run.tests.empty()) r.outcome = run.unbuilt > 0 ? TestOutcome::build_failed : TestOutcome::no_tests;
  if (run.panicked) r.counts.total.reset();
  if (run.unbuilt > 0 || open || run.cut) {
    r.counts.total.reset();
    r.tests.clear();
  }
  if (run.contradiction) r.suspicious.emplace_back("a test has two different results");
  out.push_back(std::move(seg));
}

bool not_built(std::string_view line) {
  return contains(line, " [build failed]") || contains(line, " [setup failed]");
}

struct PackageLine {
  std::string_view verdict, name, rest;
};

std::optional<PackageLine> package_of(std::string_view line) {
  PackageLine p;
  for (const std::string_view verdict : {"ok  \t", "FAIL\t", "?   \t"}) {
    if (!eat(line, verdict)) continue;
    p.verdict = trim_end(verdict);
    const auto end = line.find_first_of("\t ");
    p.name = line.substr(0, end);
    p.rest = end == std::string_view::npos ? std::string_view{} : line.substr(end);
    if (p.name.empty()) return std::nullopt;
    return p;
  }
  return std::nullopt;
}

class Verbose {
 public:
  void read(const Input& in, std::vector<TestSegment>& out) {
    for (std::size_t i = 0; i < in.lines.size(); ++i) line(i, in.lines[i]);
    if (!run_.begin || run_.tests.empty()) return;
    run_.cut = run_.cut || first_ < run_.tests.size();
    emit(run_, out);
  }

 private:
  void line(std::size_t i, std::string_view text) {
    auto rest = text;
    if (eat(rest, "=== RUN ")) {
      eat_blanks(rest);
      run_.seen(i);
      run_.announce("", rest);
    } else if (const auto at = text.find("--- "); at != std::string_view::npos) {
      result(i, text.substr(at + 4));
    } else if (const auto p = package_of(text)) {
      package(i, *p);
    } else if (text.starts_with("panic: ")) {
      panicked_ = true;
    }
  }

  /// A print without a line end hides the result in the middle of a line: the announced name proves the
  /// result.
  void result(std::size_t i, std::string_view s) {
    const auto status = status_of_word(s.substr(0, 4));
    if (!status || s.size() < 6 || s.substr(4, 2) != ": ") return;
    s.remove_prefix(6);
    const auto end = s.rfind(" (");
    if (end != std::string_view::npos && run_.settle("", s.substr(0, end), *status)) run_.seen(i);
  }

  void package(std::size_t i, const PackageLine& p) {
    // A panic ends the binary: the number of tests that never ran is unknown.
    if (p.verdict == "FAIL" && panicked_) run_.panicked = true;
    panicked_ = false;
    bool open = false;
    for (std::size_t k = first_; k < run_.tests.size(); ++k) open = open || !run_.tests[k].status;
    if (p.verdict == "ok" && open) return;  // a running test printed the line
    if (p.verdict == "FAIL" && not_built(p.rest)) ++run_.unbuilt;
    for (; first_ < run_.tests.size(); ++first_) run_.tests[first_].package = p.name;
    run_.live.clear();
    run_.seen(i);
  }

  GoRun run_;
  bool panicked_ = false;  ///< in the package whose line comes next
  std::size_t first_ = 0;  ///< tests from this index on belong to the package whose line comes next
};

void find_packages(const Input& in, std::vector<TestSegment>& out) {
  TestSegment seg;
  std::optional<std::size_t> begin;
  std::int64_t passed = 0, failed = 0, unbuilt = 0;
  bool failing = false;
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    const auto line = in.lines[i];
    if (line.starts_with("--- FAIL: ") || line.starts_with("panic: ")) failing = true;
    const auto p = package_of(line);
    if (!p || (p->verdict == "ok" && failing)) continue;  // printed inside a failing package
    if (!begin) begin = i;
    seg.end = i + 1;
    failing = false;
    if (p->verdict == "?" || contains(p->rest, "[no tests to run]") || contains(p->rest, "[no test files]"))
      continue;
    const bool bad = p->verdict == "FAIL";
    if (bad && not_built(p->rest))
      ++unbuilt;
    else if (bad)
      ++failed;
    else
      ++passed;
    seg.report.tests.push_back({std::string(p->name), bad ? TestStatus::failed : TestStatus::passed});
  }
  if (!begin) return;
  seg.begin = *begin;
  seg.confidence = 40;
  seg.report.format = "go-packages";
  seg.report.complete = !failing;
  seg.report.counts = counts(passed, failed, 0, unbuilt);
  if (*seg.report.counts.total == 0) seg.report.outcome = TestOutcome::no_tests;
  out.push_back(std::move(seg));
}

}  // namespace

void find_go(const Input& in, std::vector<TestSegment>& out) {
  const auto before = out.size();
  find_go_json(in, out);
  if (out.size() == before) Verbose().read(in, out);
  if (out.size() == before) find_packages(in, out);
}

}  // namespace hydra::parsers
