// pytest: the last count line of a session, checked against "collected N items" or the progress marks; names
// with -v.
#include "parsers/marks.hpp"
#include "parsers/scan.hpp"

#include <algorithm>
#include <array>

namespace hydra::parsers {
namespace {

using model::TestOutcome;
using model::TestStatus;

/// "=== 1 failed, 2 passed in 0.01s ===" with or without bars; an empty list for "no tests ran in 0.01s".
std::optional<std::vector<Count>> pytest_summary_of(std::string_view line) {
  if (line.starts_with('=')) {
    line.remove_prefix(std::min(line.find_first_not_of('='), line.size()));
    line = line.substr(0, line.find_last_not_of('=') + 1);
    if (!eat(line, " ")) return std::nullopt;
  }
  line = trim_end(line);
  if (line.ends_with(')')) line = trim_end(line.substr(0, line.rfind('(')));  // (0:01:05)
  if (!line.ends_with('s')) return std::nullopt;
  const auto in = line.rfind(" in ");
  if (in == std::string_view::npos) return std::nullopt;
  auto time = line.substr(in + 4);
  if (!eat_decimal(time) || !one_of(time, {"s", " seconds"})) return std::nullopt;
  line = line.substr(0, in);
  if (line == "no tests ran") return std::vector<Count>{};
  auto c = counts_of(line, ",");
  if (!c) return std::nullopt;
  for (const auto& x : *c)
    if (one_of(x.what, {"failed", "passed", "skipped", "deselected", "xfailed", "xpassed", "error", "errors",
                        "rerun", "warning", "warnings"}))
      return c;
  return std::nullopt;
}

model::TestCounts counts_from(const std::vector<Count>& c) {
  return counts(sum_of(c, {"passed", "xpassed"}), sum_of(c, {"failed"}), sum_of(c, {"skipped", "xfailed"}),
                sum_of(c, {"error", "errors"}));
}

std::optional<TestStatus> pytest_status(std::string_view word) {
  if (one_of(word, {"PASSED", "XPASS"})) return TestStatus::passed;
  if (word == "FAILED") return TestStatus::failed;
  if (one_of(word, {"SKIPPED", "XFAIL"})) return TestStatus::skipped;
  if (word == "ERROR") return TestStatus::error;
  return std::nullopt;
}

/// Drops "[ 42%]" at the end of a -v line.
bool eat_percent_end(std::string_view& s) {
  auto rest = trim_end(s);
  if (!eat_end(rest, "%]")) return false;
  const auto open = rest.rfind('[');
  if (open == std::string_view::npos || rest.size() - open > 4) return false;
  s = trim_end(rest.substr(0, open));
  return true;
}

/// A test's line; the name is copied only when kept.
struct PytestLine {
  std::string_view name;
  TestStatus status = TestStatus::passed;
};

std::optional<PytestLine> xdist_test(std::string_view line) {
  if (!eat(line, "[gw")) return std::nullopt;
  if (!eat_number(line) || !eat(line, "] [")) return std::nullopt;
  eat_blanks(line);
  if (!eat_number(line) || !eat(line, "%] ")) return std::nullopt;
  const auto space = line.find(' ');
  const auto status = pytest_status(line.substr(0, space));
  if (!status || space == std::string_view::npos || !contains(line, "::")) return std::nullopt;
  return PytestLine{trim_end(line.substr(space + 1)), *status};
}

/// Returns whether the line contains "::". Most such lines have no single colon before "::".
bool has_colons(std::string_view line) {
  const auto colon = line.find(':');
  return colon != std::string_view::npos &&
         (line.substr(colon + 1).starts_with(':') || contains(line.substr(colon + 1), "::"));
}

std::optional<PytestLine> pytest_line(std::string_view line) {
  if (auto t = xdist_test(line)) return t;
  const auto whole = line;
  if (!eat_percent_end(line)) return std::nullopt;
  for (const std::string_view reason : {" SKIPPED (", " XFAIL (", " XPASS ("})
    if (const auto at = line.ends_with(')') ? line.rfind(reason) : std::string_view::npos;
        at != std::string_view::npos)
      line = line.substr(0, at + reason.size() - 2);
  const auto space = line.rfind(' ');
  if (space == std::string_view::npos) return std::nullopt;
  const auto status = pytest_status(line.substr(space + 1));
  if (!status || !has_colons(whole)) return std::nullopt;
  return PytestLine{trim_end(line.substr(0, space)), *status};
}

/// Returns false for lines whose first and last characters rule out every reader below: nearly all lines of
/// another runner.
bool may_say_something(std::string_view line) {
  if (line.empty()) return false;
  switch (line.front()) {
    case '=':
    case '!':
    case '[':
    case 'c':
      return true;
    default:
      break;
  }
  switch (line.back()) {
    case ' ':
    case '\t':
    case 's':  // "in 0.01s"
    case ')':
    case ']':
      return true;
    default:
      return std::string_view(".FEsxXR").find(line.back()) != std::string_view::npos;
  }
}

/// Returns the number of tests in progress marks, "..F.s [ 42%]" or "tests/test_a.py ..F"; else 0.
std::int64_t dots_of(std::string_view line) {
  eat_percent_end(line);
  line = trim_end(line);
  const auto space = line.rfind(' ');
  if (space != std::string_view::npos) {
    if (!line.substr(0, space).ends_with(".py")) return 0;
    line = line.substr(space + 1);
  }
  if (line.empty() || line.find_first_not_of(".FEsxXR") != std::string_view::npos) return 0;
  std::int64_t n = 0;
  for (const char c : line)
    if (c != 'R') ++n;
  return n;
}

struct PytestSession {
  std::optional<std::size_t> begin;
  bool banner = false, interrupted = false, stopped = false;
  std::optional<std::int64_t> collected;
  std::int64_t deselected = 0, dots = 0;
  std::array<std::int64_t, 4> marks{};  ///< passed, failed, skipped, errors of the progress marks
  bool whole = false;                   ///< the marks ended in "[100%]"
  std::vector<model::TestCase> tests;
  std::int64_t skipped = 0;  ///< of the listed tests
  bool nameless = false;     ///< more names than kMaxNames
  std::vector<std::vector<Count>> summaries;

  void at(std::size_t i) {
    if (!begin) begin = i;
  }
};

void count_marks(PytestSession& s, std::string_view line) {
  auto bare = line;
  const bool percent = eat_percent_end(bare);
  s.whole = percent && trim_end(line).ends_with("[100%]");
  bare = bare.substr(bare.rfind(' ') == std::string_view::npos ? 0 : bare.rfind(' ') + 1);
  for (const char c : bare) {
    if (c == '.' || c == 'X') ++s.marks[0];
    if (c == 'F') ++s.marks[1];
    if (c == 's' || c == 'x') ++s.marks[2];
    if (c == 'E') ++s.marks[3];
  }
}

std::int64_t ran(const std::vector<Count>& c) {
  return sum_of(c, {"passed", "failed", "skipped", "xfailed", "xpassed"});
}

/// Returns whether a count line fits the tests that the session listed before.
bool fits(const PytestSession& s, const std::vector<Count>& c) {
  if (s.collected && !s.stopped && !s.interrupted) {
    const auto expected = *s.collected - s.deselected;
    return ran(c) <= expected && ran(c) + sum_of(c, {"error", "errors"}) >= expected;
  }
  return s.dots == 0 || ran(c) + sum_of(c, {"error", "errors"}) == s.dots;
}

void close(PytestSession& s, std::size_t end, std::vector<TestSegment>& out) {
  if (!s.banner && s.summaries.empty() && !s.whole) return;
  auto seg = run_of("pytest", s.begin.value_or(0), end, s.banner ? 60 : 40);
  auto& r = seg.report;
  r.complete = !s.summaries.empty() || !s.banner;
  if (!r.complete) {
    seg.confidence = 20;
    r.counts.skipped = s.skipped;  // up to the point where the run stopped
  } else if (s.summaries.empty()) {
    // -qq prints no count line: the marks are the result.
    r.counts = counts(s.marks[0], s.marks[1], s.marks[2], s.marks[3]);
    if (s.marks[3] > 0) r.counts.total.reset();
  } else {
    const auto chosen =
        std::find_if(s.summaries.rbegin(), s.summaries.rend(), [&](const auto& c) { return fits(s, c); });
    const auto& c = chosen == s.summaries.rend() ? s.summaries.back() : *chosen;
    r.counts = counts_from(c);
    const bool differ = std::any_of(s.summaries.begin(), s.summaries.end(), [&](const auto& other) {
      const auto n = counts_from(other);
      return n.passed != r.counts.passed || n.failed != r.counts.failed;
    });
    if (differ) r.suspicious.emplace_back("several summaries that differ after one start");
    r.tests = std::move(s.tests);
    keep_complete_names(r);
    give_back(r.tests);
    if (*r.counts.total == 0) r.outcome = TestOutcome::no_tests;
    if (*r.counts.errors > 0) r.counts.total.reset();
    if (s.stopped) {
      r.counts.total.reset();
      r.outcome = TestOutcome::partial;
    }
    if (s.interrupted && ran(c) == 0) r.outcome = TestOutcome::build_failed;
  }
  out.push_back(std::move(seg));
  s = {};
}

void list(PytestSession& s, const PytestLine& test, std::size_t lines) {
  if (test.status == TestStatus::skipped) ++s.skipped;
  if (s.nameless) return;
  // The list will exceed kMaxNames: so many tests are announced, and the log has enough lines.
  const bool announced = s.collected.value_or(0) > static_cast<std::int64_t>(kMaxNames) && lines > kMaxNames;
  if (announced || s.tests.size() >= kMaxNames) {
    s.nameless = true;
    std::vector<model::TestCase>().swap(s.tests);
    return;
  }
  make_room(s.tests, lines);
  s.tests.push_back({std::string(test.name), test.status});
}

void read_banner_facts(PytestSession& s, std::string_view line) {
  if (line.starts_with('!')) {
    if (contains(line, " Interrupted: ") || contains(line, "KeyboardInterrupt")) s.interrupted = true;
    if (contains(line, " stopping after ") || contains(line, "KeyboardInterrupt") ||
        only(line, '!', 10) ||  // cut before the reason
        contains(line, "xdist.dsession") || contains(line, " _pytest.outcomes.Exit: "))
      s.stopped = true;
    return;
  }
  eat(line, "collecting ... ");
  if (!s.collected && eat(line, "collected ")) {
    s.collected = eat_number(line);
    if (const auto at = line.find(" / "); at != std::string_view::npos) {
      auto rest = line.substr(at + 3);
      const auto n = eat_number(rest);
      if (n && rest.starts_with(" deselected")) s.deselected = *n;
      if (n && rest.starts_with(" error")) {
        const auto more = rest.find(" / ");
        auto tail = more == std::string_view::npos ? std::string_view{} : rest.substr(more + 3);
        const auto d = eat_number(tail);
        if (d && tail.starts_with(" deselected")) s.deselected = *d;
      }
    }
  }
}

}  // namespace

void find_pytest(const Input& in, std::vector<TestSegment>& out) {
  PytestSession s;
  std::size_t last = 0;
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    const auto line = in.lines[i];
    if (!may_say_something(line)) continue;
    // Try the -v line first, nearly every line of a -v run; the other checks cost more.
    if (line.ends_with("%]"))
      if (const auto t = pytest_line(line)) {
        s.at(i);
        list(s, *t, in.lines.size() - i);
        last = i + 1;
        continue;
      }
    if (line.starts_with("====") && contains(line, " test session starts ")) {
      close(s, last, out);
      s.begin = i;
      s.banner = true;
    } else if (auto c = pytest_summary_of(line)) {
      s.at(i);
      s.summaries.push_back(std::move(*c));
    } else if (const auto n = dots_of(line); n > 0) {
      // Without a banner (-q) new marks behind a count line that fits the old marks begin another run.
      if (!s.banner && !s.summaries.empty() && fits(s, s.summaries.back())) close(s, last, out);
      s.at(i);
      s.dots += n;
      count_marks(s, line);
    } else if (line.starts_with("====") && (contains(line, " FAILURES ") || contains(line, " ERRORS "))) {
      s.at(i);
    } else if (const auto t = pytest_line(line)) {
      s.at(i);
      list(s, *t, in.lines.size() - i);
    } else {
      read_banner_facts(s, line);
      continue;
    }
    last = i + 1;
  }
  close(s, s.summaries.empty() ? in.lines.size() : last, out);
}

/// pytest-sugar.
void find_sugar(const Input& in, std::vector<TestSegment>& out) {
  OpenRun run("pytest", out);
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    const auto line = in.lines[i];
    if (line.starts_with("Test session starts (platform: ")) run.anew(i);
    if (!run || !line.starts_with("Results (") || !line.ends_with("):")) continue;
    std::vector<Count> c;
    auto end = i + 1;
    for (; end < in.lines.size(); ++end) {
      auto row = in.lines[end];
      if (is_blank(row) || eat_blanks(row) == 0) break;
      if (row.starts_with("- ")) continue;
      const auto count = counts_of(row, "\n");
      if (!count || !one_of(count->front().what, {"passed", "xpassed", "failed", "skipped", "xfailed",
                                                  "error", "errors", "deselected", "rerun", "warnings"}))
        break;
      c.push_back(count->front());
    }
    if (c.empty()) continue;
    const auto errors = sum_of(c, {"error", "errors"});
    auto& r = run.ends(end, counts(sum_of(c, {"passed", "xpassed"}), sum_of(c, {"failed"}),
                                   sum_of(c, {"skipped", "xfailed"}), errors));
    // An error may belong to a test that also passed.
    if (errors > 0) r.counts.total.reset();
  }
  run.cut(in.lines.size());
}

}  // namespace hydra::parsers
