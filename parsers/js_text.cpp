// ava, bun and deno: runners with marks of their own and a block of figures at the end.
#include "parsers/marks.hpp"
#include "parsers/scan.hpp"

#include <algorithm>

namespace hydra::parsers {
namespace {

using model::TestStatus;

// ---- ava -------------------------------------------------------------------------------------------------

struct Ava {
  std::size_t begin = 0;
  bool begun = false;
  std::vector<model::TestCase> tests;
};

/// The figures at the end, from line `i` on; an empty list where there are none.
std::vector<Count> ava_figures(const Input& in, std::size_t i, std::size_t& end) {
  std::vector<Count> out;
  for (end = i; end < in.lines.size(); ++end) {
    auto line = in.lines[end];
    if (!eat(line, "  ")) break;
    const auto c = counts_of(line, "\n");
    if (!c || !one_of(c->front().what,
                      {"test passed", "tests passed", "test failed", "tests failed", "known failure",
                       "known failures", "test skipped", "tests skipped", "test todo", "tests todo",
                       "uncaught exception", "uncaught exceptions", "unhandled rejection",
                       "unhandled rejections", "test remaining", "tests remaining"}))
      break;
    out.push_back(c->front());
  }
  return out;
}

void ava_finish(Ava& run, const std::vector<Count>& c, std::size_t end, std::vector<TestSegment>& out) {
  auto seg = ended_run("ava", run.begin, end);
  auto& r = seg.report;
  const auto errors =
      sum_of(c, {"uncaught exception", "uncaught exceptions", "unhandled rejection", "unhandled rejections"});
  const auto failed = sum_of(c, {"test failed", "tests failed"});
  auto passed = sum_of(c, {"test passed", "tests passed"}) + sum_of(c, {"known failure", "known failures"});
  // A run with failures does not say how many passed: the marks do.
  if (failed > 0 || errors > 0) passed = count_of(run.tests, TestStatus::passed);
  r.counts =
      counts(passed, failed, sum_of(c, {"test skipped", "tests skipped", "test todo", "tests todo"}), errors);
  if (sum_of(c, {"test remaining", "tests remaining"}) > 0) {
    r.counts.total.reset();
    r.outcome = "partial";
  }
  if (errors > 0) r.counts.total.reset();
  if (errors > 0 && failed + passed == 0) r.outcome = "build_failed";
  take_names(r, std::move(run.tests));
  out.push_back(std::move(seg));
  run = {};
}

// ---- bun -------------------------------------------------------------------------------------------------

struct Bun {
  std::int64_t passed = 0, failed = 0, skipped = 0, errors = 0;
  bool any = false;

  bool take(std::string_view line) {
    eat(line, " ");  // --dots prints them without it
    if (line.starts_with(' ')) return false;
    const auto c = counts_of(line, "\n");
    if (!c) return false;
    const auto& [n, what] = c->front();
    if (what == "pass")
      passed = n;
    else if (what == "fail")
      failed = n;
    else if (one_of(what, {"skip", "todo"}))
      skipped += n;
    else if (one_of(what, {"error", "errors"}))
      errors = n;
    else if (!one_of(what, {"expect() calls", "filtered out"}) && !what.starts_with("snapshots"))
      return false;
    any = true;
    return true;
  }
};

void bun_finish(std::size_t begin, std::size_t end, const Bun& b, std::int64_t ran,
                std::vector<model::TestCase> tests, std::vector<TestSegment>& out) {
  auto seg = ended_run("bun", begin, end);
  auto& r = seg.report;
  // A file that can't be loaded is counted as a failure and as an error, and has no line of its own.
  const auto listed = count_of(tests, TestStatus::failed);
  const auto failed = b.errors > 0 && listed < b.failed ? std::max(listed, b.failed - b.errors) : b.failed;
  r.counts = counts(b.passed, failed, b.skipped, b.errors);
  if (b.errors > 0)
    r.counts.total.reset();
  else if (ran != *r.counts.total)
    r.suspicious.emplace_back("the figures of the summary do not add up");
  if (b.errors > 0 && b.passed + failed == 0) r.outcome = "build_failed";
  if (ran == 0 && b.errors == 0) r.outcome = "no_tests";
  take_names(r, std::move(tests));
  out.push_back(std::move(seg));
}

// ---- deno ------------------------------------------------------------------------------------------------

/// "FAILED | 2 passed (2 steps) | 1 failed | 1 ignored (17ms)".
std::optional<model::TestCounts> deno_summary(std::string_view line) {
  if (!eat(line, "ok | ") && !eat(line, "FAILED | ")) return std::nullopt;
  if (!line.ends_with(')')) return std::nullopt;
  line = line.substr(0, line.rfind(" ("));
  std::int64_t passed = 0, failed = 0, ignored = 0;
  while (!line.empty()) {
    const auto end = line.find(" | ");
    auto part = line.substr(0, end);
    part = part.substr(0, part.find(" ("));
    const auto c = counts_of(part, "\n");
    if (!c) return std::nullopt;
    const auto& [n, what] = c->front();
    if (what == "passed")
      passed = n;
    else if (what == "failed")
      failed = n;
    else if (what == "ignored")
      ignored = n;
    else if (!one_of(what, {"measured", "filtered out"}))
      return std::nullopt;
    line = end == std::string_view::npos ? std::string_view{} : line.substr(end + 3);
  }
  return counts(passed, failed, ignored, 0);
}

std::optional<model::TestCase> deno_test(std::string_view line) {
  if (line.empty() || line[0] == ' ') return std::nullopt;
  const auto dots = line.rfind(" ... ");
  if (dots == std::string_view::npos) return std::nullopt;
  auto verdict = line.substr(dots + 5);
  if (const auto open = verdict.rfind(" ("); open != std::string_view::npos)
    verdict = verdict.substr(0, open);
  const auto name = std::string(line.substr(0, dots));
  if (verdict == "ok") return model::TestCase{name, TestStatus::passed};
  if (verdict.starts_with("FAILED")) return model::TestCase{name, TestStatus::failed};
  if (verdict == "ignored") return model::TestCase{name, TestStatus::skipped};
  return std::nullopt;
}

struct Deno {
  std::optional<std::size_t> begin;
  bool fenced = false, unloadable = false;
  std::string file;
  std::vector<model::TestCase> tests;
  std::int64_t announced = 0;
};

void deno_finish(Deno& d, model::TestCounts c, std::size_t end, std::vector<TestSegment>& out) {
  auto seg = ended_run("deno", d.begin.value_or(end - 1), end);
  auto& r = seg.report;
  if (d.unloadable && *c.failed > count_of(d.tests, TestStatus::failed)) {
    c.errors = *c.failed - count_of(d.tests, TestStatus::failed);
    c.failed = *c.failed - *c.errors;
    c.total.reset();
  }
  r.counts = c;
  if (c.total == 0) r.outcome = "no_tests";
  take_names(r, std::move(d.tests));
  out.push_back(std::move(seg));
  d = {};
}

}  // namespace

void find_ava(const Input& in, std::vector<TestSegment>& out) {
  Ava run;
  std::size_t end = 0, last_mark = 0;
  for (std::size_t i = 0; i < in.lines.size(); ++i)
    if (case_of("ava", in.lines[i])) last_mark = i;
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    const auto line = in.lines[i];
    if (auto t = case_of("ava", line)) {
      if (!run.begun) run.begin = i;
      run.begun = true;
      run.tests.push_back(std::move(*t));
    } else if (line.starts_with("  ✖ Couldn") || line.starts_with("  ✘ Couldn")) {
      if (!contains(line, " find any files to test")) continue;
      out.push_back(empty_run("ava", i, i + 1));
    } else if (line == "  ─" && i + 2 < in.lines.size()) {
      if (!run.begun) run.begin = i;
      run.begun = true;
      const auto c = ava_figures(in, i + 2, end);
      // A test may print such a block: the real one agrees with the marks above it.
      const auto failed = sum_of(c, {"test failed", "tests failed"});
      const bool agrees =
          failed == count_of(run.tests, TestStatus::failed) &&
          (failed > 0 || sum_of(c, {"test passed", "tests passed", "known failure", "known failures"}) ==
                             count_of(run.tests, TestStatus::passed));
      const bool tap_like = run.tests.empty();
      if (!c.empty() && (agrees || tap_like || end >= in.lines.size() || is_blank(in.lines[end]))) {
        if (!agrees && !tap_like && end <= last_mark) continue;
        ava_finish(run, c, end, out);
        i = end - 1;
      }
    }
  }
}

void find_bun(const Input& in, std::vector<TestSegment>& out) {
  std::optional<std::size_t> begin;
  std::vector<model::TestCase> tests;
  std::string file;
  Bun block;
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    auto line = in.lines[i];
    if (line.starts_with("bun test v")) {
      begin = i;
      tests.clear();
      file.clear();
    } else if (!begin) {
      continue;
    } else if (block.take(line)) {
      continue;
    } else if (auto t = case_of("bun", line, file)) {
      tests.push_back(std::move(*t));
    } else if (line.ends_with(':') && !contains(line, " ") && contains(line, ".")) {
      file = line.substr(0, line.size() - 1);
    } else if (eat(line, "Ran ")) {
      const auto ran = eat_number(line);
      if (ran && block.any && (line.starts_with(" tests across ") || line.starts_with(" test across "))) {
        bun_finish(*begin, i + 1, block, *ran, std::move(tests), out);
        begin.reset();
        tests.clear();
      } else if (ran && i + 1 < in.lines.size() && in.lines[i + 1].starts_with("Bailed out after ")) {
        auto seg = unfinished_run("bun", *begin, i + 2);
        seg.confidence = 60;
        seg.report.counts.passed = count_of(tests, TestStatus::passed);
        seg.report.counts.failed = count_of(tests, TestStatus::failed);
        seg.report.outcome = "partial";
        out.push_back(std::move(seg));
        begin.reset();
        tests.clear();
      }
    } else if (line.starts_with("error: 0 test files matching") || line.starts_with("No tests found!") ||
               line.starts_with("error: No tests found!")) {
      out.push_back(empty_run("bun", *begin, i + 1));
      begin.reset();
    }
    block = {};
  }
  if (begin) out.push_back(unfinished_run("bun", *begin, in.lines.size()));
}

void find_deno(const Input& in, std::vector<TestSegment>& out) {
  Deno d;
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    auto line = in.lines[i];
    if (line == "------- output -------" || line == "------- post-test output -------") {
      d.fenced = true;
    } else if (line.starts_with("----- ") && line.ends_with("output end -----")) {
      d.fenced = false;
    } else if (eat(line, "running ")) {
      const auto n = eat_number(line);
      if (!n || (!eat(line, " tests from ") && !eat(line, " test from "))) continue;
      d.fenced = false;  // a file's banner is never inside of a test's output
      if (!d.begin) d.begin = i;
      d.announced += *n;
      d.file = line;
    } else if (d.fenced) {
      continue;
    } else if (line.ends_with("(uncaught error)")) {
      d.unloadable = true;
    } else if (const auto c = d.begin || d.unloadable ? deno_summary(line) : std::nullopt) {
      const auto sum = *c->passed + *c->failed + *c->skipped;
      if (sum >= d.announced || i + 2 >= in.lines.size() || in.lines[i + 2].starts_with("error: "))
        deno_finish(d, *c, i + 1, out);
    } else if (line.starts_with("error: No test modules found")) {
      out.push_back(empty_run("deno", i, i + 1));
    } else if (line.starts_with("error: Type checking failed") ||
               line.starts_with("error: Module not found ")) {
      if (!d.begin) out.push_back(unbuilt_run("deno", i, i + 1));
    } else if (auto t = d.begin ? deno_test(line) : std::nullopt) {
      d.tests.push_back({d.file + " > " + t->name, t->status});
    }
  }
  if (d.begin) out.push_back(unfinished_run("deno", *d.begin, in.lines.size()));
}

}  // namespace hydra::parsers
