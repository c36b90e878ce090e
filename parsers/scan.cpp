#include "parsers/scan.hpp"

#include <algorithm>
#include <cstring>

namespace hydra::parsers {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
// memmem: std::string_view::find compares at every occurrence of the first character, mostly a blank.
bool contains(std::string_view s, std::string_view part) {
  // An empty view may have a null address, which memmem() does not allow.
  if (part.size() > s.size()) return false;
  return part.empty() || ::memmem(s.data(), s.size(), part.data(), part.size()) != nullptr;
}
bool is_blank(std::string_view s) { return s.find_first_not_of(" \t") == std::string_view::npos; }

bool eat(std::string_view& s, std::string_view prefix) {
  if (!s.starts_with(prefix)) return false;
  s.remove_prefix(prefix.size());
  return true;
}

bool eat_end(std::string_view& s, std::string_view suffix) {
  if (!s.ends_with(suffix)) return false;
  s.remove_suffix(suffix.size());
  return true;
}

std::size_t eat_blanks(std::string_view& s) {
  const auto n = std::min(s.find_first_not_of(" \t"), s.size());
  s.remove_prefix(n);
  return n;
}

std::string_view trim_end(std::string_view s) {
  while (!s.empty() && (s.back() == ' ' || s.back() == '\t')) s.remove_suffix(1);
  return s;
}

std::optional<std::int64_t> eat_number(std::string_view& s) {
  std::size_t n = 0;
  std::int64_t value = 0;
  while (n < s.size() && is_digit(s[n])) {
    if (n == 15) return std::nullopt;
    value = value * 10 + (s[n] - '0');
    ++n;
  }
  if (n == 0) return std::nullopt;
  s.remove_prefix(n);
  return value;
}

std::int64_t leading_number(std::string_view s) { return eat_number(s).value_or(0); }

bool eat_decimal(std::string_view& s) {
  if (!eat_number(s)) return false;
  if (s.size() > 1 && s[0] == '.' && is_digit(s[1])) {
    s.remove_prefix(1);
    while (!s.empty() && is_digit(s[0])) s.remove_prefix(1);
  }
  return true;
}

bool begins_with_any(std::string_view s, std::initializer_list<std::string_view> texts) {
  return std::any_of(texts.begin(), texts.end(), [s](std::string_view text) { return s.starts_with(text); });
}

bool one_of(std::string_view s, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), s) != words.end();
}

bool only(std::string_view s, char c, std::size_t least) {
  return s.size() >= least && s.find_first_not_of(c) == std::string_view::npos;
}

std::string_view without_duration(std::string_view s) {
  s = trim_end(s);
  auto rest = s;
  const bool round = eat_end(rest, ")");
  const bool square = !round && eat_end(rest, "]");
  if (!eat_end(rest, "ms") && !eat_end(rest, "s")) return s;
  rest = trim_end(rest);
  const auto digits = rest.find_last_not_of("0123456789.");
  if (digits == std::string_view::npos || digits + 1 == rest.size()) return s;
  rest = rest.substr(0, digits + 1);
  if (round && !eat_end(rest, "(")) return s;
  if (square && !eat_end(rest, "[")) return s;
  return rest.ends_with(' ') ? trim_end(rest) : s;
}

std::optional<std::vector<Count>> counts_of(std::string_view s, std::string_view separator) {
  std::vector<Count> out;
  while (true) {
    const auto end = s.find(separator);
    auto part = s.substr(0, end);
    eat_blanks(part);
    part = trim_end(part);
    const auto n = eat_number(part);
    if (!n || eat_blanks(part) == 0 || part.empty() || is_digit(part[0])) return std::nullopt;
    out.push_back({*n, part});
    if (end == std::string_view::npos) return out;
    s.remove_prefix(end + separator.size());
  }
}

std::optional<std::vector<Count>> assignments_of(std::string_view s, std::string_view sign) {
  std::vector<Count> out;
  while (true) {
    const auto end = s.find(", ");
    const auto part = s.substr(0, end);
    const auto equals = part.find(sign);
    if (equals == std::string_view::npos) return std::nullopt;
    auto digits = part.substr(equals + sign.size());
    const auto n = eat_number(digits);
    if (!n || !digits.empty()) return std::nullopt;
    out.push_back({*n, part.substr(0, equals)});
    if (end == std::string_view::npos) return out;
    s.remove_prefix(end + 2);
  }
}

std::int64_t sum_of(const std::vector<Count>& counts, std::initializer_list<std::string_view> words) {
  std::int64_t sum = 0;
  for (const auto& c : counts)
    if (one_of(c.what, words)) sum += c.n;
  return sum;
}

}  // namespace hydra::parsers
