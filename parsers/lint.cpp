// parse_lint: adds up the findings of every tool in the log. A clean result needs a tool's word, or silence
// with exit code 0.
#include "parsers/formats.hpp"
#include "parsers/lint_scan.hpp"
#include "parsers/scan.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace hydra::parsers {
namespace {

/// More specific forms come first; read_failures() gets the lines that no other reader accepts.
constexpr std::array kLintReaders{read_document,  read_annotations, read_diff,    read_biome,
                                  read_rust_like, read_shellcheck,  read_stylish, read_ms_compile,
                                  read_rows,      read_located,     read_listed,  read_failures};

/// Returns whether the line belongs to a finding above, or is a heading: understood, but no finding.
bool decoration(std::string_view line) {
  const auto first = line.find_first_not_of(" \t");
  if (first == std::string_view::npos) return true;
  const auto text = line.substr(first);
  return text.find_first_not_of("^~-=_|*#. ") == std::string_view::npos ||
         begins_with_any(text, {"│", "| ", "╷", "╵", "━", "─"});
}

/// Returns the path in "a.js", "a.py:" or "  a.js:1:7" to which the findings below belong; empty: none.
std::string_view heading_of(std::string_view line) {
  const bool indented = eat_blanks(line) > 0;
  line = trim_end(line);
  if (line.size() > 1024 || (indented && line.find_first_of(" (){};") != std::string_view::npos)) return {};
  eat_end(line, ":");
  auto rest = line;
  Fields f;
  if (indented && match(lint_line<"{file}:{line}:{column}">(), line, f)) rest = f.file;
  return path_like(rest) && (!indented || contains(rest, ".")) && !contains(rest, ": ") ? rest
                                                                                        : std::string_view{};
}

void scan_lines(LintScan& scan) {
  while (scan.i < scan.in.lines.size()) {
    const auto line = scan.line();
    if (is_blank(line)) {
      if (scan.context != "shellcheck") scan.context = {};
      ++scan.i;
      continue;
    }
    std::size_t used = 0;
    for (const auto reader : kLintReaders) {
      const auto before = scan.rest_of;
      used = reader(scan);
      if (used > 0 || scan.rest_of != before) break;
    }
    if (used == 0 && scan.rest_of == scan.i + 1 && scan.line() != line) continue;  // behind a document
    if (used == 0) {
      if (const auto path = heading_of(line); !path.empty())
        scan.heading = path;
      else if (!decoration(line))
        scan.out.not_understood(line);
      used = 1;
    }
    scan.i = std::min(scan.i + used, scan.in.lines.size());
  }
}

/// A log of nothing but source paths is a formatter's list of unformatted files.
void scan_paths(LintScan& scan) {
  std::size_t paths = 0;
  for (scan.i = 0; scan.i < scan.in.lines.size(); ++scan.i)
    if (const auto line = trim_end(scan.line()); source_path(line))
      ++paths;
    else if (!is_blank(line) && !decoration(line) && !line.starts_with("> ") && !line.starts_with("$ "))
      return;
  if (paths == 0) return;
  for (scan.i = 0; scan.i < scan.in.lines.size(); ++scan.i)
    if (source_path(trim_end(scan.line()))) add_listed(scan, lister_of_path(trim_end(scan.line())));
}

}  // namespace

model::LintReport read_lint(std::string_view output, const ExitFacts& exit, const Hints& hints,
                            std::span<const std::string_view> only) {
  const Input in = make_input(output, exit, hints);
  LintReading reading(only);
  LintScan scan{in, reading};
  scan_lines(scan);
  if (reading.says_nothing()) scan_paths(scan);
  auto report = reading.report(exit);
  for (auto& line : report.evidence)
    if (const auto k = static_cast<std::size_t>(line - 1); k < in.origin.size())
      line = static_cast<std::int64_t>(in.origin[k]) + 1;
  return report;
}

model::LintReport parse_lint(std::string_view output, const ExitFacts& exit, std::string_view command) {
  return read_lint(output, exit, Hints{command, "auto", {}, {}, {}}, {});
}

std::vector<std::string_view> lint_formats() {
  const auto& all = lint_data();
  std::set<std::string_view> names(words("linters").begin(), words("linters").end());
  for (const auto& section : all.lint)
    for (const auto& row : section) names.insert(row.tool);
  for (const auto& shape : all.json) names.insert(shape.tool);
  for (const auto& family : all.families) names.insert(family.begin(), family.end());
  names.erase("");
  return {names.begin(), names.end()};
}

model::LintReport parse_lint(std::string_view output, const ExitFacts& exit, const Hints& hints) {
  const auto asked = hints.format;
  // Any tool may print SARIF or plain JSON.
  if (one_of(asked, {"", "auto", "sarif", "json"})) return read_lint(output, exit, hints, {});
  std::vector<std::string_view> only{asked};
  for (const auto& family : lint_data().families)
    if (std::find(family.begin(), family.end(), asked) != family.end())
      only.insert(only.end(), family.begin(), family.end());
  return read_lint(output, exit, hints, only);
}

}  // namespace hydra::parsers
