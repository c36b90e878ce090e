// Whole reports, XML and JSON, wherever they stand in the text: a wrapper may have printed before and behind
// them, and several may follow each other.
#include "parsers/reports.hpp"

#include "parsers/json_read.hpp"
#include "parsers/scan.hpp"

#include <algorithm>
#include <array>

namespace hydra::parsers {
namespace {

/// Documents of more than this are read for their extent only: building them would take too much memory.
constexpr std::size_t kMaxJson = std::size_t{64} << 20;
/// Beginnings without an end that are tried; each costs a look at the rest of the text.
constexpr int kMaxUnfinished = 8;

constexpr std::array<std::string_view, 6> kJsonKeys{"\"numTotalTests\"", "\"passes\"",  "\"example_count\"",
                                                    "\"exitcode\"",      "\"summary\"", "\"failures\""};

struct Place {
  std::size_t begin = 0, end = 0;
};

/// Turns a document's bytes into a segment of lines; gives the first line behind it.
std::size_t add(const Input& in, std::size_t first, std::size_t end, model::TestReport report,
                std::vector<TestSegment>& out) {
  TestSegment seg;
  seg.begin = first;
  seg.confidence = 90;
  std::size_t line = first;
  while (line < in.lines.size() && in.lines.offset(line) < end) ++line;
  seg.end = std::max(line, first + 1);
  seg.report = std::move(report);
  out.push_back(std::move(seg));
  return out.back().end;
}

bool reports_begins_xml(std::string_view line) {
  eat_blanks(line);
  eat(line, "\xEF\xBB\xBF");
  return begins_with_any(line, {"<?xml", "<testsuite"});
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
    // libcheck calls its root so, too.
    if (contains(head, "<testsuite") && !contains(head, "http://check.sourceforge.net/ns") &&
        read_junit(text, whole)) {
      i = add(in, i, begin + whole.length, std::move(whole.report), out);
    } else {
      const auto behind = begin + std::max<std::size_t>(whole.length, 1);
      while (i < in.lines.size() && in.lines.offset(i) < behind) ++i;
    }
  }
}

void find_json_report(const Input& in, std::vector<TestSegment>& out) {
  int unfinished = 0;
  for (std::size_t i = 0; i < in.lines.size();) {
    const auto line = in.lines[i];
    // "{" of a pretty document, or a whole one on one line; a line of prose in brackets is none.
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
    model::TestReport report;
    const bool maybe = text.size() <= kMaxJson && std::any_of(kJsonKeys.begin(), kJsonKeys.end(),
                                                              [&](auto key) { return contains(text, key); });
    if (maybe && read_test_json(text, report)) {
      i = add(in, i, begin + *extent, std::move(report), out);
    } else {
      while (i < in.lines.size() && in.lines.offset(i) < begin + *extent) ++i;
    }
  }
}

}  // namespace hydra::parsers
