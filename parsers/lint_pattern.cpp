#include "parsers/lint_pattern.hpp"

#include "base/strings.hpp"
#include "parsers/scan.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace hydra::parsers {
namespace {

struct PatternWord {
  std::string_view text;
  Severity severity;
};

constexpr auto N = Severity::note;

/// Longer words first where one begins another.
constexpr std::array kWords{
    PatternWord{"fatal error", E},
    PatternWord{"internal compiler error", E},
    PatternWord{"internal error", E},
    PatternWord{"parse error", E},
    PatternWord{"parser error", E},
    PatternWord{"syntax error", E},
    PatternWord{"validity error", E},
    PatternWord{"namespace error", E},
    PatternWord{"errors", E},
    PatternWord{"error", E},
    PatternWord{"err", E},
    PatternWord{"fatale fout", E},
    PatternWord{"fatal", E},
    PatternWord{"failure", E},
    PatternWord{"critical", E},
    PatternWord{"blocker", E},
    PatternWord{"major", E},
    PatternWord{"serious", E},
    PatternWord{"high", E},
    PatternWord{"emergency", E},
    PatternWord{"alert", E},
    PatternWord{"schwerwiegender Fehler", E},
    PatternWord{"Fehler", E},
    PatternWord{"interner Compiler-Fehler", E},
    PatternWord{"erreur fatale", E},
    PatternWord{"erreur", E},
    PatternWord{"errore fatale", E},
    PatternWord{"errore irreversibile", E},
    PatternWord{"errore", E},
    PatternWord{"error fatal", E},
    PatternWord{"erro fatal", E},
    PatternWord{"erro", E},
    PatternWord{"fout", E},
    PatternWord{"błąd krytyczny", E},
    PatternWord{"błąd", E},
    PatternWord{"фатальная ошибка", E},
    PatternWord{"ошибка", E},
    PatternWord{"致命的エラー", E},
    PatternWord{"エラー", E},
    PatternWord{"致命错误", E},
    PatternWord{"错误", E},
    PatternWord{"致命的錯誤", E},
    PatternWord{"錯誤", E},
    PatternWord{"오류", E},
    PatternWord{"hata", E},
    PatternWord{"fel", E},
    PatternWord{"chyba", E},
    PatternWord{"warnings", W},
    PatternWord{"warning", W},
    PatternWord{"warn", W},
    PatternWord{"informational", W},
    PatternWord{"information", W},
    PatternWord{"info", W},
    PatternWord{"style", W},
    PatternWord{"performance", W},
    PatternWord{"portability", W},
    PatternWord{"convention", W},
    PatternWord{"refactor", W},
    PatternWord{"suggestion", W},
    PatternWord{"suggest", W},
    PatternWord{"hint", W},
    PatternWord{"remark", W},
    PatternWord{"advice", W},
    PatternWord{"minor", W},
    PatternWord{"medium", W},
    PatternWord{"moderate", W},
    PatternWord{"low", W},
    PatternWord{"lint", W},
    PatternWord{"ignore", W},
    PatternWord{"message", W},
    PatternWord{"Warnung", W},
    PatternWord{"attention", W},
    PatternWord{"avertissement", W},
    PatternWord{"avviso", W},
    PatternWord{"attenzione", W},
    PatternWord{"aviso", W},
    PatternWord{"advertencia", W},
    PatternWord{"waarschuwing", W},
    PatternWord{"ostrzeżenie", W},
    PatternWord{"предупреждение", W},
    PatternWord{"警告", W},
    PatternWord{"경고", W},
    PatternWord{"uyarı", W},
    PatternWord{"varning", W},
    PatternWord{"varování", W},
    PatternWord{"notice", N},
    PatternWord{"note", N},
    PatternWord{"help", N},
    PatternWord{"Anmerkung", N},
    PatternWord{"Hinweis", N},
    PatternWord{"nota", N},
    PatternWord{"remarque", N},
    PatternWord{"opmerking", N},
    PatternWord{"замечание", N},
    PatternWord{"備考", N},
    PatternWord{"附注", N},
    PatternWord{"說明", N},
    PatternWord{"uwaga", N},
    PatternWord{"notering", N},
    PatternWord{"not", N},
};

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
bool letter(char c) { return lower(c) >= 'a' && lower(c) <= 'z'; }

bool starts_like(std::string_view s, std::string_view word) {
  if (s.size() < word.size()) return false;
  for (std::size_t i = 0; i < word.size(); ++i)
    if (lower(s[i]) != lower(word[i])) return false;
  return true;
}

bool rule_char(char c) {
  return letter(c) || is_digit(c) || contains("-_./@:#+*\\&,=", std::string_view(&c, 1)) ||
         static_cast<unsigned char>(c) >= 0x80;
}

bool run(std::string_view p, std::string_view s, Fields& out);

/// The literal text of a pattern before its next field; a blank field counts as one blank.
std::string_view literal(std::string_view p) {
  if (p.starts_with("%b")) return " ";
  return p.substr(0, p.find('%'));
}

/// Tries the places of the text that must follow, from the first (or the last) on, at most `tries` of them.
bool spread(std::string_view p, std::string_view s, Fields& out, std::string_view Fields::*field,
            bool from_end, int tries) {
  const auto next = literal(p);
  if (next.empty()) {
    // At the end of the pattern: everything; before another field: one word.
    const auto n = p.empty() ? s.size() : std::min(s.find_first_of(" \t"), s.size());
    if (n == 0 || !run(p, s.substr(n), out)) return false;
    if (field != nullptr) out.*field = trim_end(s.substr(0, n));
    return true;
  }
  const std::size_t least = field == nullptr ? 0 : 1;  // text that is not kept may be empty
  std::size_t at = from_end ? s.rfind(next) : s.find(next, least);
  for (; tries > 0 && at != std::string_view::npos && at >= least; --tries) {
    if (run(p, s.substr(at), out)) {
      if (field != nullptr) out.*field = trim_end(s.substr(0, at));
      return true;
    }
    if (from_end && at == 0) return false;
    at = from_end ? s.rfind(next, at - 1) : s.find(next, at + 1);
  }
  return false;
}

bool path(std::string_view p, std::string_view s, Fields& out) {
  if (s.empty() || s[0] == ' ' || s[0] == '\t' || s[0] == ':') return false;
  if (!spread(p, s.substr(0, 4096), out, &Fields::file, false, 6)) return false;
  // ".lua" of a pattern belongs to the path.
  std::size_t n = 0;
  while (p.starts_with('.') && n < p.size() && (n == 0 || letter(p[n]))) ++n;
  out.file = s.substr(0, out.file.size() + n);
  // A path has no line number of its own.
  const auto colon = out.file.find(':');
  return colon == std::string_view::npos || colon + 1 >= out.file.size() || !is_digit(out.file[colon + 1]);
}

bool rule(std::string_view p, std::string_view s, Fields& out) {
  std::size_t n = 0;
  while (n < s.size() && n < 200 && rule_char(s[n])) ++n;
  const auto next = literal(p);
  if (!next.empty() && rule_char(next[0])) {
    const auto at = s.substr(0, n).find(next[0], 1);
    if (at != std::string_view::npos) n = at;
  }
  if (n == 0 || !run(p, s.substr(n), out)) return false;
  out.rule = s.substr(0, n);
  return true;
}

bool number(char what, std::string_view p, std::string_view s, Fields& out) {
  const auto n = eat_number(s);
  if (!n || !run(p, s, out)) return false;
  const auto plus = [n](std::optional<std::int64_t>& to) { to = to.value_or(0) + *n; };
  if (what == 'l') out.line = *n;
  if (what == 'c') out.column = *n;
  if (what == 'e') plus(out.errors);
  if (what == 'w' || what == 'i') plus(out.warnings);
  if (what == 'a') plus(out.all);
  return true;
}

bool field(char what, std::string_view p, std::string_view s, Fields& out) {
  switch (what) {
    case 'f':
      return path(p, s, out);
    case 'l':
    case 'c':
    case 'n':
    case 'e':
    case 'w':
    case 'i':
    case 'a':
      return number(what, p, s, out);
    case 's': {
      const auto severity = eat_severity(s);
      if (!severity || !run(p, s, out)) return false;
      out.severity = severity;
      return true;
    }
    case 'S': {
      if (s.empty()) return false;
      const auto severity = severity_letter(s[0]);
      if (!severity || !run(p, s.substr(1), out)) return false;
      out.severity = severity;
      return true;
    }
    case 'r':
      return rule(p, s, out);
    case 'm':
      return spread(p, s, out, &Fields::message, true, 3);
    case 'b':
      return eat_blanks(s) > 0 && run(p, s, out);
    case 'o':
      eat_blanks(s);
      return run(p, s, out);
    case 'p':
      if (!eat(s, "(s)") && !eat(s, "s")) eat(s, "S");
      return run(p, s, out);
    case 'z':
      return p.empty() || spread(p, s, out, nullptr, false, 4);
    default:
      return false;
  }
}

bool run(std::string_view p, std::string_view s, Fields& out) {
  while (!p.empty()) {
    if (p[0] != '%') {
      if (s.empty() || s[0] != p[0]) return false;
      p.remove_prefix(1);
      s.remove_prefix(1);
    } else if (p[1] == '%') {
      if (!eat(s, "%")) return false;
      p.remove_prefix(2);
    } else {
      return field(p[1], p.substr(2), s, out);
    }
  }
  return s.empty();
}

}  // namespace

bool match_pattern(std::string_view pattern, std::string_view line, Fields& out) {
  return run(pattern, line, out);
}

std::optional<Severity> eat_severity(std::string_view& s) {
  // The words by their first byte.
  static const auto index = [] {
    std::array<std::vector<const PatternWord*>, 256> out;
    for (const auto& w : kWords) {
      const auto first = lower(w.text[0]);
      out[static_cast<unsigned char>(first)].push_back(&w);
    }
    return out;
  }();
  if (s.empty()) return std::nullopt;
  for (const auto* w : index[static_cast<unsigned char>(lower(s[0]))]) {
    if (!starts_like(s, w->text)) continue;
    const bool ascii = static_cast<unsigned char>(w->text.back()) < 0x80;
    if (ascii && s.size() > w->text.size() && (letter(s[w->text.size()]) || s[w->text.size()] == '_'))
      continue;
    s.remove_prefix(w->text.size());
    return w->severity;
  }
  return std::nullopt;
}

std::optional<Severity> severity_named(std::string_view word) {
  const auto s = eat_severity(word);
  return word.empty() ? s : std::nullopt;
}

std::optional<Severity> severity_letter(char c) {
  if (c == 'E' || c == 'F') return E;
  if (contains("WCRINSDB", std::string_view(&c, 1))) return W;
  return std::nullopt;
}

}  // namespace hydra::parsers
