// checks: which words the base's files hold, kept small: whether one is among them, and nothing of where.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::checks {

/// A letter, a digit or an underscore: what words are made of. Everything else parts them.
bool word_character(char c);

class BaseWords {
 public:
  void add(std::string_view text);
  /// After the last text, before the first question.
  void finish();

  /// Made of word characters alone: only such words can be asked for.
  static bool plain(std::string_view word);
  /// Whether a text holds this plain word with no other word character beside it.
  [[nodiscard]] bool holds(std::string_view word) const;
  /// Whether a text holds "*" and then `kind` (".txt"; at most 31 bytes).
  [[nodiscard]] bool holds_all_of(std::string_view kind) const;

 private:
  std::vector<std::uint64_t> words_;  ///< fingerprints, sorted
  std::vector<std::string> kinds_;    ///< what follows an asterisk, cut off, sorted
};

}  // namespace hydra::checks
