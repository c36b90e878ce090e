#include "mutants/called.hpp"

#include "base/strings.hpp"
#include "mutants/tokens.hpp"
#include "mutants/twin_words.hpp"

namespace hydra::mutants {
namespace {

constexpr std::string_view kNotCalled =
    " if for while switch return catch with and or not in elif def func fn function ";

std::string_view token_text(std::string_view text, const Token& token) {
  return text.substr(token.begin, token.end - token.begin);
}

bool before_bracket(std::string_view text, const Scan& scanned, std::size_t i) {
  return scanned.tokens[i].kind == TokenKind::word && i + 1 < scanned.tokens.size() &&
         token_text(text, scanned.tokens[i + 1]) == "(";
}

}  // namespace

std::set<std::string> called_names(std::string_view path, std::string_view text) {
  std::set<std::string> names;
  const auto scanned = scan(path, text);
  if (!scanned) return names;
  for (std::size_t i = 0; i < scanned->tokens.size(); ++i) {
    if (!before_bracket(text, *scanned, i)) continue;
    const auto name = token_text(text, scanned->tokens[i]);
    if (!tokens::among(kNotCalled, name)) names.emplace(name);
  }
  return names;
}

std::vector<int> lines_of_functions(std::string_view path, std::string_view text,
                                    const std::set<std::string>& names) {
  const auto scanned = scan(path, text);
  if (!scanned) return {};
  const auto all = lines(text);
  const auto indent = [&](std::size_t line) { return all[line].find_first_not_of(" \t"); };
  std::set<int> found;
  for (std::size_t i = 0; i < scanned->tokens.size(); ++i) {
    if (!before_bracket(text, *scanned, i)) continue;
    if (!names.contains(std::string(token_text(text, scanned->tokens[i])))) continue;
    const auto begin = static_cast<std::size_t>(scanned->tokens[i].line) - 1;
    if (begin >= all.size()) continue;
    std::vector<int> body;
    for (auto line = begin + 1; line < all.size(); ++line) {
      if (indent(line) == std::string_view::npos) continue;
      if (indent(line) <= indent(begin)) break;
      body.push_back(static_cast<int>(line) + 1);
    }
    found.insert(body.begin(), body.end());
  }
  return {found.begin(), found.end()};
}

}  // namespace hydra::mutants
