// parsers, inside: one-line patterns in the manner of errorformat, for tables of linters. Matching is linear
// in the line times a small constant: every field tries a bounded number of places.
//
//   %f path   %l line   %c column   %s severity word   %S severity letter   %r rule   %m message
//   %e errors   %w warnings   %i further warnings   %a all findings   %n any number
//   %b blanks, at least one   %o blanks, if any   %p a plural's end, if any   %z whatever follows   %%
//   percent
#pragma once

#include "parsers/lint_reading.hpp"

#include <optional>
#include <string_view>

namespace hydra::parsers {

struct Fields {
  std::string_view file, rule, message;
  std::int64_t line = 0, column = 0;
  std::optional<Severity> severity;
  std::optional<std::int64_t> errors, warnings, all;
};

/// Fills `out` where `pattern` matches the whole line; otherwise `out` is left in any state.
bool match_pattern(std::string_view pattern, std::string_view line, Fields& out);

/// "error", "fatal error", "Warnung", … at the begin of `s`, dropped with what it says; any case for ASCII.
std::optional<Severity> eat_severity(std::string_view& s);
/// The whole word as a severity: "major", "INFO", "convention".
std::optional<Severity> severity_named(std::string_view word);
/// E, F: error; the other letters that linters use: warning.
std::optional<Severity> severity_letter(char c);

}  // namespace hydra::parsers
