// "file:line:column: …": compilers, and the many linters that print alike. The shape of the rule and the kind
// of file identify the tool.
#include "base/strings.hpp"
#include "parsers/formats.hpp"
#include "parsers/lint_scan.hpp"
#include "parsers/scan.hpp"

#include <algorithm>
#include <map>

namespace hydra::parsers {
namespace {

bool alpha(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// Returns the code at the begin of `s`, one to seven capitals, then digits: "F401", "DL3006", "SC2086".
std::string_view code_at(std::string_view s) {
  std::size_t n = 0;
  while (n < s.size() && n < 7 && is_upper(s[n])) ++n;
  const auto letters = n;
  while (n < s.size() && n < letters + 6 && is_digit(s[n])) ++n;
  if (letters == 0 || n < letters + 2 || (n < s.size() && (alpha(s[n]) || is_digit(s[n])))) return {};
  return s.substr(0, n);
}

std::string_view ending(std::string_view path) {
  const auto slash = path.find_last_of("/\\");
  const auto name = slash == std::string_view::npos ? path : path.substr(slash + 1);
  const auto dot = name.rfind('.');
  return dot == std::string_view::npos ? name : name.substr(dot + 1);
}

/// Returns the tool that most likely prints "file: error: …" for this kind of file.
std::string_view tool_by_ending(std::string_view path) {
  static const auto tools = [] {
    std::map<std::string_view, std::string_view> out;
    for (const auto& named : lint_data().endings) out.emplace(named.text, named.tool);
    return out;
  }();
  const auto it = tools.find(ending(path));
  return it == tools.end() ? "gcc" : it->second;
}

/// Returns whether the text is context that compilers print around a finding, in the finding's shape.
bool attached(std::string_view rest) {
  auto text = rest;
  eat_blanks(text);
  return begins_with_any(
      text, {"required from ", "required by ", "recursively required ", "in 'constexpr' ", "in ‘constexpr’ ",
             "instantiated from ", "first defined here", "in expansion of ", "from ", "in function ",
             "In function ", "also ", "previous ", "at ", "... "});
}

bool linker(std::string_view rest) {
  return contains(rest, "undefined reference to ") || contains(rest, "multiple definition of ");
}

struct Reading {
  std::string_view tool, rule, message;
  Severity severity = E;
  bool known = true;
};

/// Reads "error: message [rule]", "warning[rule]: message", "Fehler: …", "- error TS2322: …".
std::optional<Reading> with_word(std::string_view rest, const Located& at) {
  eat_blanks(rest);
  eat(rest, "- ");
  Reading r;
  if (rest.starts_with("syntax error")) {
    r.message = rest;
    r.tool = tool_by_ending(at.path);
    return r;
  }
  const auto severity = eat_severity(rest);
  if (!severity) return std::nullopt;
  r.severity = *severity;
  if (eat(rest, "[")) {
    const auto close = rest.find(']');
    if (close == std::string_view::npos) return std::nullopt;
    r.rule = rest.substr(0, close);
    rest.remove_prefix(close + 1);
  }
  eat(rest, "\xC2\xA0");
  eat_blanks(rest);
  const bool colon = eat(rest, ":") || eat(rest, "\xEF\xBC\x9A");
  if (!colon && eat(rest, "- ")) {
    r.message = rest;
  } else if (!colon) {
    // "error TS2322: …", "error MD018/name …", "Error F401 …".
    const auto code = rest.substr(0, std::min(rest.find_first_of(" :"), rest.size()));
    if (!code_at(code.substr(0, code.find('/'))).empty()) {
      r.rule = code;
      rest.remove_prefix(code.size());
      eat(rest, ":");
    } else {
      return std::nullopt;
    }
  }
  eat_blanks(rest);
  r.message = trim_end(rest);
  r.tool = tool_by_ending(at.path);
  if (r.rule.empty() && r.message.starts_with('[') && contains(r.message, "]")) {  // javac, ghc
    r.rule = r.message.substr(1, r.message.find(']') - 1);
    r.message.remove_prefix(r.rule.size() + 2);
    eat_blanks(r.message);
  } else if (r.rule.empty()) {
    r.rule = take_rule(r.message);
  }
  if (r.rule.starts_with("SC") && !code_at(r.rule).empty()) r.tool = "shellcheck";
  if (r.rule.starts_with("MD")) r.tool = "markdownlint";
  // shellcheck's gcc format prints the levels info and style as "note".
  if (r.tool == "shellcheck" && r.severity == Severity::note) r.severity = W;
  const bool checker = r.tool == "gcc" && contains(r.rule, "-") && !r.rule.starts_with('-');
  if (checker) r.tool = "clang-tidy";
  if (r.rule == "-Wclang-format-violations") r.tool = "clang-format";
  return r;
}

/// Reads "F401 message", "C0103: message (symbol)", "W: Cop: message", "[error] message (rule)" and "message
/// [Error/rule]".
std::optional<Reading> with_code(std::string_view rest, const Located& at) {
  eat_blanks(rest);
  Reading r;
  const auto end = ending(at.path);
  const auto words = std::min(rest.find_first_of(" :"), rest.size());
  if (rest.starts_with('[') && rest.find("] ") != std::string_view::npos && rest.find("] ") < 120) {
    auto word = rest.substr(1, rest.find("] ") - 1);
    const auto code = code_at(word);
    const auto severity = !code.empty()      ? std::optional(severity_letter(word[0]).value_or(W))
                          : word.size() == 1 ? severity_letter(word[0])
                                             : severity_named(word);
    if (!severity) return std::nullopt;
    if (!code.empty()) {  // pylint: "[W0611(unused-import), f] message"
      r.severity = *severity;
      r.rule = code;
      r.message = rest.substr(rest.find("] ") + 2);
      r.tool = end == "py" ? "pylint" : tool_by_ending(at.path);
      return r;
    }
    r.severity = *severity;
    r.message = rest.substr(rest.find("] ") + 2);
    r.rule = take_rule(r.message);
    r.tool = end == "yml" || end == "yaml" ? "yamllint" : tool_by_ending(at.path);
    return r;
  }
  if (rest.size() > 3 && rest.substr(1).starts_with(": ") && severity_letter(rest[0])) {
    r.severity = *severity_letter(rest[0]);
    r.message = rest.substr(3);
    eat(r.message, "[Correctable] ");
    eat(r.message, "[Corrected] ");
    const auto cop = r.message.find(": ");
    if (cop != std::string_view::npos && r.message.substr(0, cop).find(' ') == std::string_view::npos) {
      r.rule = r.message.substr(0, cop);
      r.message.remove_prefix(cop + 2);
    }
    r.tool = "rubocop";
    return r;
  }
  if (rest.starts_with("SyntaxError: ") || rest.starts_with("invalid-syntax")) {
    r.message = rest;
    r.rule = "invalid-syntax";
    r.tool = "flake8";
    return r;
  }
  const bool bracket = eat(rest, "(");  // luacheck: "(W111) message"
  const auto word = rest.substr(0, bracket ? std::min(rest.find(')'), rest.size()) : words);
  const auto code = code_at(word.substr(0, word.find('/')));
  if (code.empty()) return std::nullopt;
  r.rule = word;
  r.message = rest.substr(std::min(word.size() + (bracket ? 1 : 0), rest.size()));
  const bool colon = eat(r.message, ":");
  eat_blanks(r.message);
  r.severity = severity_of_code(code);
  if (code.starts_with("MD")) {
    r.tool = "markdownlint";
    r.severity = E;
  } else if (code.starts_with("DL") || end == "Dockerfile") {
    r.tool = "hadolint";
    if (auto m = r.message; const auto s = eat_severity(m)) r.severity = *s;
  } else if (colon && code.size() == 5 && end == "py") {
    r.tool = "pylint";
    auto m = r.message;
    take_rule(m);
  } else if (end == "py" || end == "pyi" || end == "ipynb") {
    r.tool = "flake8";
  } else {
    r.tool = tool_by_ending(at.path);
    r.severity = code[0] == 'W' || code[0] == 'C' || code[0] == 'I' ? W : E;
  }
  return r;
}

std::optional<Reading> with_tag(std::string_view rest) {
  if (!rest.ends_with(']')) return std::nullopt;
  const auto open = rest.rfind(" [");
  if (open == std::string_view::npos) return std::nullopt;
  auto tag = rest.substr(open + 2);
  tag.remove_suffix(1);
  const auto slash = tag.find('/');
  const auto word = tag.substr(0, slash);
  if (!one_of(word, {"Error", "Warning", "error", "warning"})) return std::nullopt;
  Reading r;
  if (is_upper(word[0])) {
    r.tool = "eslint";
    r.severity = word == "Error" ? E : W;
  } else {
    r.tool = "stylelint";
    r.severity = word == "error" ? E : W;
    r.message = rest.substr(0, open);
    r.rule = take_rule(r.message);
    return r;
  }
  r.rule = slash == std::string_view::npos ? std::string_view{} : tag.substr(slash + 1);
  r.message = rest.substr(0, open);
  return r;
}

/// A line without a severity is an error if the rest looks like a linter's message.
std::optional<Reading> bare(std::string_view rest, const Located& at) {
  const bool blank = eat_blanks(rest) > 0;
  const bool go = ending(at.path) == "go";
  if (rest.empty() || attached(rest)) return std::nullopt;
  if (!blank && at.column == 0 && tool_by_ending(at.path) == "gcc") return std::nullopt;
  auto probe = rest;
  const auto rule = take_rule(probe);
  if (at.column == 0 && !go && tool_by_ending(at.path) == "gcc" && rule.empty()) return std::nullopt;
  Reading r;
  r.message = trim_end(rest);
  r.rule = take_rule(r.message);
  r.tool = tool_by_ending(at.path);
  if (go && !r.rule.empty()) r.tool = "golangci-lint";
  // Python's own warnings at run time: "a.py:3: DeprecationWarning: …".
  const auto colon = rest.find("Warning: ");
  if (ending(at.path) == "py" && colon != std::string_view::npos &&
      rest.substr(0, colon).find(' ') == std::string_view::npos)
    return std::nullopt;
  if (ending(at.path) == "py") r.tool = "python";
  r.known = go || !r.rule.empty();
  return r;
}

bool once_only(std::string_view tool) { return tool == "gcc" || tool == "clang-tidy" || tool == "dotnet"; }

std::size_t linker_line(LintScan& scan) {
  const auto line = scan.line();
  const bool hit =
      (contains(line, ": undefined reference to ") || contains(line, ": multiple definition of ") ||
       contains(line, ": nicht definierter Verweis auf ") || contains(line, ": référence indéfinie vers ") ||
       line.starts_with("ld.lld: error: ") || line.starts_with("duplicate symbol ") ||
       line.starts_with("mold: error: ") || contains(line, "ld: cannot find -l")) &&
      !line.starts_with(' ');
  if (!hit) return 0;
  scan.out.add({.tool = "gcc", .rule = "linker", .message = line}, scan.i);
  return 1;
}

}  // namespace

/// Reads "a.ts(1,7): error TS2322: message" and "a.cpp(3): warning C4101: message [a.vcxproj]".
std::size_t read_ms_compile(LintScan& scan) {
  auto line = scan.line();
  eat_blanks(line);
  // MSBuild numbers the projects that build in parallel: "  2>a.cs(1,2): error …".
  if (auto numbered = line; eat_number(numbered) && eat(numbered, ">")) line = numbered;
  int tries = 0;
  for (auto open = line.substr(0, 4096).find('('); open != std::string_view::npos && tries < 8;
       open = line.substr(0, 4096).find('(', open + 1), ++tries) {
    Hit hit;
    hit.file = line.substr(0, open);
    auto rest = line.substr(open + 1);
    const auto number = eat_number(rest);
    if (!number || !path_like(hit.file)) continue;
    hit.line = *number;
    if (eat(rest, ",")) {
      eat_blanks(rest);
      hit.column = eat_number(rest).value_or(0);
    }
    while (eat(rest, ",") || eat(rest, "-")) eat_number(rest);
    if (!eat(rest, ")")) continue;
    eat_blanks(rest);
    if (!eat(rest, ":")) continue;
    eat_blanks(rest);
    const auto severity = eat_severity(rest);
    if (!severity) continue;
    eat_blanks(rest);
    const auto code = rest.substr(0, std::min(rest.find_first_of(": "), rest.size()));
    if (!code.empty() && rest.substr(code.size()).starts_with(":")) {
      hit.rule = code;
      rest.remove_prefix(code.size() + 1);
    } else {
      eat(rest, ":");
    }
    eat_blanks(rest);
    hit.severity = *severity;
    hit.message = rest;
    hit.tool = tool_by_ending(hit.file);
    if (hit.rule.starts_with("TS")) hit.tool = "tsc";
    if (hit.tool == "gcc") hit.tool = "msvc";
    hit.twice = true;
    scan.out.add(hit, scan.i);
    return 1;
  }
  return 0;
}

/// Drops the severity word of "ERROR a.c:3:1 message" or "[warning] a.c:9: message" if a place follows.
std::optional<Severity> leading_severity(std::string_view& line) {
  auto rest = line;
  const bool bracket = eat(rest, "[");
  std::size_t n = 0;
  while (n < rest.size() && n < 12 && alpha(rest[n])) ++n;
  const auto severity = severity_named(rest.substr(0, n));
  if (n < 3 || !severity) return std::nullopt;
  rest.remove_prefix(n);
  if (bracket && !eat(rest, "]")) return std::nullopt;
  eat(rest, ":");
  if (eat_blanks(rest) == 0) return std::nullopt;
  const auto at = located(rest);
  if (!at || at->path.find(' ') != std::string_view::npos || !path_like(at->path)) return std::nullopt;
  line = rest;
  return severity;
}

std::size_t read_located(LintScan& scan) {
  auto line = scan.line();
  if (linker_line(scan) > 0) return 1;
  if (eat(line, "  ")) eat_blanks(line);  // standard and similar tools indent
  if (line.starts_with("at ") || line.starts_with("In file included from ")) return 0;
  const auto said = leading_severity(line);
  const auto at = located(line);
  if (!at || !path_like(at->path) || contains(at->path, "://") || contains(at->path, "(")) return 0;
  std::optional<Reading> r = with_tag(at->rest);
  if (!r) r = with_word(at->rest, *at);
  if (!r) r = with_code(at->rest, *at);
  const bool indented = !said && line.size() != scan.line().size();
  if (!r && linker(at->rest)) return 0;
  if (!r) r = bare(at->rest, *at);
  if (!r && said && !is_blank(at->rest))
    r = Reading{tool_by_ending(at->path), {}, trim_end(at->rest), E, false};
  if (r && said) r->severity = *said;
  if (!r || (indented && !r->known && at->column == 0)) return 0;
  scan.out.add({.tool = r->tool,
                .severity = r->severity,
                .file = at->path,
                .line = at->line,
                .column = at->column,
                .rule = r->rule,
                .message = r->message,
                .twice = at->column > 0 && once_only(r->tool),
                .per_file = r->tool == "clang-format",
                .certainty = r->known ? 2 : 1},
               scan.i);
  return 1;
}

}  // namespace hydra::parsers
