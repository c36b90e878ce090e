// Whole XML and JSON reports anywhere in the text: a wrapper may print before and behind a report, and
// several reports may follow each other.
#include "parsers/reports.hpp"

#include "parsers/json_read.hpp"
#include "parsers/marks.hpp"
#include "parsers/scan.hpp"

#include <algorithm>
#include <array>

namespace hydra::parsers {
namespace {

/// Maximum bytes of a parsed document: a larger one would take too much memory and is skipped.
constexpr std::size_t kMaxJson = std::size_t{64} << 20;
/// Maximum number of unfinished documents; each costs a scan of the rest of the text.
constexpr int kMaxUnfinished = 8;

constexpr std::array<std::string_view, 6> kJsonKeys{"\"numTotalTests\"", "\"passes\"",  "\"example_count\"",
                                                    "\"exitcode\"",      "\"summary\"", "\"failures\""};

/// Returns the first line from `line` on that begins at `end` or behind.
std::size_t line_at(const Input& in, std::size_t line, std::size_t end) {
  while (line < in.lines.size() && in.lines.offset(line) < end) ++line;
  return line;
}

/// Turns a document into a segment of lines; returns the first line behind the document.
std::size_t add(const Input& in, std::size_t first, std::size_t end, model::ParsedTests report,
                std::vector<TestSegment>& out) {
  const auto behind = std::max(line_at(in, first, end), first + 1);
  out.push_back(segment_of(std::move(report), first, behind, 90));
  return behind;
}

bool reports_begins_xml(std::string_view line) {
  eat_blanks(line);
  eat(line, "\xEF\xBB\xBF");
  return begins_with_any(
      line, {"<?xml", "<testsuite", "<TestRun", "<test-run", "<test-suite", "<test-results", "<assembl"});
}

}  // namespace

void find_junit(const Input& in, std::vector<TestSegment>& out) {
  for (std::size_t i = 0; i < in.lines.size();) {
    if (!reports_begins_xml(in.lines[i])) {
      ++i;
      continue;
    }
    const auto begin = in.lines.offset(i);
    auto text = in.text.substr(begin);
    WholeReport whole;
    const auto head = text.substr(0, 4096);
    // libcheck's root element begins with "<testsuite" too.
    if (!contains(head, "http://check.sourceforge.net/ns") && read_test_xml(text, in.exit, whole)) {
      i = add(in, i, begin + whole.length, std::move(whole.report), out);
    } else {
      i = line_at(in, i, begin + std::max<std::size_t>(whole.length, 1));
    }
  }
}

void find_json_report(const Input& in, std::vector<TestSegment>& out) {
  int unfinished = 0;
  for (std::size_t i = 0; i < in.lines.size();) {
    const auto line = in.lines[i];
    // "{" of a pretty-printed document, or a document on one line; prose in brackets does not match.
    const bool opens = line.starts_with('{') || line == "[" || line.starts_with("[{");
    if (!opens) {
      ++i;
      continue;
    }
    const auto begin = in.lines.offset(i);
    const auto extent = json_extent(in.text.substr(begin));
    if (!extent) {
      if (++unfinished == kMaxUnfinished) return;
      ++i;
      continue;
    }
    const auto text = in.text.substr(begin, *extent);
    model::ParsedTests report;
    const bool maybe = text.size() <= kMaxJson && std::any_of(kJsonKeys.begin(), kJsonKeys.end(),
                                                              [&](auto key) { return contains(text, key); });
    i = maybe && read_test_json(text, report) ? add(in, i, begin + *extent, std::move(report), out)
                                              : line_at(in, i, begin + *extent);
  }
}

}  // namespace hydra::parsers
