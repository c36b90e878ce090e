// source, inside only: language facts for twin.cpp, and replacement of a literal. Every function is pure.
#pragma once

#include "source/tokens.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hydra::source::tokens {

enum class Family { python, script, go, rust, c, perl, shell, other };
Family family_of(std::string_view path);

/// Whether values of different types can be compared, so that any value can replace an expected one.
inline bool is_dynamic(Family family) { return family == Family::python || family == Family::script; }

/// Returns a different number, boolean or string of the same type, no larger; nullopt: no literal, or an
/// interpolated one. `draw` selects the value.
std::optional<std::string> other_literal(Family family, TokenKind kind, std::string_view literal,
                                         std::uint64_t draw);

/// Returns small letters drawn for this text, of a length that the seed decides.
std::string drawn_word(std::uint64_t seed, std::string_view text);

/// Whether `word` is in a list with blanks between and around.
bool among(std::string_view list, std::string_view word);
/// Returns the assertion with the opposite meaning; empty: unknown.
std::string_view opposite_of(std::string_view name);

}  // namespace hydra::source::tokens
