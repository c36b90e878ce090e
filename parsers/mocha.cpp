// mocha: the last block of "N passing", "N pending", "N failing"; names from the spec reporter above the
// block.
#include "parsers/formats.hpp"
#include "parsers/marks.hpp"
#include "parsers/scan.hpp"

namespace hydra::parsers {
namespace {

using model::TestOutcome;
using model::TestStatus;

bool passing(std::string_view line, Figures& f) {
  return match(lint_line<"  {passed} passing ({any})">(), line, f);
}

/// Returns whether the line is the begin of a figure's line at the end of a cut log.
bool half_figure(std::string_view line) {
  if (!eat(line, "  ") || !eat_number(line)) return false;
  for (const std::string_view word : {" passing (", " pending", " failing"})
    if (word.starts_with(line) || line.starts_with(" passing (")) return true;
  return false;
}

/// "    1) adds", anywhere above the summary.
bool numbered_failure(std::string_view line) {
  const auto indent = eat_blanks(line);
  return indent >= 2 && eat_number(line) && eat(line, ") ") && !line.empty();
}

struct MochaBlock {
  std::size_t begin = 0, end = 0;
  model::TestCounts counts;
};

std::optional<MochaBlock> last_block(const Input& in) {
  for (std::size_t i = in.lines.size(); i-- > 0;) {
    Figures f;
    if (i == 0 || !is_blank(in.lines[i - 1]) || !passing(in.lines[i], f)) continue;
    MochaBlock b{i, i + 1, {}};
    std::int64_t pending = 0, failing = 0;
    for (; b.end < in.lines.size(); ++b.end) {
      Figures more;
      if (match(lint_line<"  {skipped} pending">(), in.lines[b.end], more))
        pending = *more.skipped;
      else if (match(lint_line<"  {failed} failing">(), in.lines[b.end], more))
        failing = *more.failed;
      else
        break;
    }
    b.counts = counts(*f.passed, failing, pending, 0);
    return b;
  }
  return std::nullopt;
}

std::optional<std::pair<TestStatus, std::string_view>> mocha_test(std::string_view s) {
  if (eat(s, "✔ ") || eat(s, "✓ ") || eat(s, "√ ")) return std::pair(TestStatus::passed, without_duration(s));
  if (eat(s, "- ")) return std::pair(TestStatus::skipped, s);
  if (eat_number(s) && eat(s, ") ")) return std::pair(TestStatus::failed, s);
  return std::nullopt;
}

std::vector<model::TestCase> names_above(const Input& in, std::size_t end) {
  std::vector<model::TestCase> out;
  Titles titles;
  for (std::size_t i = 0; i < end; ++i) {
    auto line = in.lines[i];
    const auto indent = eat_blanks(line);
    Figures f;
    if (indent < 2 || line.empty() || passing(in.lines[i], f) ||
        match(lint_line<"  {failed} failing">(), in.lines[i], f))
      continue;
    titles.at(indent);
    if (const auto test = mocha_test(line))
      out.push_back({titles.path(test->second, " "), test->first});
    else
      titles.push(indent, line);
  }
  return out;
}

}  // namespace

void find_mocha(const Input& in, std::vector<TestSegment>& out) {
  TestSegment seg;
  auto& r = seg.report;
  r.format = "mocha";
  r.complete = true;
  if (const auto b = last_block(in)) {
    seg.begin = b->begin;
    seg.end = b->end;
    seg.confidence = 40;
    r.counts = b->counts;
    for (std::size_t i = 0; i < b->begin; ++i)
      if (contains(in.lines[i], ") \"before all\" hook") || contains(in.lines[i], ") \"before each\" hook"))
        r.counts.total.reset();  // the tests behind a failed hook never ran
    if (r.counts.total == 0) r.outcome = TestOutcome::no_tests;
    // mocha prints a blank line after the figures; without it the log may be cut before the failures. A
    // stored log may have lost the blank lines at its end, and the last line's own end.
    const bool last = b->counts.failed == 0 && b->end == in.lines.size();
    if (last && in.text.ends_with('\n')) r.complete = false;
    if (last)
      for (std::size_t i = 0; i < b->begin && r.complete; ++i) r.complete = !numbered_failure(in.lines[i]);
    if (!in.text.ends_with('\n') && half_figure(in.lines[in.lines.size() - 1]) && b->end < in.lines.size())
      r.complete = false;
    r.tests = names_above(in, b->begin);
    keep_complete_names(r);
    out.push_back(std::move(seg));
    return;
  }
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    if (in.lines[i].starts_with("Error: No test files found") ||
        in.lines[i].starts_with("✖ ERROR: No test files found")) {
      out.push_back(empty_run("mocha", i, i + 1));
      return;
    }
    if (!in.lines[i].starts_with(" Exception during run: ") && !in.lines[i].starts_with("✖ ERROR: "))
      continue;
    out.push_back(unbuilt_run("mocha", i, i + 1));
    return;
  }
}

}  // namespace hydra::parsers
