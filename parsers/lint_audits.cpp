// Linters of whole projects, which tell what they found in blocks of their own: vulnerable, unused and
// missing dependencies (npm audit, pnpm audit, yarn audit, unimported, cargo-machete), copied code (jscpd),
// secrets (trufflehog), contracts (slither).
#include "parsers/lint_scan.hpp"
#include "parsers/scan.hpp"

#include <algorithm>

namespace hydra::parsers {
namespace {

/// "critical", "high": errors; "moderate" and what is below: warnings. Absent: no such word.
std::optional<Severity> advisory_severity(std::string_view word) {
  if (one_of(word, {"critical", "high", "Critical", "High"})) return Severity::error;
  if (one_of(word, {"moderate", "medium", "low", "info", "Moderate", "Medium", "Low", "Info"}))
    return Severity::warning;
  return std::nullopt;
}

/// "1 low, 2 moderate, 3 critical", "1 Moderate | 2 High", "1 low | 2 high".
bool advisory_counts(std::string_view list, Total& t) {
  std::int64_t errors = 0, warnings = 0;
  while (!list.empty()) {
    const auto n = eat_number(list);
    if (!n || !eat(list, " ")) return false;
    const auto end = std::min(list.find_first_of(" ,|"), list.size());
    const auto severity = advisory_severity(list.substr(0, end));
    if (!severity) return false;
    (*severity == Severity::error ? errors : warnings) += *n;
    list.remove_prefix(end);
    if (!eat(list, ", ") && !eat(list, " | ") && !list.empty()) return false;
  }
  t.errors = errors;
  t.warnings = warnings;
  return true;
}

/// npm's last line: "found 0 vulnerabilities", "3 vulnerabilities (1 low, 2 high)", "2 high severity
/// vulnerabilities"; pnpm and yarn: "2 vulnerabilities found", and below it "Severity: 1 moderate | 1 high".
std::size_t read_audit_total(LintScan& scan) {
  auto line = trim_end(scan.line());
  eat(line, "found ");
  const auto n = eat_number(line);
  if (!n || !eat(line, " ")) return 0;
  Total t;
  t.tool = "npm-audit";
  t.capped = true;
  std::size_t used = 1;
  const bool one = eat(line, "vulnerability"), many = !one && eat(line, "vulnerabilities");
  if (one || many) {
    auto list = trim_end(scan.ahead(1));
    if (*n == 0 && (line.empty() || line.starts_with(" found"))) {
      t.all = 0;
    } else if (eat(line, " (")) {
      if (!eat_end(line, ")") || !advisory_counts(line, t)) return 0;
    } else if (line.starts_with(" found") && eat(list, "Severity: ") && advisory_counts(list, t)) {
      used = 2;
    } else {
      return 0;
    }
  } else {
    const auto severity = advisory_severity(line.substr(0, std::min(line.find(' '), line.size())));
    line.remove_prefix(std::min(line.find(' '), line.size()));
    if (!severity || (line != " severity vulnerability" && line != " severity vulnerabilities")) return 0;
    (*severity == Severity::error ? t.errors : t.warnings) = *n;
  }
  scan.out.total(t, scan.i);
  return used;
}

/// "lodash  <=4.17.20" and below it "Severity: critical"; a package that only depends on it is counted by the
/// last line.
std::size_t read_audit_package(LintScan& scan) {
  const auto line = trim_end(scan.line());
  const auto gap = line.find("  ");
  auto below = trim_end(scan.ahead(1));
  if (gap == std::string_view::npos || gap == 0 || !eat(below, "Severity: ")) return 0;
  const auto severity = advisory_severity(below);
  if (!severity) return 0;
  scan.out.add({.tool = "npm-audit",
                .severity = *severity,
                .rule = line.substr(0, gap),
                .message = trim_end(scan.ahead(2))},
               scan.i);
  return 3;
}

/// "Clone found (javascript):" with the two places below it.
std::size_t read_jscpd(LintScan& scan) {
  const auto line = trim_end(scan.line());
  if (line.starts_with("Clone found (") && line.ends_with("):")) {
    Hit hit{.tool = "jscpd", .rule = "clone"};
    auto place = trim_end(scan.ahead(1));
    eat_blanks(place);
    Fields f;
    if (eat(place, "- ") && match(lint_line<"{file} [{line}:{column} - {any}">(), place, f)) {
      hit.file = f.file;
      hit.line = f.line;
      hit.column = f.column;
    }
    hit.message = trim_end(scan.ahead(2));
    scan.out.add(hit, scan.i);
    return hit.file.empty() ? 1 : 3;
  }
  Fields f;
  if (!match(lint_line<"{?Duplications detection: }{?F}ound {findings} clones.">(), line, f) &&
      !match(lint_line<"{?Duplications detection: }{?F}ound {findings} exact clones with {any}">(), line, f))
    return 0;
  // More than one reporter may say so.
  scan.out.total({.tool = "jscpd", .all = f.findings, .capped = true, .last = true}, scan.i);
  return 1;
}

/// "     │ 2 unresolved imports" above a ruler, and rows of a number and an item.
std::size_t read_unimported(LintScan& scan) {
  const auto cell = [](std::string_view line, std::string_view& number) {
    const auto bar = line.find("│ ");
    if (bar == std::string_view::npos || bar > 12) return std::string_view{};
    number = line.substr(0, bar);
    eat_blanks(number);
    return trim_end(line.substr(bar + std::string_view("│ ").size()));
  };
  std::string_view number;
  auto head = cell(trim_end(scan.line()), number);
  const auto n = eat_number(head);
  if (!n || !number.empty() ||
      !one_of(head, {" unresolved imports", " unused dependencies", " unimported files"}))
    return 0;
  std::size_t used = 1;
  for (std::int64_t found = 0; found < *n && scan.i + used < scan.in.lines.size(); ++used) {
    const auto line = trim_end(scan.ahead(used));
    auto item = cell(line, number);
    if (item.empty()) {
      if (line.starts_with("─")) continue;
      break;
    }
    if (!eat_number(number)) break;
    Hit hit{.tool = "unimported", .rule = head.substr(1), .message = item};
    if (const auto at = item.find(" at "); at != std::string_view::npos)
      hit.file = item.substr(at + 4);
    else
      hit.file = item;
    scan.out.add(hit, scan.i + used);
    ++found;
  }
  return used;
}

/// "demo -- ./Cargo.toml:" with a dependency a line below it.
std::size_t read_machete(LintScan& scan) {
  auto line = trim_end(scan.line());
  const auto dashes = line.find(" -- ");
  if (dashes == std::string_view::npos || !eat_end(line, "Cargo.toml:") || !scan.ahead(1).starts_with('\t'))
    return 0;
  const auto file = trim_end(scan.line()).substr(dashes + 4);
  std::size_t used = 1;
  for (; scan.ahead(used).starts_with('\t'); ++used)
    scan.out.add({.tool = "cargo-machete",
                  .file = file.substr(0, file.size() - 1),
                  .message = trim_end(scan.ahead(used)).substr(1)},
                 scan.i + used);
  return used;
}

/// "Found verified result 🐷🔑" and what belongs to it, a "Key: value" a line.
std::size_t read_trufflehog(LintScan& scan) {
  const auto line = trim_end(scan.line());
  const bool verified = line.starts_with("Found verified result");
  if (!verified && !line.starts_with("Found unverified result")) return 0;
  Hit hit{.tool = "trufflehog", .severity = verified ? Severity::error : Severity::warning, .message = line};
  std::size_t used = 1;
  for (; used < 40; ++used) {
    auto detail = trim_end(scan.ahead(used));
    if (detail.empty()) break;
    if (eat(detail, "Detector Type: ")) hit.rule = detail;
    if (eat(detail, "File: ")) hit.file = detail;
    if (eat(detail, "Line: ")) hit.line = eat_number(detail).value_or(0);
  }
  scan.out.add(hit, scan.i);
  return used;
}

/// Behind "INFO:Detectors:" each line that is not indented begins a finding, up to the next line of the log.
std::size_t read_slither(LintScan& scan) {
  if (trim_end(scan.line()) != "INFO:Detectors:") return 0;
  std::size_t used = 1;
  for (; scan.i + used < scan.in.lines.size(); ++used) {
    const auto text = trim_end(scan.ahead(used));
    if (text.starts_with("INFO:")) break;
    if (text.empty() || text[0] == '\t' || text[0] == ' ' || text.starts_with("Reference: ") ||
        text.starts_with("Detector: "))
      continue;
    Hit hit{.tool = "slither", .message = text};
    if (const auto hash = text.find(".sol#"); hash != std::string_view::npos) {
      const auto open = text.substr(0, hash).find_last_of("( ");
      hit.file = text.substr(open == std::string_view::npos ? 0 : open + 1);
      hit.file = hit.file.substr(0, hit.file.find('#'));
      hit.line = leading_number(text.substr(hash + 5));
    }
    scan.out.add(hit, scan.i + used);
  }
  scan.out.spoke("slither");
  return used;
}

}  // namespace

std::size_t read_audits(LintScan& scan) {
  const auto line = scan.line();
  if (line.empty()) return 0;
  for (const auto reader : {read_audit_total, read_audit_package, read_jscpd, read_unimported, read_machete,
                            read_trufflehog, read_slither})
    if (const auto used = reader(scan); used > 0) return used;
  return 0;
}

}  // namespace hydra::parsers
