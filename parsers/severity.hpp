// parsers, inside: severities of linters' words and letters. formats/common.toml lists the words.
#pragma once

#include <optional>
#include <string_view>

namespace hydra::parsers {

enum class Severity { error, warning, note };  ///< note: part of another finding, does not count

inline constexpr auto E = Severity::error, W = Severity::warning;

/// Drops a severity word at the begin of `s` ("error", "fatal error", "Warnung", …) and returns its severity;
/// ignores ASCII case.
std::optional<Severity> eat_severity(std::string_view& s);
/// Returns the severity of the whole word: "major", "INFO", "convention".
std::optional<Severity> severity_named(std::string_view word);
/// E, F: error; the other letters that linters use: warning.
std::optional<Severity> severity_letter(char c);

/// Returns the severity of a rule's code: E or F and a digit are errors, all others warnings.
Severity severity_of_code(std::string_view rule);

}  // namespace hydra::parsers
