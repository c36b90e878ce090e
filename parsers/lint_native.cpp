// Compilers and what prints like them: gcc, clang, clang-tidy, cppcheck, javac, mypy, rustc, clippy, go vet,
// shellcheck.
#include "parsers/lint_registry.hpp"
#include "parsers/scan.hpp"

namespace hydra::parsers {
namespace {

/// The word before the message, in the languages that compilers speak.
std::optional<Finding> severity_of(std::string_view rest) {
  eat_blanks(rest);
  eat(rest, "- ");
  if (rest.starts_with("syntax error")) return Finding::error;  // ruby, php
  const auto colon = rest.substr(0, 64).find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  auto word = trim_end(rest.substr(0, colon));
  eat_end(word, "\xC2\xA0");
  if (const auto code = word.find('['); code != std::string_view::npos && word.starts_with("error"))
    word = word.substr(0, code);
  if (const auto code = word.find('['); code != std::string_view::npos && word.starts_with("warning"))
    word = word.substr(0, code);
  if (one_of(word, {"error",
                    "fatal error",
                    "Error",
                    "fatal",
                    "internal compiler error",
                    "Fehler",
                    "schwerwiegender Fehler",
                    "erreur",
                    "erreur fatale",
                    "errore",
                    "errore fatale",
                    "error fatal",
                    "erro",
                    "erro fatal",
                    "fout",
                    "fatale fout",
                    "ошибка",
                    "エラー",
                    "致命的エラー",
                    "错误",
                    "致命错误"}))
    return Finding::error;
  if (one_of(word, {"warning", "Warning", "style", "performance", "portability", "information", "info",
                    "remark", "Warnung", "attention", "avertissement", "avviso", "aviso", "advertencia",
                    "waarschuwing", "предупреждение", "警告"}))
    return Finding::warning;
  if (one_of(word,
             {"note", "Note", "help", "hint", "Anmerkung", "nota", "remarque", "замечание", "備考", "附注"}))
    return Finding::note;
  return std::nullopt;
}

std::string_view tool_of(const Located& place) {
  if (place.path.ends_with(".py") || place.path.ends_with(".pyi")) return "mypy";
  if (place.path.ends_with(".java")) return "javac";
  if (place.path.ends_with(".rs")) return "rustc";
  if (place.path.ends_with(".sh") || place.path.ends_with(".bash")) return "shellcheck";
  return "gcc";
}

bool linker_finding(std::string_view line) {
  return (contains(line, ": undefined reference to ") || contains(line, ": multiple definition of ") ||
          line.starts_with("ld.lld: error: undefined symbol: ") || contains(line, "duplicate symbol ")) &&
         !line.starts_with(' ');
}

bool go_package(std::string_view line) { return line.starts_with("# ") && line.size() > 2 && line[2] != ' '; }

}  // namespace

std::optional<LintHit> read_compiler(const Input& in, std::size_t i) {
  auto line = in.lines[i];
  if (linker_finding(line)) return LintHit{"gcc", Finding::error};
  if (line.starts_with("Success: no issues found")) return LintHit{"mypy", Finding::clean};
  if (line.starts_with("Found ") && contains(line, " in ") && contains(line, " file"))
    return LintHit{"", Finding::clean};
  eat(line, "  ");  // pyright
  const auto place = located(line);
  if (!place) return std::nullopt;
  const auto severity = severity_of(place->rest);
  if (!severity) return std::nullopt;
  auto tool = tool_of(*place);
  if (tool == "gcc" && line.ends_with(']') && contains(line, "[SC")) tool = "shellcheck";
  if (tool == "shellcheck" && *severity == Finding::note) return LintHit{tool, Finding::warning};
  return LintHit{tool, *severity};
}

/// "warning: message" counts where a place follows; the totals that look like it have none.
std::optional<LintHit> read_rust(const Input& in, std::size_t i) {
  auto line = in.lines[i];
  for (const std::string_view word :
       {"    Checking ", "   Compiling ", "    Finished ", "    Blocking ", "     Locking "})
    if (line.starts_with(word)) return LintHit{"rustc", Finding::clean};
  const bool error = line.starts_with("error: ") || line.starts_with("error[");
  const bool warning = line.starts_with("warning: ") || line.starts_with("warning[");
  if (!error && !warning) return std::nullopt;
  for (std::size_t k = i + 1; k < in.lines.size() && k <= i + 8; ++k) {
    auto next = in.lines[k];
    if (is_blank(next) || next.starts_with("warning") || next.starts_with("error")) break;
    eat_blanks(next);
    if (next.starts_with("--> ")) return LintHit{"rustc", error ? Finding::error : Finding::warning};
  }
  if (contains(line, " generated ") || contains(line, "could not compile ") ||
      contains(line, "aborting due to "))
    return LintHit{"rustc", Finding::clean};
  return std::nullopt;
}

/// No severity: every finding is an error. The path must be a Go file, the head may be "vet: ".
std::optional<LintHit> read_go(const Input& in, std::size_t i) {
  auto line = in.lines[i];
  if (go_package(line)) return LintHit{"go", Finding::clean};
  eat(line, "vet: ");
  if (const auto place = located(line); place && place->path.ends_with(".go") && place->rest.starts_with(' '))
    return LintHit{"go", Finding::error};
  return std::nullopt;
}

/// "   ^---^ SC2045 (error): message" under the source line.
std::optional<LintHit> read_shellcheck(const Input& in, std::size_t i) {
  auto line = in.lines[i];
  eat_blanks(line);
  if (!line.starts_with('^')) return std::nullopt;
  const auto code = line.find_first_not_of("^-");
  if (code == std::string_view::npos || !line.substr(code).starts_with(" SC")) return std::nullopt;
  line.remove_prefix(code + 3);
  if (!eat_number(line) || !eat(line, " (")) return std::nullopt;
  return LintHit{"shellcheck", line.starts_with("error)") ? Finding::error : Finding::warning};
}

}  // namespace hydra::parsers
