// parsers, inside: a small pattern of literal text and figures, for the summary lines of test runners. A
// pattern is matched once from left to right without going back: time is linear in the line.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace hydra::parsers {

/// What the placeholders of a pattern held; absent: the pattern has no such figure, or its optional part was
/// not there.
struct Figures {
  std::optional<std::int64_t> passed, failed, skipped, errors;
  std::optional<std::int64_t> total;      ///< all tests
  std::optional<std::int64_t> ran;        ///< all tests without the skipped ones
  std::optional<std::int64_t> remaining;  ///< tests that the runner knows and did not get to
};

/// Matches one line from its begin to its end (blanks at the end are ignored). In a pattern
///   " "   is one or more blanks or tabs,
///   %p %f %s %e %t %r %u add a number to passed, failed, skipped, errors, total, ran, remaining,
///   %n    is a number that means nothing, %d one that may have decimals,
///   %w    is a run of characters that are no blanks, %* the rest of the line,
///   %%    is a percent sign,
///   {…}   is optional,
/// and any other character is itself.
bool match(std::string_view pattern, std::string_view line, Figures& figures);

}  // namespace hydra::parsers
