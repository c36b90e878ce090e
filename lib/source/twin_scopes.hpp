// source, inside only: frames around assertions of a twin. A frame swallows a failure and leaves the test on
// success, so the test passes once any assertion ignores its value. Pure.
#pragma once

#include "source/tokens.hpp"
#include "source/twin_words.hpp"

#include <string_view>
#include <vector>

namespace hydra::source::tokens {

/// Tokens [from, to) of an assertion statement; for a failing branch: of its head.
struct Statement {
  std::size_t from = 0, to = 0;
  std::size_t block = 0, block_end = 0;  ///< body of a branch; for Go its "{" and "}"
  bool clear = false;                    ///< whether the changed assertion cannot hold in both files
};

/// Text before and after a statement; for a branch: inside its block.
struct Frame {
  std::size_t begin = 0, end = 0;  ///< byte offsets of the insertions
  std::string_view before, after;
  std::size_t dropped = 0;  ///< bytes removed after `begin`: the assertion's name
};

/// Returns frames for languages that have them, in functions that a bare `return` can leave and whose last
/// assertion is always reached (in no branch or loop).
std::vector<Frame> frames_of(Family family, std::string_view text, const std::vector<Token>& tokens,
                             const std::vector<Statement>& statements);
/// Returns the text before the first line of a file with frames; its last line restores the line numbers.
std::string_view prelude_of(Family family, std::string_view text);

}  // namespace hydra::source::tokens
