// JSON and XML documents within a log: found by their first line, read, and taken out of the lines.
#include "parsers/lint_json.hpp"
#include "parsers/lint_scan.hpp"
#include "parsers/scan.hpp"

#include <nlohmann/json.hpp>

namespace hydra::parsers {
namespace {

constexpr int kMaxDepth = 200;
constexpr std::size_t kMaxDocument = 64 * 1024 * 1024;

/// '{' or '[' and behind it what only JSON has: a log line in brackets is no document.
bool begins_json(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos || (text[first] != '{' && text[first] != '[')) return false;
  const auto next = text.substr(first + 1).find_first_not_of(" \t\n\r");
  if (next == std::string_view::npos) return false;
  const char c = text[first + 1 + next];
  if (text[first] == '{') return c == '"' || c == '}';
  return c == '{' || c == ']' || c == '[' || (c == '"' && contains(text.substr(first, 400), "\","));
}

/// A declaration right before a tag, or the root of a known report.
bool begins_xml(std::string_view text) {
  for (const std::string_view root : {"<?xml ", "<checkstyle", "<results", "<pmd", "<BugCollection", "<issues", "<jslint",
                                      "<Report", "<testsuite"})
    if (text.starts_with(root)) return true;
  return false;
}

enum class End { matched, unfinished, too_deep };

/// Where the document at the begin of `text` ends. Every byte is looked at once.
std::pair<End, std::size_t> extent(std::string_view text) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      else if (c == '"' || c == '\n') quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '{' || c == '[') {
      if (++depth > kMaxDepth) return {End::too_deep, i};
    } else if (c == '}' || c == ']') {
      if (--depth == 0) return {End::matched, i + 1};
    }
  }
  return {End::unfinished, text.size()};
}

/// Makes the lines within [begin, end) empty; what stands behind `end` on its line stays.
void blank_out(std::string_view text, std::vector<std::string_view>& lines, std::size_t from, std::size_t end) {
  const char* stop = text.data() + end;
  for (auto k = from; k < lines.size() && lines[k].data() < stop; ++k) {
    const auto line_end = lines[k].data() + lines[k].size();
    lines[k] = line_end > stop ? std::string_view(stop, static_cast<std::size_t>(line_end - stop)) : std::string_view{};
  }
}

/// Lines of a cut document: they hold messages of findings, not findings.
void blank_json_lines(std::vector<std::string_view>& lines, std::size_t from) {
  for (auto k = from; k < lines.size(); ++k) {
    const auto first = lines[k].find_first_not_of(" \t");
    if (first != std::string_view::npos && contains("\"{}[]", lines[k].substr(first, 1))) lines[k] = {};
  }
}

}  // namespace

void read_documents(std::string_view text, std::vector<std::string_view>& lines, LintReading& out) {
  bool json_over = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto line = lines[i];
    if (line.empty()) continue;
    const auto rest = text.substr(static_cast<std::size_t>(line.data() - text.data()));
    const auto begin = text.size() - rest.size();
    auto bare = line;
    eat_blanks(bare);
    if (begins_xml(bare)) {
      if (const auto used = read_xml_report(rest, i, out); used > 0) blank_out(text, lines, i, begin + used);
      continue;
    }
    if (json_over || !begins_json(rest.substr(0, 4096 + line.size()))) continue;
    const auto [how, size] = extent(rest);
    if (how != End::matched || size > kMaxDocument) {
      // The whole rest has been looked at: there is no second try.
      json_over = true;
      out.cut(how == End::too_deep ? "a JSON document is nested too deep" : "a JSON document is cut");
      blank_json_lines(lines, i);
      continue;
    }
    const auto document = nlohmann::json::parse(rest.substr(0, size), nullptr, false);
    if (!document.is_discarded()) {
      if (!read_json_report(document, i, out)) out.not_understood(line);
      blank_out(text, lines, i, begin + size);
    }
    while (i + 1 < lines.size() && lines[i + 1].data() < text.data() + begin + size) ++i;
  }
}

}  // namespace hydra::parsers
