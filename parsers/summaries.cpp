#include "parsers/summaries.hpp"

#include "parsers/markers.hpp"
#include "parsers/marks.hpp"
#include "parsers/scan.hpp"

#include <algorithm>
#include <map>

namespace hydra::parsers {
namespace {

using model::TestOutcome;

using SummariesKind = SummaryRow::Kind;

constexpr std::size_t kMostEach = 1000;  ///< maximum summaries of a runner; more are noise

/// Returns the number of lines that the row matches from line `i` on; 0: no match.
std::size_t match_lines(const Input& in, std::size_t i, const SummaryRow& row, Figures& figures) {
  std::size_t at = i;
  for (const auto& line : row.lines)
    if (at < in.lines.size() && match(line.pattern, in.lines[at], figures))
      ++at;
    else if (!line.optional)
      return 0;
  return at - i;
}

/// Returns whether any figure matched: a cut summary may consist of its head alone.
bool tells(const Figures& f) { return f.passed || f.failed || f.skipped || f.errors || f.total || f.ran; }

struct Candidate {
  std::size_t begin = 0, end = 0;
  Tally tally;
  int confidence = 40;
};

struct Seen {
  std::optional<Candidate> last, failing;  ///< `failing`: last summary with failed tests
  bool differ = false;
  std::vector<Candidate> each;
  std::optional<std::size_t> open;  ///< first line of a run without a summary so far
  bool started = false;             ///< the runner marks the start of a run
  std::size_t cut = 0;              ///< runs without a summary
  std::size_t cut_at = 0;
  std::optional<std::pair<std::size_t, SummariesKind>> word;
};

std::int64_t summaries_bad(const Tally& t) {
  return t.counts.failed.value_or(0) + t.counts.errors.value_or(0);
}

bool same(const Tally& a, const Tally& b) {
  return a.counts.passed == b.counts.passed && a.counts.failed == b.counts.failed &&
         a.counts.errors == b.counts.errors;
}

TestSegment segment(std::string_view format, const Candidate& c) {
  return segment_of(finished(format, c.tally), c.begin, c.end, c.confidence);
}

/// The last of several summaries is the runner's own, unless the exit code supports an earlier summary.
TestSegment choose(std::string_view format, const Seen& s, const ExitFacts& exit) {
  const bool failed = exit.exit_code.value_or(0) != 0;
  const bool earlier = s.failing && summaries_bad(s.last->tally) == 0;
  auto seg = segment(format, earlier && failed ? *s.failing : *s.last);
  if (earlier)
    seg.report.suspicious.emplace_back("an earlier summary has failed tests, the last one has none");
  if (s.differ && !exit.exit_code) seg.report.suspicious.emplace_back("several summaries that differ");
  return seg;
}

TestSegment by_word(std::string_view format, std::size_t line, SummariesKind kind) {
  if (kind == SummariesKind::no_tests) return empty_run(format, line, line + 1);
  if (kind == SummariesKind::build_failed) return unbuilt_run(format, line, line + 1);
  auto seg = run_of(format, line, line + 1, 40);
  seg.report.outcome = TestOutcome::crashed;
  return seg;
}

void emit(std::string_view format, Seen& s, const ExitFacts& exit, std::vector<TestSegment>& out) {
  const auto first = out.size();
  if (s.open) {
    ++s.cut;
    s.cut_at = *s.open;
  }
  if (s.cut > 0) out.push_back(run_of(format, s.cut_at, s.cut_at + 1, 40));
  for (const auto& c : s.each) out.push_back(segment(format, c));
  if (s.each.size() == kMostEach)
    out.back().report.suspicious.emplace_back("more summaries than can be true");
  if (s.last) out.push_back(choose(format, s, exit));
  if (!s.word) return;
  if (out.size() == first) {
    out.push_back(by_word(format, s.word->first, s.word->second));
  } else if (s.word->second == SummariesKind::crashed) {
    out.back().report.complete = false;
    out.back().report.outcome = TestOutcome::crashed;
  } else if (s.word->second == SummariesKind::build_failed) {
    out.back().report.counts.total.reset();
    out.back().report.counts.errors.reset();
    out.back().report.outcome = TestOutcome::build_failed;
  }
}

/// Adds the names that the format's cases find above the summary, if they agree with its counts.
void name_tests(const Input& in, TestSegment& run) {
  auto& r = run.report;
  if (!r.complete || !test_data().cases.contains(r.format)) return;
  std::vector<model::TestCase> tests;
  for (std::size_t i = 0; i < run.begin && tests.size() < kMaxNames; ++i)
    if (auto test = case_of(r.format, in.lines[i])) tests.push_back(std::move(*test));
  // Tests listed behind the summary: a test printed the summary, and the run was cut.
  for (std::size_t i = run.end; i < in.lines.size() && r.complete; ++i)
    r.complete = !case_of(r.format, in.lines[i]);
  const auto bad = count_of(tests, model::TestStatus::failed) + count_of(tests, model::TestStatus::error);
  if (bad > 0 && r.counts.failed.value_or(0) + r.counts.errors.value_or(0) == 0)
    r.suspicious.emplace_back("the summary has no failures, but failed tests are listed");
  // Some runners print how many tests failed and leave the others, or the skipped tests, to the list.
  const auto listed = counts_of_tests(tests);
  auto& c = r.counts;
  const bool agrees = listed.failed == c.failed && listed.errors == c.errors;
  if (agrees && ((!c.passed && listed.skipped == c.skipped) ||
                 (c.passed == listed.passed && listed.skipped > c.skipped)))
    c = listed;
  take_names(r, std::move(tests));
}

/// Ends a run: its last summary joins the sum.
void close_run(Seen& s) {
  if (s.open) {
    ++s.cut;
    s.cut_at = *s.open;
  }
  s.open.reset();
  if (s.last && s.each.size() < kMostEach) s.each.push_back(*s.last);
  s.last.reset();
  s.failing.reset();
}

void note(Seen& s, SummariesKind kind, const Candidate& c) {
  s.open.reset();
  if (kind == SummariesKind::each && !s.started) {
    if (s.each.size() < kMostEach) s.each.push_back(c);
    return;
  }
  if (s.last && !same(s.last->tally, c.tally)) s.differ = true;
  if (summaries_bad(c.tally) > 0) s.failing = c;
  s.last = c;
}

}  // namespace

std::string_view marker_of(const SummaryRow& row) {
  std::string_view best = row.needs.size() < kMarkerBytes ? std::string_view{} : row.needs;
  if (row.kind == SummariesKind::start) return rarest_marker(best, row.begin);
  for (const auto& line : row.lines) {
    if (line.optional) continue;
    // Literal text only; blanks may be tabs.
    const auto ops = line.pattern.ops();
    for (std::size_t i = 0; i < ops.size(); i += 1 + std::size_t{ops[i].size})
      best = rarest_marker(best, ops[i].literal);
  }
  return best;
}

std::optional<Tally> tally(const Figures& f) {
  Tally out;
  auto& c = out.counts;
  c.failed = f.failed.value_or(0);
  c.skipped = f.skipped.value_or(0);
  c.errors = f.errors.value_or(0);
  c.passed = f.passed;
  // Some runners print how many tests ran and how many passed, and leave the difference to the reader.
  if (!f.failed && f.passed && (f.ran || f.total)) {
    const auto summaries_bad = (f.ran ? *f.ran : *f.total - *c.skipped) - *f.passed - *c.errors;
    if (summaries_bad > 0) c.failed = summaries_bad;
  }
  const auto rest = *c.failed + *c.errors;
  if (!c.passed && f.ran) c.passed = *f.ran - rest;
  if (!c.passed && f.total) c.passed = *f.total - rest - *c.skipped;
  if (c.passed && *c.passed < 0) return std::nullopt;
  if (c.passed) {
    c.total = *c.passed + rest + *c.skipped;
    if (f.total && *f.total != *c.total) {
      // Some runners exclude skipped tests from the total.
      out.adds_up = *f.total == *c.total - *c.skipped;
      if (!out.adds_up) c.total = std::max(*c.total, *f.total);
    }
    if (f.ran && *f.ran != *c.passed + rest) out.adds_up = false;
  }
  return out;
}

model::ParsedTests finished(std::string_view format, const Tally& t) {
  model::ParsedTests r;
  r.format = format;
  r.complete = true;
  r.counts = t.counts;
  if (!t.adds_up) r.suspicious.emplace_back("the figures of the summary do not add up");
  if (r.counts.total == 0) r.outcome = TestOutcome::no_tests;
  return r;
}

std::vector<std::string_view> summary_formats() {
  std::vector<std::string_view> out;
  for (const auto& row : test_data().summaries) out.push_back(row.format);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

void find_summaries(const Input& in, std::vector<TestSegment>& out) {
  const auto& rows = test_data().summaries;
  std::vector<const SummaryRow*> may;
  for (std::size_t r = 0; r < rows.size(); ++r)
    if (in.rows.empty() || in.rows[r]) may.push_back(&rows[r]);
  if (may.empty()) return;
  std::vector<std::pair<std::size_t, std::size_t>> covered;
  for (const auto& s : out)
    if (s.confidence >= 60) covered.emplace_back(s.begin, s.end);
  std::sort(covered.begin(), covered.end());
  std::map<std::string_view, Seen> seen;
  std::map<std::string_view, bool> occurring;
  const auto fits = [&](const SummaryRow& row) {
    if (row.needs.empty()) return true;
    const auto [it, fresh] = occurring.try_emplace(row.needs, false);
    if (fresh) it->second = in.lines.contains(row.needs);
    return it->second;
  };
  std::size_t next = 0;
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    while (next < covered.size() && covered[next].second <= i) ++next;
    if (next < covered.size() && covered[next].first <= i) {
      i = covered[next].second - 1;
      continue;
    }
    if (is_blank(in.lines[i])) continue;
    for (const auto* candidate : may) {
      const auto& row = *candidate;
      if (row.kind == SummariesKind::start) {
        if (!in.lines[i].starts_with(row.begin)) continue;
        auto& s = seen[row.format];
        close_run(s);
        s.open = i;
        s.started = true;
        break;
      }
      Figures figures;
      const auto n = match_lines(in, i, row, figures);
      if (n == 0 || !fits(row)) continue;
      auto& s = seen[row.format];
      if (row.kind != SummariesKind::last && row.kind != SummariesKind::each) {
        if (!s.word || row.kind == SummariesKind::crashed) s.word = {i, row.kind};
      } else if (const auto t = tells(figures) ? tally(figures) : std::nullopt) {
        note(s, row.kind, {i, i + n, *t, row.confidence});
      }
      break;
    }
  }
  for (auto& [format, s] : seen) {
    const auto first = out.size();
    emit(format, s, in.exit, out);
    if (out.size() == first + 1) name_tests(in, out.back());
  }
}

}  // namespace hydra::parsers
