// flake8, pycodestyle, ruff, pylint, rubocop, yamllint; and the formatters: prettier, black, isort, gofmt,
// rustfmt.
#include "parsers/lint_registry.hpp"
#include "parsers/scan.hpp"

namespace hydra::parsers {
namespace {

/// "F401": letters, then digits. Drops it.
std::optional<std::string_view> eat_code(std::string_view& s) {
  std::size_t n = 0;
  while (n < s.size() && n < 6 && is_upper(s[n])) ++n;
  const auto letters = n;
  while (n < s.size() && n < letters + 5 && is_digit(s[n])) ++n;
  if (letters == 0 || n < letters + 3) return std::nullopt;
  const auto code = s.substr(0, n);
  s.remove_prefix(n);
  return code;
}

Finding by_letter(char letter) { return letter == 'E' || letter == 'F' ? Finding::error : Finding::warning; }

std::optional<LintHit> bracketed(std::string_view rest) {
  if (eat(rest, "[error] ")) return LintHit{"yamllint", Finding::error};
  if (eat(rest, "[warning] ")) return LintHit{"yamllint", Finding::warning};
  return std::nullopt;
}

/// ruff's long form: "F401 [*] message", the place on the next line.
std::optional<LintHit> ruff_block(const Input& in, std::size_t i) {
  auto line = in.lines[i];
  const auto code = eat_code(line);
  if (!code || !line.starts_with(' ') || i + 1 >= in.lines.size()) return std::nullopt;
  auto next = in.lines[i + 1];
  eat_blanks(next);
  if (!next.starts_with("--> ")) return std::nullopt;
  return LintHit{"flake8", by_letter((*code)[0])};
}

}  // namespace

std::optional<LintHit> read_python(const Input& in, std::size_t i) {
  const auto line = in.lines[i];
  if (line.starts_with("Your code has been rated at ") || line.starts_with("************* Module "))
    return LintHit{"pylint", Finding::clean};
  if (only(line, '-', 20)) return LintHit{"", Finding::clean};
  if (line.starts_with("All checks passed!")) return LintHit{"flake8", Finding::clean};
  if (const auto hit = ruff_block(in, i)) return hit;
  const auto place = located(line);
  if (!place) return std::nullopt;
  auto rest = place->rest;
  eat_blanks(rest);
  if (const auto hit = bracketed(rest)) return hit;
  if (rest.size() > 3 && rest.substr(1).starts_with(": ") && contains("CRWEF", rest.substr(0, 1)))
    return LintHit{"rubocop", by_letter(rest[0])};
  if (auto rule = rest; (eat(rule, "error ") || eat(rule, "warning ")) && rule.starts_with("MD"))
    return LintHit{"markdownlint", rest[0] == 'e' ? Finding::error : Finding::warning};
  if (rest.starts_with("MD")) {
    rest.remove_prefix(2);
    if (eat_number(rest)) return LintHit{"markdownlint", Finding::error};
    return std::nullopt;
  }
  if (rest.starts_with("SyntaxError: ")) return LintHit{"flake8", Finding::error};
  const auto code = eat_code(rest);
  if (!code) return std::nullopt;
  if (rest.starts_with(": ")) return LintHit{"pylint", by_letter((*code)[0])};
  if (rest.starts_with(' ')) return LintHit{"flake8", by_letter((*code)[0])};
  return std::nullopt;
}

std::optional<LintHit> read_formatter(const Input& in, std::size_t i) {
  auto line = in.lines[i];
  if (line.starts_with("Checking formatting...") || line.starts_with("All matched files use Prettier") ||
      line.starts_with("[warn] Code style issues found in ") || line.starts_with("[warn] All matched files"))
    return LintHit{"prettier", Finding::clean};
  if (eat(line, "[warn] ")) return LintHit{"prettier", Finding::warning};
  if (eat(line, "[error] ")) {
    const bool frame = line.empty() || line[0] == ' ' || line[0] == '>' || !contains(line, ": ");
    return LintHit{"prettier", frame ? Finding::note : Finding::error};
  }
  if (line.starts_with("would reformat ") || line.starts_with("Would reformat: "))
    return LintHit{"black", Finding::warning};
  if (line.starts_with("error: cannot format ")) return LintHit{"black", Finding::error};
  if (line.starts_with("All done! ") || line.starts_with("Oh no! ") || contains(line, " left unchanged") ||
      contains(line, " would be reformatted") || contains(line, " already formatted"))
    return LintHit{"black", Finding::clean};
  if (line.starts_with("ERROR: ") && contains(line, " Imports are incorrectly sorted"))
    return LintHit{"isort", Finding::error};
  if (eat(line, "Diff in ")) {
    // One a hunk: only the first of a file counts.
    const auto file = [](std::string_view s) {
      return s.substr(0, std::min(s.find(" at line "), s.find(".rs:")));
    };
    for (std::size_t k = i; k-- > 0 && k + 200 > i;)
      if (auto before = in.lines[k]; eat(before, "Diff in "))
        return LintHit{"rustfmt", file(before) == file(line) ? Finding::note : Finding::warning};
    return LintHit{"rustfmt", Finding::warning};
  }
  if (contains(in.command, "gofmt -l") || contains(in.command, "goimports -l"))
    if (line.ends_with(".go") && !contains(line, ": ")) return LintHit{"gofmt", Finding::warning};
  return std::nullopt;
}

}  // namespace hydra::parsers
