// Findings that take several lines: a message with its place below it, findings under a heading, drawn boxes.
#include "parsers/lint_scan.hpp"
#include "parsers/scan.hpp"

#include <algorithm>
#include <string>

namespace hydra::parsers {
namespace {

/// "--> a.rs:1:2", "╭─[a.js:2:7]", "┌─ a.lua:1:1", ",-[a.js:1:1]": the place, or nothing.
std::optional<Located> arrow(std::string_view line) {
  eat_blanks(line);
  for (const std::string_view start :
       {"--> ", "╭▸ ", "┌─ ", "╭─[ ", "╭─[", ",-[ ", ",-[", "┌─[", "└─ ", "::: "}) {
    if (!line.starts_with(start)) continue;
    line.remove_prefix(start.size());
    while (eat_end(line, "]") || eat_end(line, " ")) {
    }
    // Behind the place there may be more: "lib/a.ex:3:5: A.f/0".
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

/// eslint(no-debugger): message.
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
  if (eat(line, "[")) {  // statix: "[W04] Warning: message"
    const auto close = line.find("] ");
    if (close == std::string_view::npos || close > 12) return std::nullopt;
    h.rule = line.substr(0, close);
    line.remove_prefix(close + 2);
    const auto s = eat_severity(line);
    if (!s || !eat(line, ": ")) return std::nullopt;
    h.severity = *s;
    h.message = line;
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
  std::size_t n = 0;
  while (n < line.size() && n < 10 && (is_upper(line[n]) || is_digit(line[n]))) ++n;
  const bool code = n >= 3 && is_upper(line[0]) && is_digit(line[n - 1]) && n < line.size() && line[n] == ' ';
  if (!indented && (code || line.starts_with("invalid-syntax: "))) {
    h.rule = code ? line.substr(0, n) : line.substr(0, 14);
    const bool ef = (line[0] == 'E' || line[0] == 'F') && is_digit(line[1]);
    h.severity = ef || !code ? E : W;
    h.message = line.substr(code ? n + 1 : 16);
    h.tool = "ruff";
    return h;
  }
  return std::nullopt;
}

std::string_view tool_of_arrow(const LintScan& scan, const Head& h, std::string_view path) {
  if (!h.tool.empty()) return h.tool;
  if (path.ends_with(".rs")) return scan.out.knows("clippy") ? "clippy" : "rustc";
  if (path.ends_with(".py") || path.ends_with(".pyi")) return scan.out.knows("ruff") ? "ruff" : "ty";
  if (path.ends_with(".lua")) return "selene";
  if (path.ends_with(".ex") || path.ends_with(".exs")) return "elixir";
  if (path.ends_with(".nix")) return "statix";
  if (contains(h.message, " should be `")) return "typos";
  for (const std::string_view end : {".js", ".ts", ".jsx", ".tsx", ".mjs", ".cjs", ".vue", ".mts", ".cts"})
    if (path.ends_with(end)) return "oxlint";
  return "diagnostics";
}

bool path_is_rust(std::string_view path) { return path.ends_with(".rs"); }

/// rustc names the lint below the code: "= note: `#[warn(unused_imports)]` on by default", "`-D
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

/// A line of "━" or "─" or "=" that closes a heading.
bool ruled(std::string_view line) { return line.ends_with("━━━") || line.ends_with("━━"); }

}  // namespace

std::size_t read_rust_like(LintScan& scan) {
  const auto head = head_of(scan.line());
  if (!head) return 0;
  for (std::size_t k = 1; k <= 8; ++k) {
    const auto next = scan.ahead(k);
    if (is_blank(next)) break;
    if (const auto place = arrow(next)) {
      Hit hit;
      hit.tool = tool_of_arrow(scan, *head, place->path);
      hit.severity = head->severity;
      hit.file = place->path;
      hit.line = place->line;
      hit.column = place->column;
      hit.rule = head->rule;
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
std::size_t read_biome(LintScan& scan) {
  auto line = scan.line();
  if (!ruled(line)) return 0;
  const auto at = located(line);
  auto path = at ? at->path : line.substr(0, line.find(' '));
  auto rest = at ? at->rest : line.substr(std::min(path.size(), line.size()));
  eat_blanks(rest);
  const auto category = rest.substr(0, rest.find(' '));
  scan.out.spoke("biome", scan.i);
  // The last words of a run ("lint ━━━", "× Some errors were emitted") have no file.
  if (!at && !path_like(path)) {
    for (std::size_t k = 1; k <= 3; ++k) {
      auto next = scan.ahead(k);
      eat_blanks(next);
      if (next.starts_with("× ") && !next.starts_with("× Some ") && !next.starts_with("× The ")) {
        scan.out.failed("crashed", "biome", next, false, scan.i);
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
    if (eat(next, "× ")) {
      hit.severity = E;
    } else if (eat(next, "! ") || (category.starts_with("lint/") && eat(next, "i "))) {
      hit.severity = W;
    } else if (next.starts_with("i ")) {
      return k + 1;  // about its own configuration
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

/// "  12:3  error  message  rule" and its relatives; the file stands above.
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
  const bool words = eat(line, "line ");  // jshint-stylish: "line 3  col 5  message"
  const auto number = eat_number(line);
  if (!number) return 0;
  hit.line = *number;
  if (words) {
    if (eat_blanks(line) == 0 || !eat(line, "col ")) return 0;
  } else if (!eat(line, ":")) {
    return 0;
  }
  if (const auto column = eat_number(line)) hit.column = *column;
  if (eat(line, "-")) {
    eat_number(line);
    if (eat(line, ":")) eat_number(line);
  }
  if (eat_blanks(line) == 0) return 0;
  hit.tool = "eslint";
  if (!xo && !words) {
    const bool symbol = line.starts_with("✖") || line.starts_with("×") || line.starts_with("⚠") ||
                        line.starts_with("‼") || line.starts_with("ℹ");
    if (symbol) hit.tool = "stylelint";
    if (!mark()) {
      // ruff's grouped form: "1:8 F401 message" under "a.py:".
      std::size_t n = 0;
      while (n < line.size() && n < 10 && (is_upper(line[n]) || is_digit(line[n]))) ++n;
      if (n < 3 || !is_upper(line[0]) || !is_digit(line[n - 1]) || n == line.size() || line[n] != ' ')
        return 0;
      hit.tool = "flake8";
      hit.file = scan.heading;
      hit.rule = line.substr(0, n);
      hit.message = line.substr(n + 1);
      hit.severity = (line[0] == 'E' || line[0] == 'F') && is_digit(line[1]) ? E : W;
      scan.out.add(hit, scan.i);
      return 1;
    }
  } else if (words) {
    hit.tool = "jshint";
    if (line.ends_with("(W)")) hit.severity = W;
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

/// "In a.sh line 2:", the source, then "   ^---^ SC2045 (error): message".
std::size_t read_shellcheck(LintScan& scan) {
  auto line = scan.line();
  Fields place;
  if (match_pattern("In %f line %l:", line, place)) {
    scan.context = "shellcheck";
    scan.context_file = place.file;
    scan.context_line = place.line;
    scan.out.spoke("shellcheck", scan.i);
    return 1;
  }
  if (line.starts_with("  https://www.shellcheck.net/wiki/SC") || line.starts_with("For more information:")) {
    scan.out.spoke("shellcheck", scan.i);
    return 1;
  }
  const auto indent = eat_blanks(line);
  if (!line.starts_with('^')) return 0;
  const auto code = line.find_first_not_of("^-");
  if (code == std::string_view::npos || !line.substr(code).starts_with(" SC")) return 0;
  line.remove_prefix(code + 1);
  Fields f;
  if (!match_pattern("%r (%s): %m", line, f)) return 0;
  Hit hit;
  hit.tool = "shellcheck";
  hit.severity = f.severity == E ? E : W;
  hit.file = scan.context_file;
  hit.line = scan.context_line;
  hit.column = static_cast<std::int64_t>(indent) + 1;
  hit.rule = f.rule;
  hit.message = f.message;
  scan.out.add(hit, scan.i);
  return 1;
}

/// terraform: "│ Error: message", "│   on main.tf line 3:" in a drawn box; without colours "Error: message".
std::size_t read_boxes(LintScan& scan) {
  auto line = scan.line();
  const bool box = eat(line, "│ ");
  const auto severity = eat_severity(line);
  if (!severity || !eat(line, ": ") || *severity == Severity::note) return 0;
  Hit hit;
  hit.tool = "terraform";
  hit.severity = *severity;
  hit.message = line;
  for (std::size_t k = 1; k <= 4; ++k) {
    auto next = scan.ahead(k);
    eat(next, "│");
    eat_blanks(next);
    Fields f;
    if (!match_pattern("on %f line %l:", next, f) && !match_pattern("on %f line %l,%z", next, f)) continue;
    hit.file = f.file;
    hit.line = f.line;
    scan.out.add(hit, scan.i);
    return k + 1;
  }
  if (!box) return 0;
  scan.out.add(hit, scan.i);
  return 1;
}

/// eslint's TAP: "not ok 1 - file", and in the block below one "severity:" a finding.
std::size_t read_eslint_tap(LintScan& scan) {
  auto line = scan.line();
  if (eat(line, "not ok ")) {
    // luacheck has a line for each finding.
    auto place = line;
    if (eat_number(place) && eat_blanks(place) > 0) {
      const auto at = located(place);
      if (at && at->column > 0 && path_like(at->path)) {
        Hit hit;
        hit.tool = at->path.ends_with(".lua") ? "luacheck" : "tap";
        hit.severity = at->path.ends_with(".lua") ? Severity::warning : Severity::error;
        hit.file = at->path;
        hit.line = at->line;
        hit.column = at->column;
        hit.message = at->rest;
        scan.out.add(hit, scan.i);
        return 1;
      }
    }
    const auto dash = line.find("- ");
    scan.context = "tap";
    scan.context_file = dash == std::string_view::npos ? line : line.substr(dash + 2);
    return 1;
  }
  if (line.starts_with("TAP version ") || line.starts_with("1..") || line.starts_with("ok ")) {
    scan.out.spoke("", scan.i);
    return line.starts_with("1..") && line.find_first_not_of("0123456789.") != std::string_view::npos ? 0 : 1;
  }
  if (scan.context != "tap" || eat_blanks(line) == 0) return 0;
  eat(line, "- ");
  if (!eat(line, "severity: ")) return 0;
  const auto severity = severity_named(trim_end(line));
  if (!severity) return 0;
  Hit hit;
  hit.tool = "eslint";
  hit.severity = *severity;
  hit.file = scan.context_file;
  scan.out.add(hit, scan.i);
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
    scan.out.spoke("stylelint", scan.i);
  return used;
}

}  // namespace hydra::parsers
