// For runners that nobody described: a last line with counts in words, or a list of marks. Asked only where
// no other parser found anything; low confidence.
#include "base/strings.hpp"
#include "parsers/generic_summary.hpp"
#include "parsers/marks.hpp"
#include "parsers/scan.hpp"
#include "parsers/summaries.hpp"

#include <algorithm>

namespace hydra::parsers {
namespace {

constexpr std::size_t kLongestMark = 300;  ///< a longer line is no mark

/// A quick look for "pass", "fail", "success" and "error" in any case: most lines of a log go no further.
bool speaks_of_results(std::string_view line) {
  for (std::size_t i = 0; i + 3 <= line.size(); ++i) {
    const auto rest = line.substr(i);
    switch (line[i]) {
      case 'a':
        if (rest.starts_with("ass") || rest.starts_with("ail")) return true;
        break;
      case 'A':
        if (rest.starts_with("ASS") || rest.starts_with("AIL")) return true;
        break;
      case 'u':
        if (rest.starts_with("ucce")) return true;
        break;
      case 'r':
        if (rest.starts_with("rror")) return true;
        break;
      default:
        break;
    }
  }
  return false;
}

/// "[PASS] name", "✓ name", "name ... ok": what lists of tests look like.
std::optional<model::TestCase> mark_of(std::string_view line) {
  if (line.size() > kLongestMark) return std::nullopt;
  line = trim(line);
  if (line.empty() || (std::string_view("[PFS").find(line[0]) == std::string_view::npos &&
                       static_cast<unsigned char>(line[0]) < 0x80 && !contains(line, "... ")))
    return std::nullopt;
  auto test = case_of("generic", line);
  return test && test->name.empty() ? std::nullopt : test;
}

constexpr std::size_t kMostMarks = 200'000;
constexpr std::size_t kTail = 25;   ///< lines that may follow a summary
constexpr std::size_t kBlock = 20;  ///< lines that a summary may have

struct Found {
  std::size_t begin = 0, end = 0;
  Tally tally;
  bool single = false;  ///< of one kind of counts: "5 tests passed"
};

bool of_one_kind(const std::vector<SummaryPart>& parts) {
  const auto counted = [](const SummaryPart& p) { return p.of != Meaning::nothing; };
  const auto first = std::find_if(parts.begin(), parts.end(), counted);
  return std::all_of(first, parts.end(),
                     [&](const SummaryPart& p) { return !counted(p) || p.of == first->of; });
}

std::int64_t bad(const Tally& t) { return *t.counts.failed + *t.counts.errors; }

/// A summary on one line, or nothing.
std::optional<Tally> whole_tally(const std::vector<SummaryPart>& parts, const ExitFacts& exit) {
  const auto s = summary_of(parts);
  if (!s || !s->whole) return std::nullopt;
  // "4 tests complete" does not say how they ended.
  const auto& f = s->figures;
  if (exit.exit_code.value_or(0) != 0 && !f.passed && !f.failed && !f.errors) return std::nullopt;
  auto t = tally(s->figures);
  return t && t->adds_up ? t : std::nullopt;
}

/// A line that says that no tests were found or run.
bool says_no_tests(std::string_view line) {
  if (line.size() > SummaryPart::kLongest) return false;
  std::string words;
  const auto lower = to_lower(trim(line));
  // Without tags, marks and what ends a sentence.
  for (const char c : lower) {
    if (is_letter(c) || is_digit(c))
      words += c;
    else if (!words.empty() && words.back() != ' ')
      words += ' ';
  }
  std::string_view s = words;
  s = trim_end(s);
  for (const std::string_view head : {"error ", "info ", "warning ", "warn ", "notice "}) eat(s, head);
  static constexpr std::array<std::string_view, 5> subjects{"no tests", "no test files", "no test cases",
                                                            "no specs", "no test"};
  for (const auto subject : subjects) {
    auto rest = s;
    if (!eat(rest, subject)) continue;
    if (rest.empty()) return true;
    eat(rest, " were");
    if (one_of(rest, {" found", " ran", " run", " to run", " executed", " collected", " selected", " matched",
                      " discovered", " available", " defined"}))
      return true;
  }
  return among<"no_tests">(s);
}

/// A line that may stand inside a block of counts without being one: empty, a ruler, "Duration: 1.2s".
bool beside_counts(std::string_view line) {
  if (line.size() > SummaryPart::kLongest) return false;
  const auto lower = to_lower(trim(line));
  std::string_view s = lower;
  while (!s.empty() && !is_letter(s[0])) {
    if (is_digit(s[0])) return false;
    s.remove_prefix(1);
  }
  if (s.empty()) return true;
  std::size_t n = 0;
  while (n < s.size() && is_letter(s[n])) ++n;
  const auto word = s.substr(0, n);
  return among<"other_nouns">(word) || among<"beside_counts">(word);
}

/// Counts of neighbouring lines, each of which has a part of them.
class Block {
 public:
  /// Line `i`; its parts.
  void take(std::size_t i, std::vector<SummaryPart> parts) {
    if (parts_.empty()) begin_ = i;
    end_ = i + 1;
    ++lines_;
    for (auto& p : parts) parts_.push_back(std::move(p));
  }
  bool empty() const { return parts_.empty(); }
  bool full() const { return lines_ >= kBlock; }
  void clear() {
    parts_.clear();
    lines_ = 0;
  }
  /// One of the words has been counted already: another block begins.
  bool repeats(const std::vector<SummaryPart>& parts) const {
    return std::any_of(parts.begin(), parts.end(), [this](const SummaryPart& p) {
      return p.of != Meaning::nothing &&
             std::any_of(parts_.begin(), parts_.end(),
                         [&p](const SummaryPart& q) { return q.of == p.of && q.word == p.word; });
    });
  }
  /// Where they tell a whole_tally result together.
  std::optional<Found> result(const ExitFacts& exit) const {
    const auto t = whole_tally(parts_, exit);
    return t ? std::optional(Found{begin_, end_, *t, of_one_kind(parts_)}) : std::nullopt;
  }
  /// A single count, "5 passed" or "failures=2", and where.
  std::optional<std::pair<Figures, std::size_t>> single() const {
    if (lines_ != 1) return std::nullopt;
    const auto s = summary_of(parts_);
    const auto counted = std::count_if(parts_.begin(), parts_.end(),
                                       [](const SummaryPart& p) { return p.of != Meaning::nothing; });
    return s && counted == 1 ? std::optional(std::pair(s->figures, begin_)) : std::nullopt;
  }

 private:
  std::vector<SummaryPart> parts_;
  std::size_t begin_ = 0, end_ = 0, lines_ = 0;
};

/// What the end of a log says: the last result of several lines, the last single count, and whether it says
/// that there was nothing to run.
struct Tail {
  std::optional<Found> block;
  std::optional<std::pair<Figures, std::size_t>> single;
  std::optional<std::size_t> no_tests;
};

Tail tail_of(const Input& in) {
  Tail out;
  Block block;
  bool gap = false;
  const auto close = [&] {
    if (auto r = block.result(in.exit)) out.block = r;
    if (auto s = block.single()) out.single = s;
    block.clear();
  };
  const auto n = in.lines.size();
  for (std::size_t i = n > kTail + kBlock ? n - kTail - kBlock : 0; i < n; ++i) {
    const auto line = in.lines[i];
    auto parts = summary_parts(line);
    if (n - i <= kTail && says_no_tests(line)) out.no_tests = i;
    if (parts.empty()) {
      const bool blank = is_blank(line);
      if ((blank && gap) || !beside_counts(line)) close();
      gap = blank;
      continue;
    }
    gap = false;
    const bool alone = parts.size() > 1 && whole_tally(parts, in.exit);
    if (block.full() || block.repeats(parts) || alone) close();
    block.take(i, std::move(parts));
    if (alone) close();
  }
  close();
  if (out.block && n - out.block->end > kTail) out.block.reset();
  return out;
}

/// How many lines behind a summary are more than times and rulers: text that a test prints is rarely near the
/// end of a log.
std::size_t lines_behind(const Input& in, std::size_t end) {
  std::size_t n = 0;
  for (auto i = end; i < in.lines.size() && n <= kTail; ++i)
    if (!beside_counts(in.lines[i])) ++n;
  return n;
}

TestSegment partly_known(std::size_t begin, std::size_t end) { return run_of("generic", begin, end, 30); }

/// One count alone is believed where the exit code says the same.
std::optional<TestSegment> single_count(const Tail& tail, const Input& in) {
  if (!tail.single || !in.exit.exit_code || in.exit.signal || in.lines.size() - tail.single->second > kTail)
    return std::nullopt;
  const auto& f = tail.single->first;
  const auto line = tail.single->second;
  auto seg = partly_known(line, line + 1);
  auto& r = seg.report;
  if (*in.exit.exit_code == 0 && f.passed.value_or(0) > 0 && lines_behind(in, line + 1) == 0) {
    seg.report = finished("generic", *tally(f));
    return seg;
  }
  if (*in.exit.exit_code == 0 || f.failed.value_or(0) == 0) return std::nullopt;
  r.counts.failed = f.failed;
  r.outcome = "tests_failed";
  return seg;
}

}  // namespace

void find_generic(const Input& in, std::vector<TestSegment>& out) {
  if (!out.empty()) return;
  std::optional<std::size_t> first_mark;
  std::optional<Found> last, failing;
  std::size_t marks_end = 0;
  std::vector<model::TestCase> tests;
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    const auto line = in.lines[i];
    if (speaks_of_results(line))
      if (const auto parts = summary_parts(line); const auto t = whole_tally(parts, in.exit)) {
        last = {i, i + 1, *t, of_one_kind(parts)};
        if (bad(*t) > 0) failing = last;
        continue;
      }
    if (auto m = tests.size() < kMostMarks ? mark_of(line) : std::nullopt) {
      if (!first_mark) first_mark = i;
      marks_end = i + 1;
      tests.push_back(std::move(*m));
    }
  }
  const auto tail = tail_of(in);
  if (tail.block && (!last || last->begin < tail.block->end)) {
    last = tail.block;
    if (bad(last->tally) > 0) failing = last;
  }
  // One count that stands for all is a sentence that any test may print, and so is a block of counts.
  if (last && bad(last->tally) == 0) {
    constexpr std::size_t kFew = 3;
    const bool block = last->end - last->begin > 1;
    if (const auto n = lines_behind(in, last->end); (last->single && n > 0) || (block && n > kFew))
      last.reset();
  }
  // A summary stands at the end: what comes long before it is text.
  if (last && in.lines.size() - last->begin > kTail + (last->end - last->begin)) last.reset();
  if (last) {
    const bool failed = in.exit.exit_code.value_or(0) != 0;
    const bool earlier = failing && failing->begin != last->begin && bad(last->tally) == 0;
    const auto& use = earlier && failed ? *failing : *last;
    auto seg = partly_known(use.begin, use.end);
    auto& r = seg.report;
    r = finished("generic", use.tally);
    if (earlier) r.suspicious.emplace_back("an earlier summary has failed tests, the last one has none");
    const auto marked = counts_of_tests(tests);
    if (*marked.failed + *marked.errors > 0 && *r.counts.failed + *r.counts.errors == 0)
      r.suspicious.emplace_back("the summary has no failures, but failed tests are listed");
    take_names(r, std::move(tests));
    out.push_back(std::move(seg));
  } else if (tests.size() >= 2 && in.exit.exit_code) {
    // Marks without a summary prove nothing about the end of the run: only failures that agree with the exit
    // code are believed, and never as a complete result.
    const auto c = counts_of_tests(tests);
    auto seg = partly_known(*first_mark, marks_end);
    if (*c.failed + *c.errors > 0) {
      // Nothing but failures is a list of what failed, suites among it: its length counts no tests.
      if (*c.passed > 0) seg.report.counts.failed = *c.failed + *c.errors;
      seg.report.outcome = "tests_failed";
    }
    out.push_back(std::move(seg));
  } else if (auto one = single_count(tail, in)) {
    out.push_back(std::move(*one));
  } else if (tail.no_tests) {
    auto seg = empty_run("generic", *tail.no_tests, *tail.no_tests + 1);
    seg.confidence = 30;
    out.push_back(std::move(seg));
  }
}

}  // namespace hydra::parsers
