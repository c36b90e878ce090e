#include "scoring/task_kind.hpp"

#include "base/strings.hpp"

#include <array>

namespace hydra::scoring {
namespace {

/// A kind and its words or phrases, lower case, separated by `|`. The first row with a match in the task
/// decides (docs/suites.md).
struct KindWords {
  std::string_view kind, words;
};
constexpr std::array kKinds{
    KindWords{"docs", "readme|documentation|docs|docstring|docstrings|changelog|typo|typos|manual|tutorial"},
    KindWords{"tests",
              "add tests|add a test|write tests|write a test|test coverage|unit tests|more tests|"
              "missing tests|regression test"},
    KindWords{"performance", "performance|faster|slow|speed up|optimise|optimize|latency|memory usage"},
    KindWords{"refactor",
              "refactor|refactoring|rename|simplify|clean up|cleanup|extract|deduplicate|restructure"},
    KindWords{"bugfix",
              "fix|fixes|fixed|bug|bugs|bugfix|issue|crash|crashes|broken|regression|fails|failing|"
              "wrong|error|repair"},
    KindWords{"feature", "add|implement|support|introduce|create|build|new|allow|enable|write|feature"},
};

bool word_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

bool stands_in(std::string_view word, std::string_view text) {
  for (auto at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const auto end = at + word.size();
    if ((at == 0 || !word_character(text[at - 1])) && (end == text.size() || !word_character(text[end])))
      return true;
  }
  return false;
}

}  // namespace

std::string task_kind(std::string_view task) {
  const auto text = to_lower(task);
  for (const auto& [kind, words] : kKinds)
    for (const auto word : split(words, '|'))
      if (stands_in(word, text)) return std::string(kind);
  return "other";
}

}  // namespace hydra::scoring
