// parsers, inside: the pattern language of formats/*.toml for one line of a log (docs/toolchains.md).
// Matching is linear in the line: every field tries a bounded number of places.
#pragma once

#include "parsers/severity.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::parsers {

/// Counts of tests; absent: the pattern has no such figure, or its optional part did not match.
struct Figures {
  std::optional<std::int64_t> passed, failed, skipped, errors;
  std::optional<std::int64_t> total;  ///< all tests
  std::optional<std::int64_t> ran;    ///< all tests without the skipped ones
};

/// Values of a pattern's fields. The views live as long as the line. A linter's errors are `errors`.
struct Fields : Figures {
  std::string_view file, rule, message, name;
  std::int64_t line = 0, column = 0;
  std::optional<Severity> severity;
  std::optional<std::int64_t> warnings, findings;
};

class Pattern {
 public:
  /// tests: a blank matches one or more, trailing blanks are ignored, and a figure over 10^9 does not match.
  /// lint: a blank is one blank.
  enum class Of : std::uint8_t { tests, lint };

  struct Op {
    enum Kind : std::uint8_t {
      text,
      gap,       ///< blanks, at least one
      indent,    ///< blanks, if any
      figure,    ///< number, added to `to`
      line,      ///< number
      column,    ///< number
      number,    ///< number without a meaning
      decimal,   ///< number without a meaning, perhaps with decimals
      word,      ///< characters other than blanks
      counts,    ///< figures with their words in any order: "3 passed, 1 failed"
      severity,  ///< severity word
      letter,    ///< severity letter
      rule,
      plural,  ///< "s", "S", "(s)" or nothing
      any,     ///< any text
      file,
      message,
      name,      ///< test name with blanks; up to the last place where the rest matches
      optional,  ///< the next `size` operations are optional
    };
    Kind kind = text;
    std::uint8_t size = 0;
    std::optional<std::int64_t> Fields::*to = nullptr;
    std::string literal = {};
  };

  Pattern() = default;
  /// Returns nothing when `text` is no pattern; `problem` then says why.
  static std::optional<Pattern> compile(std::string_view text, Of of, std::string& problem);
  /// Fills `out` when the whole line matches; otherwise `out` is unspecified.
  bool match(std::string_view line, Fields& out) const;
  std::span<const Op> ops() const { return ops_; }

 private:
  std::vector<Op> ops_;
  Of of_ = Of::lint;
};

/// Changes `figures` only when the line matches.
bool match(const Pattern& pattern, std::string_view line, Figures& figures);
inline bool match(const Pattern& pattern, std::string_view line, Fields& out) {
  return pattern.match(line, out);
}

/// The text of a pattern as a template parameter.
template <std::size_t N>
struct PatternText {
  consteval PatternText(const char (&from)[N]) {  // NOLINT: meant to convert
    for (std::size_t i = 0; i < N; ++i) text[i] = from[i];
  }
  char text[N];
};
/// Aborts the program when `text` is no pattern.
Pattern compiled(std::string_view text, Pattern::Of of);
/// A pattern of a reader in C++, compiled once.
template <PatternText Text>
const Pattern& tests_line() {
  static const Pattern pattern = compiled(Text.text, Pattern::Of::tests);
  return pattern;
}
template <PatternText Text>
const Pattern& lint_line() {
  static const Pattern pattern = compiled(Text.text, Pattern::Of::lint);
  return pattern;
}

}  // namespace hydra::parsers
