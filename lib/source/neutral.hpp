// source: a source file without its text for people: a test that notices the difference reads text, not
// behaviour (docs/selection.md, "Tests that read text"). Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace hydra::source {

struct NeutralCopy {
  std::string text;
  bool prose = false;  ///< a comment or documentation is gone; else only blanks differ
};

/// Returns the text without comments that no tool obeys, with more blanks between its words and, if
/// `documentation`, with empty documentation strings of functions without a decorator. Line numbers stay.
/// Nullopt: nothing differs, or scan() refuses the text (tokens.hpp).
std::optional<NeutralCopy> neutral_copy(std::string_view path, std::string_view text, bool documentation);

}  // namespace hydra::source
