// Findings as eslint's TAP has them, and what stylelint's verbose formatter tells behind its findings.
#include "parsers/lint_scan.hpp"
#include "parsers/scan.hpp"

namespace hydra::parsers {

/// eslint's TAP: "not ok 1 - file", and in the block below one "severity:" a finding.
std::size_t read_eslint_tap(LintScan& scan) {
  auto line = scan.line();
  if (eat(line, "not ok ")) {
    // luacheck has a line for each finding.
    auto place = line;
    if (eat_number(place) && eat_blanks(place) > 0) {
      const auto at = located(place);
      if (at && at->column > 0 && path_like(at->path)) {
        scan.out.add({.tool = at->path.ends_with(".lua") ? "luacheck" : "tap",
                      .severity = at->path.ends_with(".lua") ? Severity::warning : Severity::error,
                      .file = at->path,
                      .line = at->line,
                      .column = at->column,
                      .message = at->rest},
                     scan.i);
        return 1;
      }
    }
    const auto dash = line.find("- ");
    scan.context = "tap";
    scan.context_file = dash == std::string_view::npos ? line : line.substr(dash + 2);
    return 1;
  }
  if (line.starts_with("TAP version ") || line.starts_with("1..") || line.starts_with("ok ")) {
    scan.out.spoke("");
    return line.starts_with("1..") && line.find_first_not_of("0123456789.") != std::string_view::npos ? 0 : 1;
  }
  if (scan.context != "tap" || eat_blanks(line) == 0) return 0;
  eat(line, "- ");
  if (!eat(line, "severity: ")) return 0;
  const auto severity = severity_named(trim_end(line));
  if (!severity) return 0;
  scan.out.add({.tool = "eslint", .severity = *severity, .file = scan.context_file}, scan.i);
  return 1;
}

/// "2 sources checked" and their paths, "3 errors found" and a figure for each rule: the same findings again.
std::size_t read_verbose_stylelint(LintScan& scan) {
  const auto line_of = [&scan](std::size_t k) { return trim_end(scan.ahead(k)); };
  auto head = line_of(0);
  if (!eat_number(head) || !one_of(head, {" source checked", " sources checked"})) return 0;
  bool clean = false, told = false;
  std::size_t used = 1;
  for (; scan.i + used < scan.in.lines.size(); ++used) {
    auto line = line_of(used);
    if (line.empty() || line.starts_with("  ")) continue;
    const auto n = eat_number(line);
    if (!n || !one_of(line, {" error found", " errors found", " warning found", " warnings found",
                             " problem found", " problems found"}))
      break;
    told = true;
    clean = *n == 0;
  }
  if (!told) return 0;
  if (clean)
    scan.out.clean("stylelint", scan.i);
  else
    scan.out.spoke("stylelint");
  return used;
}

}  // namespace hydra::parsers
