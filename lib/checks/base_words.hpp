// checks: a compact set of the words in the base's files, without their places.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::checks {

/// Words consist of letters, digits and underscores; all other characters separate them.
bool word_character(char c);

class BaseWords {
 public:
  void add(std::string_view text);
  /// Call after the last text and before the first question.
  void finish();

  /// Returns whether the word has word characters only: only such words can be looked up.
  static bool plain(std::string_view word);
  /// Returns whether a text holds this plain word with no other word character beside it.
  [[nodiscard]] bool holds(std::string_view word) const;
  /// Returns whether a text holds "*" followed by `kind` (".txt"; at most 31 bytes).
  [[nodiscard]] bool holds_all_of(std::string_view kind) const;

 private:
  std::vector<std::uint64_t> words_;  ///< fingerprints, sorted
  std::vector<std::string> kinds_;    ///< texts after an asterisk, cut off, sorted
};

}  // namespace hydra::checks
