// source: splits source text into tokens by a table of languages. Tokens suffice to tell code from comments
// and strings and to change one token; no parser. Pure.
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
  text,    ///< string with its quotes, except documentation
  sign,    ///< one character, or an operator: "==", "&&"
};

struct Token {
  TokenKind kind = TokenKind::word;
  std::size_t begin = 0, end = 0;  ///< byte offsets in the text
  int line = 1;                    ///< line of `begin`, from 1
};

/// Text for people: a comment that no tool obeys, or documentation in the form of a string.
struct Prose {
  std::size_t begin = 0, end = 0;  ///< byte offsets in the text
  bool string = false;
};

struct Scan {
  std::string normal;  ///< equal for texts that differ only in comments, white space and documentation
  std::vector<Token> tokens;
  std::vector<Prose> prose;
};

/// Returns nullopt for an unknown language, an unterminated string or comment, or unsupported syntax
/// (here-documents). Comments that tools obey ("//go:build", "# type:") are part of the normal form.
std::optional<Scan> scan(std::string_view path, std::string_view text);

/// Whether the file's name says code in a known language; settings, web pages and style sheets are not code.
bool is_code(std::string_view path);

}  // namespace hydra::source
