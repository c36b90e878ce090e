// parsers, inside: the pattern language of formats/*.toml, for one line of a log. docs/parsers.md describes
// it. Matching is linear in the line times a small constant: every field tries a bounded number of places.
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

/// Counts of tests; absent: the pattern has no such figure, or its optional part was not there.
struct Figures {
  std::optional<std::int64_t> passed, failed, skipped, errors;
  std::optional<std::int64_t> total;  ///< all tests
  std::optional<std::int64_t> ran;    ///< all tests without the skipped ones
};

/// What the fields of a pattern held. The views live as long as the line. A linter's errors are `errors`.
struct Fields : Figures {
  std::string_view file, rule, message, name;
  std::int64_t line = 0, column = 0;
  std::optional<Severity> severity;
  std::optional<std::int64_t> warnings, findings;
};

class Pattern {
 public:
  /// In lines of test runners a blank stands for one or more, blanks at the end are ignored, and figures over
  /// a thousand million are none; in those of linters a blank is one blank.
  enum class Of : std::uint8_t { tests, lint };

  struct Op {
    enum Kind : std::uint8_t {
      text,
      gap,       ///< blanks, at least one
      indent,    ///< blanks, if any
      figure,    ///< added to `to`
      line,      ///< a number
      column,    ///< a number
      number,    ///< one that means nothing
      decimal,   ///< the same, and it may have decimals
      word,      ///< no blanks
      counts,    ///< "3 passed, 1 failed": figures with their words, in any order
      severity,  ///< a word
      letter,    ///< a severity's
      rule,
      plural,  ///< "s", "S" or "(s)", if it is there
      any,     ///< whatever follows
      file,
      message,
      name,      ///< a test's, blanks and all; up to the last place where what follows matches
      optional,  ///< the `size` operations behind it
    };
    Kind kind = text;
    std::uint8_t size = 0;
    std::optional<std::int64_t> Fields::*to = nullptr;
    std::string literal = {};
  };

  Pattern() = default;
  /// Nothing where `text` is no pattern; `problem` says why then.
  static std::optional<Pattern> compile(std::string_view text, Of of, std::string& problem);
  /// Fills `out` where the whole line matches; otherwise `out` is left in any state.
  bool match(std::string_view line, Fields& out) const;
  std::span<const Op> ops() const { return ops_; }

 private:
  std::vector<Op> ops_;
  Of of_ = Of::lint;
};

/// `figures` is changed only where the line matches.
bool match(const Pattern& pattern, std::string_view line, Figures& figures);
inline bool match(const Pattern& pattern, std::string_view line, Fields& out) {
  return pattern.match(line, out);
}

/// The text of a pattern as a parameter of a template.
template <std::size_t N>
struct PatternText {
  consteval PatternText(const char (&from)[N]) {  // NOLINT: meant to convert
    for (std::size_t i = 0; i < N; ++i) text[i] = from[i];
  }
  char text[N];
};
/// Ends the program where `text` is no pattern.
Pattern compiled(std::string_view text, Pattern::Of of);
/// A pattern that a reader in C++ uses, compiled once.
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
