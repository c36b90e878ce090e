// JSON and XML documents within a log: found by the first line, read as a whole, and skipped by the line
// readers.
#include "parsers/json_read.hpp"
#include "parsers/lint_json.hpp"
#include "parsers/lint_scan.hpp"
#include "parsers/scan.hpp"

namespace hydra::parsers {
namespace {

constexpr int kLintDocumentsMaxDepth = 200;
constexpr std::size_t kMaxDocument = 64 * 1024 * 1024;

/// Returns whether '{' or '[' is followed by text that only JSON has: a log line in brackets is no document.
bool begins_json(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos || (text[first] != '{' && text[first] != '[')) return false;
  const auto next = text.substr(first + 1).find_first_not_of(" \t\n\r");
  if (next == std::string_view::npos) return false;
  const char c = text[first + 1 + next];
  if (text[first] == '{') return c == '"' || c == '}';
  return c == '{' || c == ']' || c == '[' || (c == '"' && contains(text.substr(first, 400), "\","));
}

/// Returns whether the text begins with an XML declaration or with the root of a known report.
bool begins_xml(std::string_view text) {
  return begins_with_any(text, {"<?xml ", "<checkstyle", "<testsuite"});
}

enum class End { matched, unfinished, too_deep };

/// Returns the end of the document at the begin of `text`; reads every byte once.
std::pair<End, std::size_t> extent(std::string_view text) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\')
        ++i;
      else if (c == '"' || c == '\n')
        quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '{' || c == '[') {
      if (++depth > kLintDocumentsMaxDepth) return {End::too_deep, i};
    } else if (c == '}' || c == ']') {
      if (--depth == 0) return {End::matched, i + 1};
    }
  }
  return {End::unfinished, text.size()};
}

/// Returns the number of lines up to the offset `end`; text behind `end` on its line is left for the next
/// read.
std::size_t lines_until(LintScan& scan, std::size_t end) {
  const auto& lines = scan.in.lines;
  std::size_t used = 1;
  while (scan.i + used < lines.size() && lines.offset(scan.i + used) < end) ++used;
  const auto last = scan.i + used - 1;
  const auto line = lines[last];
  const auto begin = lines.offset(last);
  auto rest = end < begin + line.size() ? line.substr(end - begin) : std::string_view{};
  if (is_blank(rest)) return used;
  scan.rest = rest.substr(0, LintScan::kMaxLine);
  scan.rest_of = last + 1;
  scan.i = last;
  return 0;
}

}  // namespace

std::size_t read_document(LintScan& scan) {
  const auto line = scan.line();
  const auto first = line.find_first_not_of(" \t");
  if (first == std::string_view::npos) return 0;
  const auto bare = line.substr(first);
  const bool xml = scan.no_xml < 8 && begins_xml(bare);
  if (!xml && (scan.json_over || (bare[0] != '{' && bare[0] != '['))) {
    // Lines of a cut document hold messages of findings, not findings.
    return scan.json_over && contains("\"{}[]", bare.substr(0, 1)) ? 1 : 0;
  }
  const auto text = scan.in.text;
  const auto begin = static_cast<std::size_t>(line.data() - text.data());
  const auto rest = text.substr(begin);
  if (xml) {
    const auto used = read_xml_report(rest, scan.i, scan.out);
    // A document that is no report may have been read to its end: bound the number of attempts.
    if (used == 0) return ++scan.no_xml, 0;
    return lines_until(scan, begin + used);
  }
  if (!begins_json(rest.substr(0, 4096))) return 0;
  const auto [how, size] = extent(rest);
  if (how != End::matched || size > kMaxDocument) {
    // extent() has read the whole rest: do not try again.
    scan.json_over = true;
    scan.out.cut(how == End::too_deep ? "a JSON document is nested too deep" : "a JSON document is cut");
    return 1;
  }
  const auto document = nlohmann::json::parse(rest.substr(0, size), nullptr, false);
  if (document.is_discarded() || !read_json_report(document, scan.i, scan.out)) scan.out.not_understood(line);
  return lines_until(scan, begin + size);
}

}  // namespace hydra::parsers
