// source: source text as tokens, by one table of languages. Good enough to tell code from comments and
// strings, and to change one token; no parser. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::source {

enum class TokenKind {
  word,
  number,  ///< begins with a digit
  text,    ///< a string, with its quotes; no documentation string
  sign,    ///< one character, or operators that stand together: "==", "&&"
};

struct Token {
  TokenKind kind = TokenKind::word;
  std::size_t begin = 0, end = 0;  ///< bytes of the text
  int line = 1;                    ///< of its begin, from 1
};

struct Scan {
  std::string normal;  ///< equal for texts that differ by comments, white space and documentation only
  std::vector<Token> tokens;
};

/// Nothing where the language of `path` is not known, a string or comment has no end, or the text holds what
/// the table does not read (here-documents). Comments that tools obey ("//go:build", "# type:") are part of
/// the normal form.
std::optional<Scan> scan(std::string_view path, std::string_view text);

/// Whether a file of this name is code in a language that the table has; settings, pages and styles are none.
bool is_code(std::string_view path);

}  // namespace hydra::source
