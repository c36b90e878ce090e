#include "source/twin_words.hpp"

#include "base/strings.hpp"
#include "source/twin_table.hpp"

#include <cctype>

namespace hydra::source::tokens {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Returns a smaller number if possible, since a larger one may not fit its type.
std::string other_number(std::string_view literal, std::uint64_t draw) {
  std::string out(literal);
  if (out.size() > 2 && out[0] == '0' &&
      std::isalpha(static_cast<unsigned char>(out[1])) != 0) {  // 0x, 0b, 0o
    const bool binary = out[1] == 'b' || out[1] == 'B';
    out.back() = out.back() != '1' ? '1' : binary ? '0' : '2';
    return out;
  }
  std::size_t digits = 0;
  while (digits < out.size() && is_digit(out[digits])) ++digits;
  auto& last = out[digits - 1];
  const auto below = [&](char c) { return static_cast<char>('0' + draw % static_cast<unsigned>(c - '0')); };
  if (last != '0')
    last = below(last);
  else if (digits == 1)
    last = static_cast<char>('1' + draw % 9);
  else
    out[0] = out[0] == '1' ? '2' : static_cast<char>('1' + draw % static_cast<unsigned>(out[0] - '1'));
  return out;
}

std::optional<std::string> other_text(Family family, std::string_view literal, std::uint64_t draw) {
  if (literal.size() < 2) return std::nullopt;
  const auto open = literal.find_first_of("\"'`/");
  if (open == std::string_view::npos) return std::nullopt;
  const char quote = literal[open];
  const bool code_inside = family == Family::shell || family == Family::perl;
  if (code_inside &&
      (quote == '`' || (quote == '"' && literal.find_first_of("$@`") != std::string_view::npos)))
    return std::nullopt;
  const char letter = static_cast<char>('a' + draw % 26);
  const bool one_character =
      quote == '\'' && (family == Family::c || family == Family::go || family == Family::rust);
  std::string out(literal);
  if (one_character) {
    if (literal.size() != 3) return std::nullopt;
    out[1] = out[1] == letter ? (letter == 'a' ? 'b' : 'a') : letter;
    return out;
  }
  auto at = open + 1;
  if (literal.size() >= 6 && literal[open + 1] == quote && literal[open + 2] == quote) at = open + 3;
  if (family == Family::c && literal.front() == 'R') at = literal.find('(') + 1;
  out.insert(at, 1, letter);
  return out;
}

}  // namespace

Family family_of(std::string_view path) {
  const auto name = base_name(path);
  const auto dot = name.rfind('.');
  const auto extension = dot == std::string_view::npos ? std::string_view() : name.substr(dot);
  struct Row {
    std::string_view extensions;
    Family family;
  };
  static constexpr Row kRows[] = {{" .py .pyi ", Family::python},
                                  {" .js .mjs .cjs .jsx .ts .mts .cts .tsx ", Family::script},
                                  {" .go ", Family::go},
                                  {" .rs ", Family::rust},
                                  {" .c .h .cc .cpp .cxx .c++ .hh .hpp .hxx .inl ", Family::c},
                                  {" .pl .pm .t ", Family::perl},
                                  {" .sh .bash .bats ", Family::shell}};
  for (const auto& row : kRows)
    if (among(row.extensions, extension)) return row.family;
  return Family::other;
}

std::optional<std::string> other_literal(Family family, TokenKind kind, std::string_view literal,
                                         std::uint64_t draw) {
  if (kind == TokenKind::number) return other_number(literal, draw);
  if (kind == TokenKind::text) return other_text(family, literal, draw);
  if (literal == "true") return "false";
  if (literal == "false") return "true";
  if (literal == "True") return "False";
  if (literal == "False") return "True";
  return std::nullopt;
}

std::string drawn_word(std::uint64_t seed, std::string_view text) {
  constexpr std::uint64_t kPrime = 0x100000001b3, kOdd = 0x9e3779b97f4a7c15;
  auto x = (seed + 1) * kOdd;
  for (const char c : text) x = (x ^ static_cast<unsigned char>(c)) * kPrime;
  std::string word;
  for (auto left = 4 + seed % 4; left > 0; --left) {
    x = (x ^ (x >> 29)) * kOdd;
    word += static_cast<char>('a' + (x >> 33) % 26);
  }
  return word;
}

bool among(std::string_view list, std::string_view word) {
  return !word.empty() && list.find(" " + std::string(word) + " ") != std::string_view::npos;
}

std::string_view opposite_of(std::string_view name) {
  for (const auto& pair : kOpposites) {
    if (pair.one == name) return pair.other;
    if (pair.other == name) return pair.one;
  }
  return {};
}

}  // namespace hydra::source::tokens
