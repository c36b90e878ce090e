#include "checks/cross_words.hpp"

#include "base/strings.hpp"

namespace hydra::checks {
namespace {

/// Reads one word; false: the command has more than words.
bool read_word(std::string_view text, std::size_t& at, ShellWord& word) {
  const auto begin = at;
  char quote = 0;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '`' || (c == '$' && at + 1 < text.size() && text[at + 1] == '(' && quote != '\'')) return false;
    if (quote != 0) {
      if (c == quote)
        quote = 0;
      else
        word.value += c;
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else if (c == '\\' && at + 1 < text.size()) {
      word.value += text[++at];
    } else if (c == ' ' || c == '\t' || c == '&') {
      break;
    } else if (std::string_view(";|<>()\n").find(c) != std::string_view::npos) {
      return false;
    } else {
      word.value += c;
    }
  }
  word.raw = text.substr(begin, at - begin);
  return quote == 0 && !word.raw.starts_with('#') && word.value != "!" && word.value != "{";
}

}  // namespace

std::optional<std::vector<ShellPart>> and_parts(std::string_view command) {
  const auto text = trim(command);
  std::vector<ShellPart> parts(1);
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == ' ' || text[at] == '\t') {
      ++at;
      continue;
    }
    if (text[at] == '&') {
      if (!text.substr(at).starts_with("&&") || parts.back().empty()) return std::nullopt;
      parts.emplace_back();
      at += 2;
      continue;
    }
    ShellWord word;
    if (!read_word(text, at, word)) return std::nullopt;
    parts.back().push_back(std::move(word));
  }
  if (parts.back().empty()) return std::nullopt;
  return parts;
}

std::string raw_text(const ShellPart& part) {
  std::vector<std::string> words;
  for (const auto& word : part) words.push_back(word.raw);
  return join(words, " ");
}

}  // namespace hydra::checks
