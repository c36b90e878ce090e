// parse_lint: findings of every tool in the log added up. Clean is only what a tool says, or silence with
// exit code 0.
#include "parsers/lint_scan.hpp"
#include "parsers/scan.hpp"

#include <algorithm>
#include <array>

namespace hydra::parsers {
namespace {

/// The more telling form comes first; whatever is left over goes to the failures.
constexpr std::array kReaders{read_annotations, read_diff,       read_biome,  read_rust_like, read_shellcheck,
                              read_stylish,     read_eslint_tap, read_rows,   read_located,   read_boxes,
                              read_listed,      read_failures};

/// Longer lines hold data or code, no finding's head.
constexpr std::size_t kMaxLine = 16'384;

/// Text that belongs to a finding above, or a heading: known, but no finding.
bool decoration(std::string_view line) {
  const auto first = line.find_first_not_of(" \t");
  if (first == std::string_view::npos) return true;
  const auto text = line.substr(first);
  return text.find_first_not_of("^~-=_|*#. ") == std::string_view::npos || text.starts_with("│") ||
         text.starts_with("| ") || text.starts_with("╷") || text.starts_with("╵") || text.starts_with("━") ||
         text.starts_with("─");
}

void scan_lines(LintScan& scan) {
  while (scan.i < scan.lines.size()) {
    const auto line = scan.line();
    if (is_blank(line)) {
      if (scan.context != "shellcheck" && scan.context != "tap") scan.context = {};
      ++scan.i;
      continue;
    }
    std::size_t used = 0;
    for (const auto reader : kReaders) {
      used = reader(scan);
      if (used > 0) break;
    }
    if (used == 0) {
      if (path_like(line) && line[0] != ' ')
        scan.heading = line;
      else if (!decoration(line))
        scan.out.not_understood(line);
      used = 1;
    }
    scan.i = std::min(scan.i + used, scan.lines.size());
  }
}

}  // namespace

model::LintReport parse_lint(std::string_view output, const ExitFacts& exit, std::string_view command) {
  Input in = make_input(output, exit, command);
  LintReading reading;
  auto lines = std::move(in.lines);
  read_documents(in.text, lines, reading);
  without_prefixes(lines);
  for (auto& line : lines) line = line.substr(0, kMaxLine);
  LintScan scan{lines, command, reading, 0, {}, {}, {}, 0};
  scan_lines(scan);
  return reading.report(exit);
}

}  // namespace hydra::parsers
