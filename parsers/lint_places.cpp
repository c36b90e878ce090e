// The place of a finding: paths, "file:line:column", and the rule at the end of a message.
#include "parsers/lint_scan.hpp"
#include "parsers/scan.hpp"

namespace hydra::parsers {

bool path_like(std::string_view s) {
  if (s.empty() || s.size() > 1024 || s.starts_with("┃") || s.starts_with("│") || s[0] == ' ' ||
      s.back() == ' ' || s.back() == '.')
    return false;
  const auto dot = s.rfind('.');
  const bool dotted = dot != std::string_view::npos && s.size() - dot <= 12 &&
                      s.find(' ', dot) == std::string_view::npos && dot + 1 < s.size();
  const bool blanks = s.find(' ') != std::string_view::npos;
  if (blanks) return dotted && (contains(s, "/") || contains(s, "\\")) && !contains(s, ": ");
  if (dotted || contains(s, "/") || contains(s, "\\")) return true;
  // Names without an extension: Dockerfile, Makefile, BUILD.
  return s.ends_with("file") || s == "BUILD" || s == "WORKSPACE";
}

std::string_view take_rule(std::string_view& message) {
  const auto text = trim_end(message);
  if (text.size() < 3) return {};
  const char close = text.back();
  if (close != ']' && close != ')') return {};
  const auto open = text.rfind(close == ']' ? '[' : '(');
  if (open == std::string_view::npos || open == 0 || text[open - 1] != ' ') return {};
  const auto rule = text.substr(open + 1, text.size() - open - 2);
  if (rule.empty() || rule.size() > 120) return {};
  if (rule.find(' ') != std::string_view::npos && !contains(rule, "confidence")) return {};
  message = trim_end(text.substr(0, open));
  // cpplint ends a message with a confidence number: the rule precedes the number.
  if (rule.find_first_not_of("0123456789") == std::string_view::npos)
    if (const auto inner = take_rule(message); !inner.empty()) return inner;
  return rule;
}

std::optional<Located> located(std::string_view line) {
  if (line.empty() || line[0] == ' ' || line[0] == '\t') return std::nullopt;
  // Find the first ":<number>" that ends in ":" or a blank; a Windows drive is no number. The search ends at
  // the maximum length of a path.
  int tries = 0;
  for (std::size_t at = line.find(':'); at != std::string_view::npos && at < 4096 && tries < 64;
       at = line.find(':', at + 1), ++tries) {
    auto rest = line.substr(at + 1);
    const auto number = eat_number(rest);
    if (!number) continue;
    Located out{line.substr(0, at), {}, *number, 0};
    if (eat(rest, "-")) eat_number(rest);
    auto column = rest;
    if (eat(column, ":")) {
      if (const auto n = eat_number(column)) {
        out.column = *n;
        rest = column;
        // The end of a range: "3:1-3:9", "3:1-9" or mypy's "3:1:3:9".
        if (auto end = column;
            eat(end, ":") && eat_number(end) && eat(end, ":") && eat_number(end) && end.starts_with(':'))
          rest = column = end;
        if (eat(column, "-") && eat_number(column)) {
          if (auto end = column; eat(end, ":") && eat_number(end)) column = end;
          rest = column;
        }
      }
    }
    if (rest.empty() || (rest[0] != ':' && rest[0] != ' ' && rest[0] != '\t')) continue;
    out.rest = rest;
    eat(out.rest, ":");
    return out;
  }
  return std::nullopt;
}

}  // namespace hydra::parsers
