// source: a test file with other expected values, its twin: what passes both does not listen to its answer
// (docs/integrity.md, "Twins"). By tokens, without a parser: a twin may change too little, or not build, so
// only what is seen to fail elsewhere counts. Pure: the same seed gives the same text.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace hydra::source {

struct Twin {
  std::string text;             ///< the whole new text; lines keep their numbers
  int assertions = 0;           ///< that expect something else now
  std::set<std::string> tests;  ///< names of the functions, or titles, in which they stand; as far as told
};

/// Nothing where the language of `path` is not known, or the text can't be read to its end (tokens.hpp).
std::optional<Twin> twin(std::string_view path, std::string_view text, std::uint64_t seed);

inline constexpr std::size_t kMostTwinBytes = 1u << 20;  ///< of a test file; above it, nothing is made

/// The same tests under other names and at other lines, in a file of another digest. Nothing: as for twin().
/// Names in `asked_for`, commands that choose tests, stay.
std::optional<std::string> moved_copy(std::string_view path, std::string_view text, std::uint64_t seed,
                                      std::string_view asked_for = {});
/// The name that a test has in the plain file, of one in its moved copy.
std::string plain_name(std::string_view name, std::uint64_t seed);

}  // namespace hydra::source
