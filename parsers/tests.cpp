// parse_tests: every parser over the whole log, overlaps resolved, the rest added up and held against the
// exit code.
#include "parsers/names.hpp"
#include "parsers/registry.hpp"
#include "parsers/summaries.hpp"

#include <algorithm>
#include <set>

namespace hydra::parsers {
namespace {

using model::TestReport;

bool overlap(const TestSegment& a, const TestSegment& b) { return a.begin < b.end && b.begin < a.end; }

std::vector<TestSegment> resolve(std::vector<TestSegment> found) {
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
    if (a.confidence != b.confidence) return a.confidence > b.confidence;
    return a.end - a.begin > b.end - b.begin;
  });
  std::vector<TestSegment> kept;
  for (auto& s : found)
    if (std::none_of(kept.begin(), kept.end(), [&s](const auto& k) { return overlap(s, k); }))
      kept.push_back(std::move(s));
  // Two runners that each wrote a full report of the same length are rare; an unfinished guess beside a
  // finished run is nearly always text that a test printed.
  const bool finished =
      std::any_of(kept.begin(), kept.end(), [](const auto& k) { return k.report.complete; });
  if (finished) std::erase_if(kept, [](const auto& k) { return k.confidence <= 20; });
  std::sort(kept.begin(), kept.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
  return kept;
}

bool asked(const TestParser& parser, std::string_view format) {
  if (format == "auto" || format.empty() || format == parser.name) return true;
  const auto rows = summary_formats();
  return parser.find == find_summaries && std::binary_search(rows.begin(), rows.end(), format);
}

bool occurs(const TestParser& parser, std::string_view text) {
  if (parser.markers[0].empty()) return true;
  return std::any_of(parser.markers.begin(), parser.markers.end(), [text](std::string_view marker) {
    return !marker.empty() && text.find(marker) != std::string_view::npos;
  });
}

/// Which lines were believed, and how far.
void describe(TestSegment& s, const Input& in) {
  auto& r = s.report;
  r.confidence = s.confidence >= 60   ? model::Confidence::high
                 : s.confidence >= 40 ? model::Confidence::medium
                                      : model::Confidence::low;
  const auto last = std::max(s.end, s.begin + 1) - 1;
  const auto line = [&in](std::size_t i) {
    return static_cast<std::int64_t>(i < in.origin.size() ? in.origin[i] : i) + 1;
  };
  r.evidence = {{r.format, std::min(line(s.begin), line(last)), std::max(line(s.begin), line(last))}};
}

TestReport merge(std::vector<TestSegment> segments) {
  TestReport out = std::move(segments.front().report);
  std::set<std::string> formats{out.format};
  for (std::size_t i = 1; i < segments.size(); ++i) {
    auto& r = segments[i].report;
    formats.insert(r.format);
    const bool named = !out.tests.empty() && !r.tests.empty();
    add_counts(out.counts, r.counts);
    out.complete = out.complete && r.complete;
    if (!named) out.tests.clear();
    if (named) out.tests.insert(out.tests.end(), r.tests.begin(), r.tests.end());
    if (out.outcome.empty() || (out.outcome == "no_tests" && r.outcome != "no_tests"))
      out.outcome = r.outcome;
    out.suspicious.insert(out.suspicious.end(), r.suspicious.begin(), r.suspicious.end());
    out.confidence = std::min(out.confidence, r.confidence);
    out.evidence.insert(out.evidence.end(), r.evidence.begin(), r.evidence.end());
  }
  out.format.clear();
  for (const auto& f : formats) out.format += out.format.empty() ? f : "+" + f;
  return out;
}

}  // namespace

bool by_signal(const ExitFacts& exit) {
  return exit.signal || (exit.exit_code && *exit.exit_code > 128 && *exit.exit_code < 160);
}

void hold_against_exit(TestReport& r, const ExitFacts& exit) {
  const auto bad = r.counts.failed.value_or(0) + r.counts.errors.value_or(0);
  if (r.outcome == "no_tests" && (bad > 0 || r.counts.total.value_or(0) > 0)) r.outcome.clear();
  if (r.outcome.empty() && bad > 0) r.outcome = "tests_failed";
  if (exit.signal && r.complete) {
    r.suspicious.emplace_back("a summary, but the command was ended by a signal");
    r.complete = false;
  }
  if (by_signal(exit) && !r.complete) r.outcome = "crashed";
  if (!r.complete && r.outcome.empty()) r.outcome = "partial";
  if (!exit.exit_code || exit.signal) return;
  const bool no_result = r.outcome == "no_tests" || r.outcome == "build_failed";
  if (*exit.exit_code == 0 && bad > 0)
    r.suspicious.push_back("exit code 0 with " + std::to_string(bad) + " failed tests");
  else if (*exit.exit_code == 0 && !r.complete)
    r.suspicious.emplace_back("exit code 0, but the test run has no end");
  else if (*exit.exit_code == 0 && r.outcome == "build_failed")
    r.suspicious.emplace_back("exit code 0, but the tests could not be built");
  else if (*exit.exit_code != 0 && r.complete && bad == 0 && !no_result)
    r.suspicious.push_back("exit code " + std::to_string(*exit.exit_code) + " without a failed test");
}

TestReport parse_tests(std::string_view output, const ExitFacts& exit, const Hints& hints) {
  const Input in = make_input(output, exit, hints.command);
  std::vector<TestSegment> found;
  for (const auto& parser : test_parsers())
    if (asked(parser, hints.format) && occurs(parser, in.text)) parser.find(in, found);
  // The table of summaries reads many formats at once.
  if (const auto rows = summary_formats(); std::binary_search(rows.begin(), rows.end(), hints.format))
    std::erase_if(found, [&hints](const auto& s) { return s.report.format != hints.format; });
  found = resolve(std::move(found));
  if (found.empty()) {
    TestReport r;
    r.format = "exit_code_only";
    if (by_signal(exit)) r.outcome = "crashed";
    return r;
  }
  for (auto& segment : found) describe(segment, in);
  TestReport r = merge(std::move(found));
  make_stable(r.tests, hints.root);
  hold_against_exit(r, exit);
  if (!r.suspicious.empty() || !r.complete) r.confidence = std::min(r.confidence, model::Confidence::low);
  return r;
}

TestReport parse_tests(std::string_view output, const ExitFacts& exit, std::string_view command) {
  return parse_tests(output, exit, Hints{command, "auto", {}});
}

}  // namespace hydra::parsers
