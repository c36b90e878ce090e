// source, inside only: how one assertion of a test is heard although others of the same test fail. In a twin
// each but the last of a test stands in a frame that swallows its failure, and leaves the test where it
// holds: so a test passes as soon as one of its assertions does not listen. Pure.
#pragma once

#include "source/tokens.hpp"
#include "source/twin_words.hpp"

#include <string_view>
#include <vector>

namespace hydra::source::tokens {

/// Tokens [from, to) of an assertion that is a statement of its own; of a branch that complains its head.
struct Statement {
  std::size_t from = 0, to = 0;
  std::size_t block = 0, block_end = 0;  ///< of a branch: where its body begins; Go: its "{" and "}"
  bool clear = false;                    ///< changed so that it can't hold both ways
};

/// What stands before and behind it; of a branch, inside of its block.
struct Frame {
  std::size_t begin = 0, end = 0;  ///< bytes of the text where the two go
  std::string_view before, after;
  std::size_t dropped = 0;  ///< bytes behind `begin` that go: the name of the assertion
};

/// Frames where the language has such, a bare `return` would leave a function there, and the last assertion
/// of that function stands in no branch or loop of it, so that it is come to.
std::vector<Frame> frames_of(Family family, std::string_view text, const std::vector<Token>& tokens,
                             const std::vector<Statement>& statements);
/// What a file with frames has before its first line; it ends with a line that keeps the numbers.
std::string_view prelude_of(Family family, std::string_view text);

}  // namespace hydra::source::tokens
