// ava, bun and deno: runners with marks of their own and a block of figures at the end.
#include "parsers/formats.hpp"
#include "parsers/marks.hpp"
#include "parsers/scan.hpp"

#include <algorithm>

namespace hydra::parsers {
namespace {

using model::TestStatus;

// ---- ava -------------------------------------------------------------------------------------------------

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

void ava_finish(OpenRun& run, const std::vector<Count>& c, std::size_t end) {
  const auto errors =
      sum_of(c, {"uncaught exception", "uncaught exceptions", "unhandled rejection", "unhandled rejections"});
  const auto failed = sum_of(c, {"test failed", "tests failed"});
  auto passed = sum_of(c, {"test passed", "tests passed"}) + sum_of(c, {"known failure", "known failures"});
  // A run with failures does not say how many passed: the marks do.
  if (failed > 0 || errors > 0) passed = count_of(run.tests, TestStatus::passed);
  const auto skipped = sum_of(c, {"test skipped", "tests skipped", "test todo", "tests todo"});
  auto& r = run.ends(end, counts(passed, failed, skipped, errors));
  if (sum_of(c, {"test remaining", "tests remaining"}) > 0) {
    r.counts.total.reset();
    r.outcome = "partial";
  }
  if (errors > 0) r.counts.total.reset();
  if (errors > 0 && failed + passed == 0) r.outcome = "build_failed";
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

void bun_finish(OpenRun& run, std::size_t end, const Bun& b, std::int64_t ran) {
  // A file that can't be loaded is counted as a failure and as an error, and has no line of its own.
  const auto listed = count_of(run.tests, TestStatus::failed);
  const auto failed = b.errors > 0 && listed < b.failed ? std::max(listed, b.failed - b.errors) : b.failed;
  auto& r = run.ends(end, counts(b.passed, failed, b.skipped, b.errors));
  if (b.errors > 0)
    r.counts.total.reset();
  else if (ran != *r.counts.total)
    r.suspicious.emplace_back("the figures of the summary do not add up");
  if (b.errors > 0 && b.passed + failed == 0) r.outcome = "build_failed";
}

// ---- deno ------------------------------------------------------------------------------------------------

/// "FAILED | 2 passed (2 steps) | 1 failed | 1 ignored (17ms)".
std::optional<model::TestCounts> deno_summary(std::string_view line) {
  if (!eat(line, "ok | ") && !eat(line, "FAILED | ")) return std::nullopt;
  if (!line.ends_with(')')) return std::nullopt;
  line = line.substr(0, line.rfind(" ("));
  std::vector<Count> all;
  while (!line.empty()) {
    const auto end = line.find(" | ");
    const auto part = line.substr(0, end);
    const auto c = counts_of(part.substr(0, part.find(" (")), "\n");
    if (!c || !one_of(c->front().what, {"passed", "failed", "ignored", "measured", "filtered out"}))
      return std::nullopt;
    all.push_back(c->front());
    line = end == std::string_view::npos ? std::string_view{} : line.substr(end + 3);
  }
  return counts(sum_of(all, {"passed"}), sum_of(all, {"failed"}), sum_of(all, {"ignored"}), 0);
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
  bool fenced = false, unloadable = false;
  std::string file;
  std::int64_t announced = 0;
};

void deno_finish(OpenRun& run, bool unloadable, model::TestCounts c, std::size_t end) {
  const auto listed = count_of(run.tests, TestStatus::failed);
  if (unloadable && *c.failed > listed) c = {c.passed, listed, c.skipped, *c.failed - listed, std::nullopt};
  run.ends(end, c);
}

}  // namespace

void find_ava(const Input& in, std::vector<TestSegment>& out) {
  OpenRun run("ava", out);
  std::size_t end = 0, last_mark = 0;
  for (std::size_t i = 0; i < in.lines.size(); ++i)
    if (case_of("ava", in.lines[i])) last_mark = i;
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    const auto line = in.lines[i];
    if (auto t = case_of("ava", line)) {
      run.lists(i, std::move(*t));
    } else if (line.starts_with("  ✖ Couldn") || line.starts_with("  ✘ Couldn")) {
      if (!contains(line, " find any files to test")) continue;
      out.push_back(empty_run("ava", i, i + 1));
    } else if (line == "  ─" && i + 2 < in.lines.size()) {
      run.at(i);
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
        ava_finish(run, c, end);
        i = end - 1;
      }
    }
  }
}

void find_bun(const Input& in, std::vector<TestSegment>& out) {
  OpenRun run("bun", out);
  std::string file;
  Bun block;
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    auto line = in.lines[i];
    if (line.starts_with("bun test v")) {
      run.anew(i);
      file.clear();
    } else if (!run) {
      continue;
    } else if (block.take(line)) {
      continue;
    } else if (auto t = case_of("bun", line, file)) {
      run.tests.push_back(std::move(*t));
    } else if (line.ends_with(':') && !contains(line, " ") && contains(line, ".")) {
      file = line.substr(0, line.size() - 1);
    } else if (eat(line, "Ran ")) {
      const auto ran = eat_number(line);
      if (ran && block.any && (line.starts_with(" tests across ") || line.starts_with(" test across "))) {
        bun_finish(run, i + 1, block, *ran);
      } else if (ran && i + 1 < in.lines.size() && in.lines[i + 1].starts_with("Bailed out after ")) {
        model::TestReport r;
        r.format = "bun";
        r.counts.passed = count_of(run.tests, TestStatus::passed);
        r.counts.failed = count_of(run.tests, TestStatus::failed);
        r.outcome = "partial";
        run.ends(i + 2, std::move(r));
      }
    } else if (line.starts_with("error: 0 test files matching") || line.starts_with("No tests found!") ||
               line.starts_with("error: No tests found!")) {
      run.ends(i + 1, counts(0, 0, 0, 0), 40);
    }
    block = {};
  }
  run.cut(in.lines.size());
}

void find_deno(const Input& in, std::vector<TestSegment>& out) {
  OpenRun run("deno", out);
  Deno d;
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    const auto line = in.lines[i];
    Fields f;
    if (line == "------- output -------" || line == "------- post-test output -------") {
      d.fenced = true;
    } else if (line.starts_with("----- ") && line.ends_with("output end -----")) {
      d.fenced = false;
    } else if (match(lint_line<"running {total} test{s} from {name}">(), line, f)) {
      d.fenced = false;  // a file's banner is never inside of a test's output
      run.at(i);
      d.announced += *f.total;
      d.file = f.name;
    } else if (d.fenced || line.starts_with("running ")) {
      continue;
    } else if (line.ends_with("(uncaught error)")) {
      d.unloadable = true;
    } else if (const auto c = run || d.unloadable ? deno_summary(line) : std::nullopt) {
      const auto sum = *c->passed + *c->failed + *c->skipped;
      if (sum >= d.announced || i + 2 >= in.lines.size() || in.lines[i + 2].starts_with("error: ")) {
        deno_finish(run, d.unloadable, *c, i + 1);
        d = {};
      }
    } else if (line.starts_with("error: No test modules found")) {
      out.push_back(empty_run("deno", i, i + 1));
    } else if (line.starts_with("error: Type checking failed") ||
               line.starts_with("error: Module not found ")) {
      if (!run) out.push_back(unbuilt_run("deno", i, i + 1));
    } else if (auto t = run ? deno_test(line) : std::nullopt) {
      run.tests.push_back({d.file + " > " + t->name, t->status});
    }
  }
  run.cut(in.lines.size());
}

}  // namespace hydra::parsers
