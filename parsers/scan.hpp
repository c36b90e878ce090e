// parsers, inside: small scanners over one line of text. No regular expressions: every scan is linear and
// bounded.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

namespace hydra::parsers {

/// Drops `prefix` from the begin of `s`; false, and `s` unchanged, without it.
bool eat(std::string_view& s, std::string_view prefix);
bool eat_end(std::string_view& s, std::string_view suffix);
/// Drops leading blanks and tabs; returns their number.
std::size_t eat_blanks(std::string_view& s);
std::string_view trim_end(std::string_view s);
/// Drops a decimal number of at most 15 digits.
std::optional<std::int64_t> eat_number(std::string_view& s);
/// Returns the number at the begin of `s`, or 0.
std::int64_t leading_number(std::string_view s);
/// Drops a number like 0.12 or 3.
bool eat_decimal(std::string_view& s);
bool contains(std::string_view s, std::string_view part);
bool is_blank(std::string_view s);
bool is_digit(char c);
bool is_upper(char c);
bool is_letter(char c);
bool begins_with_any(std::string_view s, std::initializer_list<std::string_view> texts);
bool one_of(std::string_view s, std::initializer_list<std::string_view> words);
/// Returns whether `s` consists of `c` only, at least `least` times.
bool only(std::string_view s, char c, std::size_t least);
/// Returns `s` without a duration at its end: " (12 ms)", " (1.2s)", " 3ms", " [1.20s]".
std::string_view without_duration(std::string_view s);

/// "3 failed, 1 skipped" -> {3, "failed"}, {1, "skipped"}. Nothing if any part is not a count and its words.
struct Count {
  std::int64_t n = 0;
  std::string_view what;
};
std::optional<std::vector<Count>> counts_of(std::string_view s, std::string_view separator);
/// "failures=1, errors=2" -> {1, "failures"}, {2, "errors"}; `sign` stands between name and number.
std::optional<std::vector<Count>> assignments_of(std::string_view s, std::string_view sign = "=");
/// Returns the sum of the counts whose word is in `words`.
std::int64_t sum_of(const std::vector<Count>& counts, std::initializer_list<std::string_view> words);

}  // namespace hydra::parsers
