// source, inside only: a test file as tokens, and edits of its text.
#pragma once

#include "source/tokens.hpp"
#include "source/twin_words.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::source::tokens {

/// Tokens [from, to).
struct Span {
  std::size_t from = 0, to = 0;
};

/// Collects edits of a token list. Text and tokens must outlive the object.
class TokenEdits {
 public:
  using Text = std::string_view;
  TokenEdits(Text path, Text text, const std::vector<Token>& tokens, std::uint64_t seed)
      : text_(text), tokens_(tokens), seed_(seed), family_(family_of(path)) {}

  struct Edit {
    std::size_t begin = 0, end = 0;
    std::string with;
  };

  [[nodiscard]] Text of(std::size_t i) const {
    return i < tokens_.size() ? text_.substr(tokens_[i].begin, tokens_[i].end - tokens_[i].begin) : Text();
  }
  [[nodiscard]] bool is_word(std::size_t i) const {
    return i < tokens_.size() && tokens_[i].kind == TokenKind::word;
  }
  static bool opens(Text own) { return own == "(" || own == "[" || own == "{"; }
  static bool closes(Text own) { return own == ")" || own == "]" || own == "}"; }
  /// Returns the matching closing bracket, or the end.
  [[nodiscard]] std::size_t partner(std::size_t i) const {
    int depth = 0;
    for (; i < tokens_.size(); ++i) {
      if (opens(of(i))) ++depth;
      if (closes(of(i)) && --depth == 0) return i;
    }
    return i;
  }
  [[nodiscard]] std::size_t next_of(std::size_t i, Text one, Text other) const {
    for (; i < tokens_.size() && of(i) != one && of(i) != other; ++i)
      if (opens(of(i))) i = partner(i);
    return i;
  }
  // Whether a line ends between this token and the previous one, outside of brackets.
  [[nodiscard]] bool begins_line(std::size_t i) const {
    if (i == 0) return true;
    const auto between = text_.substr(tokens_[i - 1].end, tokens_[i].begin - tokens_[i - 1].end);
    return between.find('\n') != Text::npos && between.find('\\') == Text::npos;
  }
  [[nodiscard]] std::size_t end_of_line(std::size_t i) const {
    for (++i; i < tokens_.size() && !begins_line(i); ++i)
      if (opens(of(i))) i = std::min(partner(i), tokens_.size() - 1);
    return i;
  }

  void replace(std::size_t i, Text with) {
    edits_.push_back({tokens_[i].begin, tokens_[i].end, std::string(with)});
  }
  void insert(std::size_t at, Text what) { edits_.push_back({at, at, std::string(what)}); }
  void surround(Span span, Text before, Text after) {
    insert(tokens_[span.from].begin, before);
    insert(tokens_[span.to - 1].end, after);
  }
  [[nodiscard]] std::uint64_t draw(std::size_t i) const {
    auto x = (seed_ + i * 31 + 7) * 0x9e3779b97f4a7c15ull;
    return (x ^ (x >> 29)) * 0xbf58476d1ce4e5b9ull >> 17;
  }

  Text text_;
  const std::vector<Token>& tokens_;
  std::uint64_t seed_;
  Family family_;
  std::vector<Edit> edits_;
  int found_ = 0;  ///< number of assertions
};

}  // namespace hydra::source::tokens
