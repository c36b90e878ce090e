// source, inside only: what twin.cpp must know of a language, and how one literal becomes another. Pure.
#pragma once

#include "source/tokens.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hydra::source::tokens {

enum class Family { python, script, go, rust, c, perl, shell, other };
Family family_of(std::string_view path);

/// Values may be compared with those of any other type: anything can stand in the place of an expected one.
inline bool is_dynamic(Family family) { return family == Family::python || family == Family::script; }

/// Another number, word of truth or string in the place of this one, of the same type and no larger; nothing:
/// it is no literal, or code stands in it. `draw`: which other one.
std::optional<std::string> other_literal(Family family, TokenKind kind, std::string_view literal,
                                         std::uint64_t draw);

/// A word of a list with blanks between and around.
bool among(std::string_view list, std::string_view word);
/// The assertion that is true where this one is false; empty: none is known.
std::string_view opposite_of(std::string_view name);

}  // namespace hydra::source::tokens
