// parsers, inside: what the words and letters of linters weigh. The words stand in formats/common.toml.
#pragma once

#include <optional>
#include <string_view>

namespace hydra::parsers {

enum class Severity { error, warning, note };  ///< note: belongs to another finding, counts nothing

inline constexpr auto E = Severity::error, W = Severity::warning;

/// "error", "fatal error", "Warnung", … at the begin of `s`, dropped with what it says; any case for ASCII.
std::optional<Severity> eat_severity(std::string_view& s);
/// The whole word as a severity: "major", "INFO", "convention".
std::optional<Severity> severity_named(std::string_view word);
/// E, F: error; the other letters that linters use: warning.
std::optional<Severity> severity_letter(char c);

/// Of a rule by its code: E or F and a digit are errors, everything else is a warning.
Severity severity_of_code(std::string_view rule);

}  // namespace hydra::parsers
