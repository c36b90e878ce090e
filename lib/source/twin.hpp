// source: makes the twin of a test file, with other expected values: code that passes both ignores the
// assertions (docs/integrity.md, "Twins"). A twin may be incomplete or not build. Pure, seeded.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace hydra::source {

struct Twin {
  std::string text;             ///< new text of the file; line numbers stay
  std::string framed;           ///< the same with the expected values of the file
  int assertions = 0;           ///< number of changed assertions
  std::set<std::string> tests;  ///< names of the functions or titles around the assertions, as far as known
};

/// Returns nullopt for an unknown language or text that scan() refuses (tokens.hpp).
std::optional<Twin> twin(std::string_view path, std::string_view text, std::uint64_t seed);

inline constexpr std::size_t kMostTwinBytes = 1u << 20;  ///< largest test file for which a twin is made

/// Returns the same tests with other names and line numbers, so the file has another digest; nullopt as for
/// twin(). Names in the commands `asked_for` stay, since the commands choose tests by name.
std::optional<std::string> moved_copy(std::string_view path, std::string_view text, std::uint64_t seed,
                                      std::string_view asked_for = {});
/// Returns the original name of a test in a moved copy.
std::string plain_name(std::string_view name, std::uint64_t seed);

}  // namespace hydra::source
