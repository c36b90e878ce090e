// Linters whose findings are items under a heading that says what is wrong with them: knip, depcheck,
// publint; and the few that print a table of values (bandit's CSV).
#include "parsers/lint_scan.hpp"
#include "parsers/scan.hpp"

#include <array>

namespace hydra::parsers {
namespace {

/// "Unused exports (2)", "## Unused exports (2)" -> the heading and its number.
std::optional<std::pair<std::string_view, std::int64_t>> knip_heading(std::string_view line) {
  if (!eat(line, "## ") && eat(line, "<summary>")) eat_end(line, "</summary>");
  const bool known = begins_with_any(line, {"Unused ", "Unlisted ", "Unresolved ", "Referenced optional ",
                                            "Duplicate exports ", "Unknown binaries"});
  const auto open = line.rfind(" (");
  if (!known || open == std::string_view::npos || !line.ends_with(')')) return std::nullopt;
  auto digits = line.substr(open + 2);
  const auto n = eat_number(digits);
  if (!n || digits != ")") return std::nullopt;
  return std::pair(line.substr(0, open), *n);
}

/// "src/b.js:1:34" among the columns of an item; else the first that is a path.
void place(std::string_view item, Hit& hit) {
  while (!item.empty()) {
    eat_blanks(item);
    const auto n = std::min(item.find_first_of(" \t"), item.size());
    auto word = item.substr(0, n);
    item.remove_prefix(n);
    eat_end(word, ":");
    Fields f;
    if (match(lint_line<"{file}:{line}:{column}">(), word, f)) {
      hit.file = f.file;
      hit.line = f.line;
      hit.column = f.column;
      return;
    }
    if (hit.file.empty() && path_like(word)) hit.file = word;
  }
}

/// How many names an item of the compact reporter lists: "src/b.js: unused, unused2".
std::size_t names_in(std::string_view item) {
  const auto colon = item.find(": ");
  if (colon == std::string_view::npos || !path_like(item.substr(0, colon))) return 1;
  std::size_t n = 1;
  for (const char c : item.substr(colon + 2)) n += c == ',' ? 1 : 0;
  return n;
}

/// The fields of a line of values; quoted ones keep their commas. More than `out` holds are left out.
std::size_t csv_fields(std::string_view line, std::array<std::string_view, 12>& out) {
  std::size_t n = 0;
  while (n < out.size()) {
    std::size_t end = 0;
    if (line.starts_with('"')) {
      end = 1;
      while (end < line.size() && (line[end] != '"' || line.substr(end, 2) == "\"\""))
        end += line[end] == '"' ? 2 : 1;
      end = std::min(end, line.size());
      out[n++] = line.substr(1, end - 1);
      end = std::min(end + 1, line.size());
    } else {
      end = std::min(line.find(','), line.size());
      out[n++] = line.substr(0, end);
    }
    line.remove_prefix(end);
    if (!eat(line, ",")) break;
  }
  return n;
}

std::size_t read_knip(LintScan& scan) {
  const auto head = knip_heading(trim_end(scan.line()));
  if (!head || head->second == 0) return 0;
  // Items follow, as many as the number says; the compact reporter counts files, and lists names.
  const bool markdown = scan.line().starts_with("## "), details = scan.line().starts_with("<summary>");
  std::size_t used = 1;
  std::int64_t items = 0;
  while (items < head->second && scan.i + used < scan.in.lines.size()) {
    auto line = trim_end(scan.ahead(used));
    if (markdown && (line.empty() || line.starts_with("| :--") || line.starts_with("| Name "))) {
      ++used;
      continue;
    }
    if (details && items == 0 && (line.empty() || line == "```")) {
      ++used;
      continue;
    }
    if (line.empty() || knip_heading(line)) break;
    if (markdown && !eat(line, "| ") && !eat(line, "* ")) break;
    Hit hit{.tool = "knip", .rule = head->first, .message = line};
    if (markdown && line.ends_with("warn |")) hit.severity = Severity::warning;
    place(line, hit);
    const auto names = markdown ? 1 : names_in(line);
    for (std::size_t k = 0; k < names; ++k) scan.out.add(hit, scan.i + used);
    ++items;
    ++used;
  }
  if (details && trim_end(scan.ahead(used)) == "```") ++used;
  return items > 0 ? used : 0;
}

std::size_t read_depcheck(LintScan& scan) {
  const auto head = trim_end(scan.line());
  if (!one_of(head, {"Unused dependencies", "Unused devDependencies", "Missing dependencies"}) ||
      !scan.ahead(1).starts_with("* "))
    return 0;
  std::size_t used = 1;
  for (; scan.ahead(used).starts_with("* "); ++used) {
    auto item = trim_end(scan.ahead(used).substr(2));
    Hit hit{.tool = "depcheck", .rule = head, .message = item};
    if (const auto colon = item.find(": "); colon != std::string_view::npos)
      hit.file = item.substr(colon + 2);
    scan.out.add(hit, scan.i + used);
  }
  return used;
}

std::size_t read_publint(LintScan& scan) {
  const auto head = trim_end(scan.line());
  if (scan.out.knows("publint") &&
      (head == "Linting..." || head.starts_with("Packing files with ") || head.starts_with("Unpacking "))) {
    return 1;
  }
  if (scan.out.knows("publint") && head == "All good!") {
    scan.out.clean("publint", scan.i);
    return 1;
  }
  if (!scan.out.knows("publint") || !one_of(head, {"Errors:", "Warnings:", "Suggestions:"})) return 0;
  std::size_t used = 1;
  for (;; ++used) {
    auto line = trim_end(scan.ahead(used));
    if (!eat_number(line) || !eat(line, ". ")) break;
    scan.out.add({.tool = "publint",
                  .severity = head == "Errors:" ? Severity::error : Severity::warning,
                  .message = line},
                 scan.i + used);
  }
  return used;
}

std::size_t read_bandit_csv(LintScan& scan) {
  constexpr std::string_view kHead = "filename,test_name,test_id,issue_severity,issue_confidence,issue_";
  const auto line = trim_end(scan.line());
  if (line.starts_with(kHead)) {
    scan.out.clean("bandit", scan.i);
    scan.context = "bandit-csv";
    return 1;
  }
  if (scan.context != "bandit-csv") return 0;
  std::array<std::string_view, 12> f;
  const auto n = csv_fields(line, f);
  if (n < 8) return 0;
  // Newer versions have the identifier of the weakness before the text.
  const std::size_t text = f[5].starts_with("https://") ? 6 : 5;
  Hit hit{.tool = "bandit", .severity = severity_named(f[3]).value_or(Severity::warning)};
  if (f[3] != "HIGH") hit.severity = Severity::warning;
  hit.file = f[0];
  hit.rule = f[2];
  hit.message = f[text];
  auto digits = f[text + 1];
  hit.line = eat_number(digits).value_or(0);
  scan.out.add(hit, scan.i);
  return 1;
}

/// "In c.cr:3:5", the line and its marker, "Error: …".
std::size_t read_crystal(LintScan& scan) {
  auto head = trim_end(scan.line());
  const bool syntax = eat(head, "Syntax error in ");
  if (!syntax && !eat(head, "In ")) return 0;
  if (syntax) {
    const auto colon = head.find(": ");
    if (colon == std::string_view::npos) return 0;
    head = head.substr(0, colon);
  }
  Fields f;
  if (!match(lint_line<"{file}:{line}:{column}">(), head, f) || !f.file.ends_with(".cr")) {
    f = {};
    if (!match(lint_line<"{file}:{line}">(), head, f) || !f.file.ends_with(".cr")) return 0;
  }
  Hit hit{.tool = "crystal", .file = f.file, .line = f.line, .column = f.column};
  constexpr std::size_t kFrame = 12;
  for (std::size_t k = 1; k < kFrame && !syntax; ++k) {
    auto line = scan.ahead(k);
    const bool warning = line.starts_with("Warning: ");
    if (!warning && !line.starts_with("Error: ")) {
      if (line.starts_with("In ")) return 0;  // a frame above the one that has the error
      continue;
    }
    hit.severity = warning ? Severity::warning : Severity::error;
    line.remove_prefix(line.find(' ') + 1);
    hit.message = line;
    scan.out.add(hit, scan.i);
    return k + 1;
  }
  if (!syntax) return 0;
  const auto whole = trim_end(scan.line());
  hit.message = whole.substr(whole.find(": ") + 2);
  scan.out.add(hit, scan.i);
  std::size_t used = 1;
  while (used < kFrame && scan.ahead(used).find_first_of("|^") != std::string_view::npos) ++used;
  return used;
}

/// "error: parse error near line 4 of file /repo/o.m", "error: 'f' undefined near line 1, column 5".
std::size_t read_octave(LintScan& scan) {
  auto line = trim_end(scan.line());
  if (!eat(line, "error: ") && !eat(line, "parse error near line ") && !eat(line, "parse error:")) return 0;
  Hit hit;
  hit.tool = "octave";
  Fields f;
  const auto whole = trim_end(scan.line());
  if (match(lint_line<"error: parse error near line {line} of file {file}">(), whole, f) ||
      match(lint_line<"parse error near line {line} of file {file}">(), whole, f)) {
    hit.file = f.file;
    hit.message = "parse error";
  } else if (match(lint_line<"error: {message} near line {line}, column {column}">(), whole, f)) {
    hit.column = f.column;
    hit.message = f.message;
  } else {
    return 0;
  }
  hit.line = f.line;
  scan.out.add(hit, scan.i);
  std::size_t used = 1;
  while (used < 12 &&
         (is_blank(scan.ahead(used)) || trim_end(scan.ahead(used)) == "  syntax error" ||
          scan.ahead(used).starts_with(">>> ") || scan.ahead(used).starts_with("    ") ||
          scan.ahead(used).starts_with("error: called from")) &&
         scan.i + used < scan.in.lines.size())
    ++used;
  return used;
}

}  // namespace

std::size_t read_sections(LintScan& scan) {
  for (const auto reader :
       {read_knip, read_depcheck, read_publint, read_bandit_csv, read_crystal, read_octave})
    if (const auto used = reader(scan); used > 0) return used;
  return 0;
}

}  // namespace hydra::parsers
