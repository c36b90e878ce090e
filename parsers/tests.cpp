// parse_tests: runs every parser over the whole log, resolves overlaps, adds up the rest, and compares the
// result with the exit code.
#include "parsers/markers.hpp"
#include "parsers/registry.hpp"
#include "parsers/reports.hpp"
#include "parsers/signs.hpp"
#include "parsers/summaries.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace hydra::parsers {
namespace {

using model::ParsedTests;
using model::TestOutcome;

bool overlap(const TestSegment& a, const TestSegment& b) { return a.begin < b.end && b.begin < a.end; }

bool without_end(const TestSegment& s) { return s.confidence <= 20; }

std::vector<TestSegment> resolve(std::vector<TestSegment> found) {
  // A run without tests never hides one with tests.
  const auto weight = [](const TestSegment& s) {
    return without_end(s) ? 2 : without_tests(s.report) ? 1 : 0;
  };
  std::stable_sort(found.begin(), found.end(), [&](const auto& a, const auto& b) {
    if (weight(a) != weight(b)) return weight(a) < weight(b);
    if (a.confidence != b.confidence) return a.confidence > b.confidence;
    return a.end - a.begin > b.end - b.begin;
  });
  std::vector<TestSegment> kept;
  std::map<std::size_t, std::size_t> taken;  // first line -> index in `kept`; segments are disjoint
  std::string cut;  // format of a run without an end that began before a finished run
  for (auto& s : found) {
    const auto next = taken.lower_bound(s.begin);
    if (next != taken.begin() && overlap(s, kept[std::prev(next)->second])) continue;
    if (next != taken.end() && overlap(s, kept[next->second])) {
      if (without_end(s) && s.begin < next->first && s.report.format != kept[next->second].report.format)
        cut = s.report.format;
      continue;
    }
    taken.emplace(s.begin, kept.size());
    kept.push_back(std::move(s));
  }
  // An unfinished run beside a finished one is nearly always text that a test printed. The run may also have
  // been cut short: the finished run must not count for both, so the report becomes suspicious.
  const bool finished =
      std::any_of(kept.begin(), kept.end(), [](const auto& k) { return k.report.complete; });
  if (finished) {
    for (const auto& k : kept)
      if (without_end(k)) cut = k.report.format;
    std::erase_if(kept, without_end);
    if (!cut.empty() && !kept.empty())
      kept.front().report.suspicious.push_back("a run of " + cut +
                                               " without an end stands beside a finished run");
  }
  std::sort(kept.begin(), kept.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
  return kept;
}

/// Returns whether `text` is the text output of the report's runner.
bool is_text_of(const TestSegment& text, const TestSegment& report) {
  return text.report.format == report.report.format && text.confidence < 90 && report.confidence >= 90;
}

/// Drops figures without named tests beside the runner's own report with named tests: a test printed the
/// figures.
void drop_printed_figures(std::vector<TestSegment>& kept) {
  const auto named = [&](const TestSegment& text) {
    return std::any_of(kept.begin(), kept.end(), [&](const TestSegment& report) {
      // Any runner may write JUnit's XML.
      const bool xml = text.confidence < 90 && report.confidence >= 90 && report.report.format == "junit";
      return (xml || is_text_of(text, report)) && !report.report.tests.empty();
    });
  };
  for (auto i = kept.size(); i-- > 0;)
    if (kept[i].report.tests.empty() && named(kept[i]))
      kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(i));
}

/// Drops the text of a runner that wrote a report with equal counts to the standard output too: one run must
/// count once.
void drop_texts_of_reports(std::vector<TestSegment>& kept) {
  const auto same = [](const TestSegment& text, const TestSegment& report) {
    const auto &a = text.report.counts, &b = report.report.counts;
    return is_text_of(text, report) && text.report.complete && a.passed == b.passed && a.failed == b.failed &&
           a.skipped == b.skipped && a.errors == b.errors && a.total == b.total;
  };
  std::vector<std::size_t> doubles;
  std::vector<bool> used(kept.size(), false);
  for (std::size_t t = 0; t < kept.size(); ++t)
    for (const auto r : {t + 1, t - 1})  // the neighbours on either side
      if (r < kept.size() && !used[r] && same(kept[t], kept[r])) {
        used[r] = true;
        doubles.push_back(t);
        break;
      }
  for (auto t = doubles.size(); t-- > 0;) kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(doubles[t]));
}

bool asked(const TestParser& parser, std::string_view format) {
  if (format == "auto" || format.empty() || format == parser.name) return true;
  const auto rows = summary_formats();
  return parser.find == find_summaries && std::binary_search(rows.begin(), rows.end(), format);
}

/// Parsers, and rows of the summaries' table, that the log's markers admit.
struct Occurring {
  std::vector<bool> parsers, rows;
};

/// A group per parser, then a group per row.
const std::vector<MarkerGroup>& marker_groups() {
  static const std::vector<MarkerGroup> groups = [] {
    std::vector<MarkerGroup> out;
    for (const auto& parser : test_parsers()) {
      out.emplace_back();
      for (const auto& marker : markers_of(parser)) out.back().push_back(marker);
    }
    for (const auto& row : test_data().summaries) {
      const auto marker = marker_of(row);
      out.push_back(marker.empty() ? MarkerGroup{} : MarkerGroup{marker});
    }
    return out;
  }();
  return groups;
}

Occurring occurring(const Input& in) {
  const auto& groups = marker_groups();
  auto found = in.groups;
  for (std::size_t i = 0; i < groups.size(); ++i)
    if (groups[i].empty()) found[i] = true;
  const auto middle = found.begin() + static_cast<std::ptrdiff_t>(test_parsers().size());
  return {{found.begin(), middle}, {middle, found.end()}};
}

/// Sets the report's confidence and evidence lines.
void describe(TestSegment& s, const Input& in) {
  auto& r = s.report;
  r.confidence = s.confidence >= 60   ? model::Confidence::high
                 : s.confidence >= 40 ? model::Confidence::medium
                                      : model::Confidence::low;
  const auto last = std::max(s.end, s.begin + 1) - 1;
  const auto line = [&in](std::size_t i) {
    return static_cast<std::int64_t>(i < in.origin.size() ? in.origin[i] : i) + 1;
  };
  if (!in.lines.empty())
    r.evidence = {{r.format, std::min(line(s.begin), line(last)), std::max(line(s.begin), line(last))}};
}

ParsedTests merge(std::vector<TestSegment> segments) {
  std::set<std::string> formats;
  for (const auto& segment : segments) formats.insert(segment.report.format);
  ParsedTests out;
  for (auto& segment : segments) add_report(out, std::move(segment.report));
  out.format.clear();
  for (const auto& format : formats) join(out.format, format);
  return out;
}

}  // namespace

bool by_signal(const ExitFacts& exit) {
  return exit.signal || (exit.exit_code && *exit.exit_code > 128 && *exit.exit_code < 160);
}

void hold_against_exit(ParsedTests& r, const ExitFacts& exit) {
  const auto bad = r.counts.failed.value_or(0) + r.counts.errors.value_or(0);
  if (r.outcome == TestOutcome::no_tests && (bad > 0 || r.counts.total.value_or(0) > 0)) r.outcome = {};
  if (r.outcome == TestOutcome::passed && bad > 0) r.outcome = TestOutcome::tests_failed;
  if (exit.signal && r.complete) {
    r.suspicious.emplace_back("a summary, but the command was ended by a signal");
    r.complete = false;
  }
  if (by_signal(exit) && !r.complete) r.outcome = TestOutcome::crashed;
  if (!r.complete && r.outcome == TestOutcome::passed) r.outcome = TestOutcome::partial;
  if (!exit.exit_code || exit.signal) return;
  const bool no_result = r.outcome == TestOutcome::no_tests || r.outcome == TestOutcome::build_failed;
  const auto before = r.suspicious.size();
  if (*exit.exit_code == 0 && bad > 0)
    r.suspicious.push_back("exit code 0 with " + std::to_string(bad) + " failed tests");
  else if (*exit.exit_code == 0 && !r.complete)
    r.suspicious.emplace_back("exit code 0, but the test run has no end");
  else if (*exit.exit_code == 0 && r.outcome == TestOutcome::build_failed)
    r.suspicious.emplace_back("exit code 0, but the tests could not be built");
  else if (*exit.exit_code != 0 && r.complete && bad == 0 && !no_result)
    r.suspicious.push_back("exit code " + std::to_string(*exit.exit_code) + " without a failed test");
  r.exit_disagrees = r.suspicious.size() > before;
}

namespace {

/// `in.rows` and `parsers` say which rows and parsers to run; empty: all.
ParsedTests read(const Input& in, const std::vector<bool>& parsers, const Hints& hints) {
  std::vector<TestSegment> found;
  const bool any = hints.format == "auto" || hints.format.empty();
  for (std::size_t i = 0; i < test_parsers().size(); ++i) {
    const auto& parser = test_parsers()[i];
    // find_begun() precedes find_generic(), which believes figures that a test of a known runner printed.
    if (any && parser.find == find_generic) find_begun(in, found);
    if (asked(parser, hints.format) && (parsers.empty() || parsers[i])) parser.find(in, found);
  }
  // The table of summaries reads many formats at once.
  if (const auto rows = summary_formats(); std::binary_search(rows.begin(), rows.end(), hints.format))
    std::erase_if(found, [&hints](const auto& s) { return s.report.format != hints.format; });
  found = resolve(std::move(found));
  drop_texts_of_reports(found);
  drop_printed_figures(found);
  if (found.empty()) {
    ParsedTests r;
    r.format = "exit_code_only";
    if (by_signal(in.exit)) r.outcome = TestOutcome::crashed;
    return r;
  }
  for (auto& segment : found) describe(segment, in);
  ParsedTests r = merge(std::move(found));
  make_stable(r.tests, hints.root);
  hold_against_shown(r, in);
  hold_against_exit(r, hints.file ? ExitFacts{} : in.exit);
  if (!r.suspicious.empty() || !r.complete) r.confidence = std::min(r.confidence, model::Confidence::low);
  return r;
}

}  // namespace

ParsedTests parse_tests(std::string_view output, const ExitFacts& exit, const Hints& hints) {
  Input in = make_input(output, exit, hints, marker_groups());
  auto there = occurring(in);
  in.rows = std::move(there.rows);
  return read(in, there.parsers, hints);
}

ParsedTests parse_tests_unmarked(std::string_view output, const ExitFacts& exit, const Hints& hints) {
  return read(make_input(output, exit, hints), {}, hints);
}

ParsedTests parse_tests(std::string_view output, const ExitFacts& exit, std::string_view command) {
  return parse_tests(output, exit, Hints{command, "auto", {}, {}, {}});
}

}  // namespace hydra::parsers
