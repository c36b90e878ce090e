// Playwright, Cypress, Karma, WebdriverIO and TestCafe.
#include "parsers/marks.hpp"
#include "parsers/scan.hpp"
#include "parsers/summaries.hpp"

#include <algorithm>
#include <map>

namespace hydra::parsers {
namespace {

using model::TestStatus;

// ---- Playwright ------------------------------------------------------------------------------------------

/// "  3 passed (5.2s)", "  1 flaky", "  2 did not run": exactly two blanks.
std::optional<Count> playwright_figure(std::string_view line) {
  if (!eat(line, "  ") || line.empty() || !is_digit(line[0])) return std::nullopt;
  line = trim_end(line);
  if (line.ends_with(')')) line = trim_end(line.substr(0, line.rfind('(')));
  const auto c = counts_of(line, "\n");
  if (!c || !one_of(c->front().what, {"passed", "failed", "flaky", "skipped", "interrupted", "did not run",
                                      "error was not a part of any test, see above for details",
                                      "errors were not a part of any test, see above for details"}))
    return std::nullopt;
  return c->front();
}

/// "  ✓  1 [chromium] › a.spec.ts:3:1 › adds (1.2s)", "  ok 1 a.spec.ts:3:1 › adds (5ms)".
std::optional<model::TestCase> playwright_test(std::string_view line) {
  if (!eat(line, "  ")) return std::nullopt;
  eat_blanks(line);
  TestStatus status = TestStatus::passed;
  if (eat(line, "✘") || eat(line, "x "))
    status = TestStatus::failed;
  else if (eat(line, "- "))
    status = TestStatus::skipped;
  else if (!eat(line, "✓") && !eat(line, "ok "))
    return std::nullopt;
  eat_blanks(line);
  if (!eat_number(line) || eat_blanks(line) == 0 || !contains(line, " › ")) return std::nullopt;
  line = without_duration(line);
  // The position in the file moves with every edit above it.
  std::string name;
  for (std::size_t part = 0; !line.empty(); ++part) {
    const auto end = line.find(" › ");
    auto title = line.substr(0, end);
    const auto colon = title.rfind(':');
    if (colon != std::string_view::npos && colon > 0 && title.find(".") != std::string_view::npos) {
      const auto before = title.rfind(':', colon - 1);
      auto digits = title.substr(colon + 1);
      if (before != std::string_view::npos && eat_number(digits) && digits.empty())
        title = title.substr(0, before);
    }
    name.append(name.empty() ? "" : " › ").append(title);
    line = end == std::string_view::npos ? std::string_view{}
                                         : line.substr(end + std::string_view(" › ").size());
  }
  if (const auto retry = name.rfind(" (retry #"); retry != std::string::npos) name.resize(retry);
  return model::TestCase{name, status};
}

/// A retry lists its test again: the last line counts.
std::vector<model::TestCase> last_tries(const std::vector<model::TestCase>& listed) {
  std::map<std::string, std::size_t> at;
  std::vector<model::TestCase> tests;
  for (const auto& t : listed) {
    const auto [it, fresh] = at.try_emplace(t.name, tests.size());
    if (fresh)
      tests.push_back(t);
    else
      tests[it->second].status = t.status;
  }
  return tests;
}

void playwright_end(OpenRun& run, std::size_t end, std::int64_t announced, const std::vector<Count>& c) {
  const auto gone = sum_of(c, {"did not run"});
  run.tests = last_tries(run.tests);
  auto& r = run.ends(end, counts(sum_of(c, {"passed", "flaky"}), sum_of(c, {"failed", "interrupted"}),
                                 sum_of(c, {"skipped"}),
                                 sum_of(c, {"error was not a part of any test, see above for details",
                                            "errors were not a part of any test, see above for details"})));
  if (announced != *r.counts.total - *r.counts.errors + gone)
    r.suspicious.emplace_back("the figures of the summary do not add up");
  if (gone > 0) {
    r.counts.total.reset();
    r.outcome = "partial";
  }
}

// ---- Cypress ---------------------------------------------------------------------------------------------

/// "    ✖  1 of 2 failed (50%)        00:02        5        4        1        -        -  ".
std::optional<Figures> cypress_total(std::string_view line) {
  eat_blanks(line);
  if (!eat(line, "✖ ") && !eat(line, "✔ ")) return std::nullopt;
  if (!contains(line, " failed (") && !contains(line, "All specs passed!")) return std::nullopt;
  std::int64_t n[5] = {};
  for (int k = 4; k >= 0; --k) {
    line = trim_end(line);
    const auto blank = line.rfind(' ');
    if (blank == std::string_view::npos) return std::nullopt;
    auto cell = line.substr(blank + 1);
    if (cell != "-") {
      const auto value = eat_number(cell);
      if (!value || !cell.empty()) return std::nullopt;
      n[k] = *value;
    }
    line = line.substr(0, blank);
  }
  Figures f;
  f.total = n[0];
  f.passed = n[1];
  f.failed = n[2];
  f.skipped = n[3] + n[4];
  return f;
}

// ---- Karma -----------------------------------------------------------------------------------------------

struct Karma {
  std::int64_t executed = 0, all = 0, failed = 0, skipped = 0;
  bool error = false, ended = false;
};

/// "Chrome Headless 120 (Linux): Executed 5 of 6 (1 FAILED) (skipped 1) (0.1 secs / 0.05 secs)".
std::optional<std::pair<std::string, Karma>> karma_line(std::string_view line) {
  const auto at = line.find(": Executed ");
  if (at == std::string_view::npos || at == 0) return std::nullopt;
  const auto browser = std::string(line.substr(0, at));
  line.remove_prefix(at + 11);
  Karma k;
  const auto executed = eat_number(line);
  if (!executed || !eat(line, " of ")) return std::nullopt;
  const auto all = eat_number(line);
  if (!all) return std::nullopt;
  k.executed = *executed;
  k.all = *all;
  k.ended = contains(line, " secs)") || contains(line, " mins ");
  while (eat_blanks(line) > 0 || !line.empty()) {
    auto part = line.substr(0, line.find(')'));
    if (eat(part, "(skipped ")) {
      k.skipped = eat_number(part).value_or(0);
    } else if (eat(part, "(")) {
      const auto n = eat_number(part);
      if (n && part == " FAILED") k.failed = *n;
    } else if (line.starts_with("ERROR") || line.starts_with("DISCONNECTED")) {
      k.error = true;
    }
    const auto next = line.find(' ', 1);
    const auto close = line.starts_with("(") ? line.find(')') : std::string_view::npos;
    const auto cut = close != std::string_view::npos ? close + 1 : next;
    if (cut == std::string_view::npos || cut >= line.size()) break;
    line.remove_prefix(cut);
  }
  return std::pair(browser, k);
}

// ---- WebdriverIO -----------------------------------------------------------------------------------------

/// "[chrome 120 linux #0-0] 3 passing (1.2s)".
std::optional<Count> wdio_figure(std::string_view line) {
  if (!line.starts_with('[')) return std::nullopt;
  const auto close = line.find("] ");
  if (close == std::string_view::npos || !contains(line.substr(0, close), "#")) return std::nullopt;
  line.remove_prefix(close + 2);
  line = without_duration(line);
  const auto c = counts_of(line, "\n");
  if (!c || !one_of(c->front().what, {"passing", "failing", "skipped", "pending"})) return std::nullopt;
  return c->front();
}

}  // namespace

void find_playwright(const Input& in, std::vector<TestSegment>& out) {
  OpenRun run("playwright", out);
  bool interrupted = false;  // text stood behind the last figure
  std::int64_t announced = 0;
  std::size_t end = 0;
  std::vector<Count> c;
  const auto close = [&](std::size_t at) {
    if (c.empty())
      run.cut(at);
    else
      playwright_end(run, end, announced, c);
    c.clear();
  };
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    const auto line = in.lines[i];
    Figures f;
    if (match(lint_line<"Running {total} test{s} using {number} worker{any}">(), line, f)) {
      close(i);
      run.at(i);
      announced = *f.total;
    } else if (line.starts_with("Error: No tests found")) {
      out.push_back(empty_run("playwright", i, i + 1));
    } else if (!run) {
      continue;
    } else if (const auto figure = playwright_figure(line)) {
      // Between two figures stand only the names of tests, indented by four: other text begins anew.
      if (interrupted) c.clear();
      interrupted = false;
      c.push_back(*figure);
      end = i + 1;
    } else if (auto t = playwright_test(line)) {
      run.tests.push_back(std::move(*t));
      interrupted = true;
    } else if (!c.empty() && !line.empty() && !line.starts_with("    ")) {
      interrupted = true;
    }
  }
  close(in.lines.size());
}

void find_cypress(const Input& in, std::vector<TestSegment>& out) {
  OpenRun run("cypress", out);
  bool finished_mark = false;
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    const auto line = in.lines[i];
    if (trim_end(line) == "  (Run Starting)") {
      run.starts(i);
      finished_mark = false;
    } else if (trim_end(line) == "  (Run Finished)") {
      finished_mark = true;
    } else if (const auto f = run && finished_mark ? cypress_total(line) : std::nullopt) {
      const auto t = tally(*f);
      if (!t) continue;
      auto& r = run.ends(i + 1, finished("cypress", *t), 75);
      if (contains(line, " failed (") && *t->counts.failed == 0) {
        r.counts.errors = 1;
        r.counts.total.reset();
      }
    }
  }
  run.cut(in.lines.size());
}

void find_karma(const Input& in, std::vector<TestSegment>& out) {
  std::map<std::string, Karma> browsers;
  std::optional<std::size_t> begin;
  std::size_t end = 0;
  bool lost = false;
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    const auto line = in.lines[i];
    if (auto k = karma_line(line)) {
      if (browsers.size() < 64) browsers[k->first] = k->second;
    } else if (begin &&
               (contains(line, " DISCONNECTED") || contains(line, "Disconnected, because no message in "))) {
      lost = true;
    } else {
      continue;
    }
    if (!begin) begin = i;
    end = i + 1;
  }
  if (!begin) return;
  auto seg = run_of("karma", *begin, end, 60);
  auto& r = seg.report;
  r.complete = !lost;
  std::int64_t passed = 0, failed = 0, skipped = 0, errors = 0;
  for (const auto& [name, k] : browsers) {
    passed += std::max<std::int64_t>(0, k.executed - k.failed);
    failed += k.failed;
    skipped += k.skipped;
    if (k.error) ++errors;
    if (!k.error && (k.executed + k.skipped < k.all || !k.ended)) r.complete = false;
  }
  r.counts = counts(passed, failed, skipped, errors);
  if (*r.counts.total == 0) r.outcome = "no_tests";
  if (errors > 0 && passed + failed == 0) r.outcome = "build_failed";
  if (!r.complete || errors > 0) r.counts.total.reset();
  out.push_back(std::move(seg));
}

void find_webdriverio(const Input& in, std::vector<TestSegment>& out) {
  std::optional<std::size_t> begin;
  std::int64_t passed = 0, failed = 0, skipped = 0;
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    auto line = in.lines[i];
    if (const auto c = wdio_figure(line)) {
      if (!begin) begin = i;
      (c->what == "passing" ? passed : c->what == "failing" ? failed : skipped) += c->n;
    } else if (eat(line, "Spec Files:") && eat_blanks(line) > 0 && contains(line, " total")) {
      auto seg = ended_run("webdriverio", begin.value_or(i), i + 1, 65);
      auto& r = seg.report;
      const auto files = counts_of(line.substr(0, line.find(" (")), ",");
      const auto broken = files ? sum_of(*files, {"failed"}) : 0;
      if (begin) r.counts = counts(passed, failed, skipped, failed == 0 ? broken : 0);
      if (!begin && broken > 0) r.counts.errors = broken;
      if (begin && failed == 0 && broken > 0) r.counts.total.reset();
      out.push_back(std::move(seg));
      begin.reset();
      passed = failed = skipped = 0;
    }
  }
}

void find_testcafe(const Input& in, std::vector<TestSegment>& out) {
  OpenRun run("testcafe", out);
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    const auto line = in.lines[i];
    if (trim_end(line) == " Running tests in:") run.anew(i);
    Figures f;
    if (!run || (!match(lint_line<" {failed}/{ran} failed ({any}">(), line, f) &&
                 !match(lint_line<" {passed} passed ({any}">(), line, f)))
      continue;
    std::size_t end = i + 1;
    for (std::size_t k = i + 1; k < in.lines.size() && k < i + 4; ++k)
      if (match(tests_line<" {skipped} skipped">(), in.lines[k], f)) end = k + 1;
    if (const auto t = tally(f)) run.ends(end, finished("testcafe", *t));
  }
  run.cut(in.lines.size());
}

// Nightwatch's last lines count assertions: its tests are those that it says to run, each with a result of
// its own. A test that has none did not come to its end.
void find_nightwatch(const Input& in, std::vector<TestSegment>& out) {
  OpenRun run("nightwatch", out);
  std::string suite;
  bool open = false;
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    auto line = trim_end(in.lines[i]);
    if (line.size() > 1000) continue;
    if (line.starts_with('[') && eat_end(line, "] Test Suite")) {
      suite = line.substr(1);
    } else if (eat(line, "  Running ") && eat_end(line, ":")) {
      make_room(run.tests, in.lines.size());
      if (run.tests.size() < kMaxNames)
        run.lists(i, {(suite.empty() ? "" : suite + " > ") + std::string(line), TestStatus::failed});
      open = true;
    } else if (run && open && eat(line, "  ✨ PASSED. ") && contains(line, " assertions. (")) {
      run.tests.back().status = TestStatus::passed;
      open = false;
    } else if (run && (contains(line, "TEST FAILURE (") ||
                       (eat(line, "  ✨ PASSED. ") && eat_number(line) &&
                        (line.starts_with(" total assertions") || line.starts_with(" tests"))))) {
      auto c = counts_of_tests(run.tests);
      for (std::size_t k = i + 1; k < in.lines.size() && k < i + 8; ++k)
        if (Figures f; match(tests_line<" - {skipped} skipped">(), in.lines[k], f))
          c = counts(*c.passed, *c.failed, *f.skipped, 0);
      if (contains(in.lines[i], "TEST FAILURE (") && *c.failed == 0) {
        c.errors = 1;
        c.total.reset();
      }
      run.ends(i + 1, c);
      suite.clear();
      open = false;
    }
  }
}

}  // namespace hydra::parsers
