// Findings of several lines: a message with its place below, findings under a heading, drawn boxes.
#include "parsers/lint_scan.hpp"
#include "parsers/scan.hpp"

#include <algorithm>
#include <string>

namespace hydra::parsers {
namespace {

/// Returns the place in "--> a.rs:1:2", "╭─[a.js:2:7]", "┌─ a.lua:1:1" or ",-[a.js:1:1]"; nothing for other
/// lines.
std::optional<Located> arrow(std::string_view line) {
  eat_blanks(line);
  for (const std::string_view start :
       {"--> ", "╭▸ ", "┌─ ", "╭─[ ", "╭─[", ",-[ ", ",-[", "┌─[", "└─ ", "::: "}) {
    if (!line.starts_with(start)) continue;
    line.remove_prefix(start.size());
    while (eat_end(line, "]") || eat_end(line, " ")) {
    }
    // Text may follow the place: "lib/a.ex:3:5: A.f/0".
    const auto text = line.substr(0, 4096);
    for (std::size_t colon = text.find(':'); colon != std::string_view::npos;
         colon = text.find(':', colon + 1)) {
      auto rest = text.substr(colon + 1);
      const auto number = eat_number(rest);
      if (!number) continue;
      Located out{text.substr(0, colon), {}, *number, 0};
      if (eat(rest, ":"))
        if (const auto n = eat_number(rest)) out.column = *n;
      return out;
    }
    return Located{text, {}, 0, 0};
  }
  return std::nullopt;
}

struct Head {
  Severity severity = E;
  std::string_view rule, message, tool;
};

/// Splits the rule from "eslint(no-debugger): message".
void plugin_rule(Head& h) {
  const auto open = h.message.find('(');
  const auto close = h.message.find("): ");
  if (open == std::string_view::npos || close == std::string_view::npos || open == 0 || open > close ||
      open > 40)
    return;
  if (h.message.substr(0, open).find(' ') != std::string_view::npos) return;
  h.rule = h.message.substr(open + 1, close - open - 1);
  h.message.remove_prefix(close + 3);
}

/// Returns ruff's rule before a message, "F401 message"; empty: none.
std::string_view leading_code(std::string_view line) {
  std::size_t n = 0;
  while (n < line.size() && n < 10 && (is_upper(line[n]) || is_digit(line[n]))) ++n;
  const bool code = n >= 3 && is_upper(line[0]) && is_digit(line[n - 1]) && n < line.size() && line[n] == ' ';
  return code ? line.substr(0, n) : std::string_view{};
}

std::optional<Head> head_of(std::string_view line) {
  const bool indented = eat_blanks(line) > 0;
  Head h;
  for (const std::string_view mark : {"× ", "✖ ", "✗ ", "x ", "X "})
    if (indented && line.starts_with(mark)) {
      h.message = line.substr(mark.size());
      plugin_rule(h);
      return h;
    }
  for (const std::string_view mark : {"! ", "⚠ ", "‼ ", "i ", "ℹ ", "☞ ", "> "})
    if (indented && line.starts_with(mark)) {
      h.severity = W;
      h.message = line.substr(mark.size());
      plugin_rule(h);
      return h;
    }
  auto text = line;
  if (const auto s = eat_severity(text)) {
    h.severity = *s;
    if (eat(text, "[")) {
      const auto close = text.find(']');
      if (close == std::string_view::npos) return std::nullopt;
      h.rule = text.substr(0, close);
      text.remove_prefix(close + 1);
    }
    if (eat(text, ":")) {
      eat_blanks(text);
      h.message = text;
      return h;
    }
    return std::nullopt;
  }
  // ruff's long form: "F401 [*] message", "invalid-syntax: message".
  const auto code = indented ? std::string_view{} : leading_code(line);
  if (!code.empty() || (!indented && line.starts_with("invalid-syntax: "))) {
    h.rule = code.empty() ? line.substr(0, 14) : code;
    h.severity = code.empty() ? E : severity_of_code(code);
    h.message = line.substr(code.empty() ? 16 : code.size() + 1);
    h.tool = "ruff";
    return h;
  }
  return std::nullopt;
}

std::string_view tool_of_arrow(const LintScan& scan, const Head& h, std::string_view path) {
  if (!h.tool.empty()) return h.tool;
  if (path.ends_with(".rs")) return scan.out.knows("clippy") ? "clippy" : "rustc";
  if (path.ends_with(".py") || path.ends_with(".pyi")) return scan.out.knows("ruff") ? "ruff" : "ty";
  for (const std::string_view end : {".js", ".ts", ".jsx", ".tsx", ".mjs", ".cjs", ".vue", ".mts", ".cts"})
    if (path.ends_with(end)) return "oxlint";
  return "diagnostics";
}

bool path_is_rust(std::string_view path) { return path.ends_with(".rs"); }

/// rustc names the lint below the code: "= note: `#[warn(unused_imports)]` on by default", or "`-D
/// unused-imports` implied".
std::string_view lint_below(const LintScan& scan, std::size_t from) {
  for (auto k = from; k < from + 20; ++k) {
    auto line = scan.ahead(k);
    if (is_blank(line)) break;
    eat_blanks(line);
    if (!eat(line, "= note: `")) continue;
    if (eat(line, "#[")) {
      const auto open = line.find('('), close = line.find(')');
      if (open < close && close != std::string_view::npos) return line.substr(open + 1, close - open - 1);
    } else if (eat(line, "-D ") || eat(line, "-W ") || eat(line, "-F ")) {
      return line.substr(0, std::min(line.find('`'), line.size()));
    }
  }
  return {};
}

/// Returns whether a rule of "━" closes a heading.
bool ruled(std::string_view line) { return line.ends_with("━━━") || line.ends_with("━━"); }

}  // namespace

std::size_t read_rust_like(LintScan& scan) {
  const auto head = head_of(scan.line());
  if (!head) return 0;
  for (std::size_t k = 1; k <= 8; ++k) {
    const auto next = scan.ahead(k);
    if (is_blank(next)) break;
    if (const auto place = arrow(next)) {
      Hit hit{.tool = tool_of_arrow(scan, *head, place->path),
              .severity = head->severity,
              .file = place->path,
              .line = place->line,
              .column = place->column,
              .rule = head->rule};
      std::string lint;
      if (hit.rule.empty() && path_is_rust(place->path)) {
        // "-D unused-imports" is the lint unused_imports.
        lint = lint_below(scan, k + 1);
        std::replace(lint.begin(), lint.end(), '-', '_');
        hit.rule = lint;
      }
      hit.message = head->message;
      if (hit.rule.starts_with("clippy::")) hit.tool = "clippy";
      scan.out.add(hit, scan.i);
      return k + 1;
    }
    if (k > 1 && head_of(next)) break;
  }
  return 0;
}

/// "a.js:1:1 lint/suspicious/noDebugger  FIXABLE  ━━━", then "  × message", "  ! message" or "  i message".
/// In colour, which `biome ci` prints into pipes too, the marks are "✖", "⚠" and "ℹ".
std::size_t read_biome(LintScan& scan) {
  auto line = scan.line();
  if (!ruled(line)) return 0;
  const auto at = located(line);
  auto path = at ? at->path : line.substr(0, line.find(' '));
  auto rest = at ? at->rest : line.substr(std::min(path.size(), line.size()));
  eat_blanks(rest);
  const auto category = rest.substr(0, rest.find(' '));
  scan.out.spoke("biome");
  // The last lines of a run ("lint ━━━", "× Some errors were emitted") have no file.
  if (!at && !path_like(path)) {
    for (std::size_t k = 1; k <= 3; ++k) {
      auto next = scan.ahead(k);
      eat_blanks(next);
      auto said = next;
      if ((eat(said, "× ") || eat(said, "✖ ")) && !said.starts_with("Some ") && !said.starts_with("The ")) {
        scan.out.failed("biome", next, false, scan.i);
        return k + 1;
      }
      if (!is_blank(next)) return k + 1;
    }
    return 1;
  }
  for (std::size_t k = 1; k <= 4; ++k) {
    auto next = scan.ahead(k);
    eat_blanks(next);
    Hit hit;
    if (eat(next, "× ") || eat(next, "✖ ")) {
      hit.severity = E;
    } else if (eat(next, "! ") || eat(next, "⚠ ") ||
               (category.starts_with("lint/") && (eat(next, "i ") || eat(next, "ℹ ")))) {
      hit.severity = W;
    } else if (next.starts_with("i ") || next.starts_with("ℹ ")) {
      return k + 1;  // biome's own configuration
    } else {
      continue;
    }
    hit.tool = "biome";
    hit.file = path;
    hit.line = at ? at->line : 0;
    hit.column = at ? at->column : 0;
    hit.rule = category;
    hit.message = next;
    scan.out.add(hit, scan.i);
    return k + 1;
  }
  return 1;
}

/// Reads "  12:3  error  message  rule" and similar lines; a line above names the file.
std::size_t read_stylish(LintScan& scan) {
  auto line = scan.line();
  if (eat_blanks(line) == 0) return 0;
  Hit hit;
  auto mark = [&line, &hit] {
    for (const std::string_view m : {"✖", "×", "✘", "error", "high"})
      if (line.starts_with(m)) {
        line.remove_prefix(m.size());
        hit.severity = E;
        return eat_blanks(line) > 0;
      }
    for (const std::string_view m : {"⚠", "‼", "ℹ", "warning", "info", "hint", "suggestion", "medium", "low"})
      if (line.starts_with(m)) {
        line.remove_prefix(m.size());
        hit.severity = W;
        return eat_blanks(line) > 0;
      }
    return false;
  };
  const bool xo = mark();
  const auto number = eat_number(line);
  if (!number || !eat(line, ":")) return 0;
  hit.line = *number;
  if (const auto column = eat_number(line)) hit.column = *column;
  if (eat(line, "-")) {
    eat_number(line);
    if (eat(line, ":")) eat_number(line);
  }
  if (eat_blanks(line) == 0) return 0;
  hit.tool = "eslint";
  if (!xo) {
    const bool symbol = line.starts_with("✖") || line.starts_with("×") || line.starts_with("⚠") ||
                        line.starts_with("‼") || line.starts_with("ℹ");
    if (symbol) hit.tool = "stylelint";
    if (!mark()) {
      // ruff's grouped form: "1:8 F401 message" under "a.py:".
      const auto code = leading_code(line);
      if (code.empty()) return 0;
      hit.tool = "flake8";
      hit.file = scan.heading;
      hit.rule = code;
      hit.message = line.substr(code.size() + 1);
      hit.severity = severity_of_code(code);
      scan.out.add(hit, scan.i);
      return 1;
    }
  }
  const auto yaml = scan.heading.ends_with(".yaml") || scan.heading.ends_with(".yml");
  if (hit.tool == "eslint" && yaml && line.ends_with(')')) hit.tool = "yamllint";
  hit.file = scan.heading;
  hit.message = trim_end(line);
  if (hit.tool == "yamllint") {
    hit.rule = take_rule(hit.message);
  } else if (const auto gap = hit.message.rfind("  "); gap != std::string_view::npos) {
    const auto rule = hit.message.substr(gap + 2);
    if (rule.find(' ') == std::string_view::npos) {
      hit.rule = rule;
      hit.message = trim_end(hit.message.substr(0, gap));
    }
  }
  scan.out.add(hit, scan.i);
  return 1;
}

/// Reads "In a.sh line 2:", the source, then "   ^---^ SC2045 (error): message".
std::size_t read_shellcheck(LintScan& scan) {
  auto line = scan.line();
  Fields place;
  if (match(lint_line<"In {file} line {line}:">(), line, place)) {
    scan.context = "shellcheck";
    scan.context_file = place.file;
    scan.context_line = place.line;
    scan.out.spoke("shellcheck");
    return 1;
  }
  const auto indent = eat_blanks(line);
  if (!line.starts_with('^')) return 0;
  const auto code = line.find_first_not_of("^-");
  if (code == std::string_view::npos || !line.substr(code).starts_with(" SC")) return 0;
  line.remove_prefix(code + 1);
  Fields f;
  if (!match(lint_line<"{rule} ({severity}): {message}">(), line, f)) return 0;
  scan.out.add({.tool = "shellcheck",
                .severity = f.severity == E ? E : W,
                .file = scan.context_file,
                .line = scan.context_line,
                .column = static_cast<std::int64_t>(indent) + 1,
                .rule = f.rule,
                .message = f.message},
               scan.i);
  return 1;
}

}  // namespace hydra::parsers
