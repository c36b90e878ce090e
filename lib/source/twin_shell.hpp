// source, inside only: assertions in shell scripts, which have no assertion syntax.
#pragma once

#include "source/token_edits.hpp"

namespace hydra::source::tokens {

class ShellTwins {
 public:
  /// `bats`: every failing command fails the test.
  ShellTwins(TokenEdits& file, bool bats) : file_(file), bats_(bats) {}
  /// Inverts the assertion that begins at token `i`, if any; returns the next token to read.
  std::size_t step(std::size_t i);

 private:
  [[nodiscard]] std::size_t line_of(std::size_t i) const;
  bool literal(std::size_t i);
  void compare(Span span);

  TokenEdits& file_;
  bool bats_;
};

}  // namespace hydra::source::tokens
