#include "parsers/severity.hpp"

#include "parsers/formats.hpp"
#include "parsers/scan.hpp"

#include <array>
#include <vector>

namespace hydra::parsers {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool starts_like(std::string_view s, std::string_view word) {
  if (s.size() < word.size()) return false;
  for (std::size_t i = 0; i < word.size(); ++i)
    if (lower(s[i]) != lower(word[i])) return false;
  return true;
}

}  // namespace

std::optional<Severity> eat_severity(std::string_view& s) {
  // Words by their first byte.
  static const auto index = [] {
    std::array<std::vector<const SeverityWord*>, 256> out;
    for (const auto& w : lint_data().severities)
      out[static_cast<unsigned char>(lower(w.text[0]))].push_back(&w);
    return out;
  }();
  if (s.empty()) return std::nullopt;
  for (const auto* w : index[static_cast<unsigned char>(lower(s[0]))]) {
    if (!starts_like(s, w->text)) continue;
    const bool ascii = static_cast<unsigned char>(w->text.back()) < 0x80;
    if (ascii && s.size() > w->text.size() && (is_letter(s[w->text.size()]) || s[w->text.size()] == '_'))
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

Severity severity_of_code(std::string_view rule) {
  return rule.size() > 1 && (rule[0] == 'E' || rule[0] == 'F') && is_digit(rule[1]) ? E : W;
}

}  // namespace hydra::parsers
