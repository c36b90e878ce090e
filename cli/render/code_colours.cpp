#include "cli/render/code_colours.hpp"

#include "source/tokens.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace hydra::cli {
namespace {

// Keywords of all languages: a keyword in one language is seldom a name in another.
constexpr std::array<std::string_view, 76> kKeywords{
    "abstract", "and",      "as",        "assert", "async", "auto",     "await",  "begin",    "bool",
    "break",    "case",     "catch",     "class",  "const", "continue", "def",    "default",  "defer",
    "delete",   "do",       "elif",      "else",   "end",   "enum",     "except", "export",   "extends",
    "false",    "fi",       "finally",   "fn",     "for",   "from",     "func",   "function", "if",
    "impl",     "import",   "in",        "int",    "is",    "lambda",   "let",    "local",    "match",
    "mod",      "mut",      "namespace", "new",    "nil",   "None",     "not",    "null",     "or",
    "package",  "private",  "pub",       "public", "raise", "return",   "self",   "static",   "struct",
    "switch",   "template", "then",      "this",   "throw", "true",     "try",    "type",     "use",
    "using",    "var",      "void",      "while"};

bool is_keyword(std::string_view word) {
  return std::find(kKeywords.begin(), kKeywords.end(), word) != kKeywords.end();
}

Paint paint_of_token(const source::Token& token, std::string_view text, Paint rest) {
  switch (token.kind) {
    case source::TokenKind::text:
      return Paint::yellow;
    case source::TokenKind::number:
      return Paint::cyan;
    case source::TokenKind::word:
      return is_keyword(text) ? Paint::bold : rest;
    case source::TokenKind::sign:
      break;
  }
  return rest;
}

}  // namespace

std::string code_colours(std::string_view path, std::string_view line, Paint rest, const Style& style) {
  const auto scanned = style.colour ? source::scan(path, line) : std::nullopt;
  if (!scanned) return style.paint(rest, line);
  std::vector<Paint> paints(line.size(), Paint::dim);  // bytes outside of tokens are comments
  for (const auto& token : scanned->tokens) {
    const auto paint = paint_of_token(token, line.substr(token.begin, token.end - token.begin), rest);
    std::fill(paints.begin() + static_cast<std::ptrdiff_t>(token.begin),
              paints.begin() + static_cast<std::ptrdiff_t>(token.end), paint);
  }
  std::string out;
  for (std::size_t at = 0; at < line.size();) {
    auto end = at + 1;
    while (end < line.size() && (paints[end] == paints[at] || line[end] == ' ')) ++end;
    out += style.paint(paints[at], line.substr(at, end - at));
    at = end;
  }
  return out;
}

}  // namespace hydra::cli
