// Moved copies of test files: other lines, digest and names; the same expectations.
#include "base/strings.hpp"
#include "source/tokens.hpp"
#include "source/twin.hpp"
#include "source/twin_words.hpp"

#include <algorithm>
#include <cctype>

namespace hydra::source {
namespace {

using tokens::among;
using tokens::Family;
using Text = std::string_view;

bool joins_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// The word that a copy has at this place of a name: drawn for the letters around, so that names share none.
std::string word_at(Text text, std::size_t begin, std::size_t end, std::uint64_t seed) {
  auto from = begin, to = end;
  while (from > 0 && joins_word(text[from - 1])) --from;
  while (to < text.size() && joins_word(text[to])) ++to;
  return tokens::drawn_word(
      seed, std::string(text.substr(from, begin - from)) + "|" + std::string(text.substr(end, to - end)));
}

/// Whether `name` occurs in a text as a whole word, not as a part of a path.
bool names_it(Text text, Text name) {
  const auto joins = [](char c) { return joins_word(c) || c == '.' || c == '/'; };
  for (auto at = text.find(name); at != Text::npos; at = text.find(name, at + 1)) {
    const auto end = at + name.size();
    if ((at == 0 || !joins(text[at - 1])) && (end == text.size() || !joins(text[end]))) return true;
  }
  return false;
}

/// Places in test names at which a copy has another word: "def test_a", "func TestA", "it('a'", "#[test] fn
/// a", "TEST(A, b".
class NamePlaces {
 public:
  NamePlaces(Family family, Text text, const std::vector<Token>& tokens)
      : family_(family), text_(text), tokens_(tokens) {}

  /// Returns byte offsets. Skips names that occur in `asked_for`, since commands that select tests by name
  /// must still find them, and names that a string of the file holds, since an honest test may expect its
  /// name.
  [[nodiscard]] std::vector<std::size_t> find(Text asked_for, std::uint64_t seed) const {
    // Snapshots and golden files have the names of their tests.
    constexpr Text kAsks[] = {"napshot",  "olden",     "Name()",    "node.name",
                              "TestName", "TEST_NAME", "MethodName"};
    const auto asks = [&](Text word) { return text_.find(word) != Text::npos; };
    if (std::any_of(std::begin(kAsks), std::end(kAsks), asks)) return {};
    constexpr Text kSelects[] = {" -k", " -t ", " -g", " -R ", " -E ", "-run", "grep", "ilter", "attern"};
    const bool by_part = std::any_of(std::begin(kSelects), std::end(kSelects),
                                     [&](Text option) { return asked_for.find(option) != Text::npos; });
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i + 1 < tokens_.size(); ++i)
      if (const auto at = name_at(i)) {
        const auto& token = tokens_[at];
        const std::size_t quote = token.kind == TokenKind::text ? 1 : 0;
        const auto begin = token.begin + quote, end = token.end - quote;
        const auto name = text_.substr(begin, end - begin);
        if (!names_it(asked_for, name) && !is_expected(name, at))
          places.push_back(begin + (by_part ? name.size() : inside(name, seed)));
      }
    return places;
  }

 private:
  /// Returns an offset between two letters, so that parts of the name are not found; else its end. The begin
  /// of a name stays: runners find tests by it.
  [[nodiscard]] std::size_t inside(Text name, std::uint64_t seed) const {
    std::vector<std::size_t> places;
    if (name.find_first_of("\\%$") == Text::npos)
      for (std::size_t i = family_ == Family::python || family_ == Family::go ? 5 : 1; i < name.size(); ++i)
        if (std::isalnum(static_cast<unsigned char>(name[i - 1])) != 0 &&
            std::isalnum(static_cast<unsigned char>(name[i])) != 0)
          places.push_back(i);
    return places.empty() ? name.size() : places[seed % places.size()];
  }
  [[nodiscard]] bool is_expected(Text name, std::size_t own) const {
    for (std::size_t i = 0; i < tokens_.size(); ++i)
      if (i != own && tokens_[i].kind == TokenKind::text && names_it(of(i), name)) return true;
    return false;
  }
  [[nodiscard]] Text of(std::size_t i) const {
    return i < tokens_.size() ? text_.substr(tokens_[i].begin, tokens_[i].end - tokens_[i].begin) : Text();
  }
  // Returns the token of a plain title; 0: none.
  [[nodiscard]] std::size_t title(std::size_t i) const {
    const bool plain = i < tokens_.size() && tokens_[i].kind == TokenKind::text && of(i).size() > 2 &&
                       of(i).front() == of(i).back() && of(i).find("${") == Text::npos;
    return plain ? i : 0;
  }
  [[nodiscard]] std::size_t name_at(std::size_t i) const {
    const auto own = of(i), next = of(i + 1);
    switch (family_) {
      case Family::python:
        return own == "def" && next.starts_with("test") ? i + 1 : 0;
      case Family::go:
        return own == "func" && next.starts_with("Test") && next != "TestMain" ? i + 1 : 0;
      case Family::rust:
        return own == "fn" && i > 3 && of(i - 1) == "]" && of(i - 2) == "test" ? i + 1 : 0;
      case Family::c:
        return among(" TEST TEST_F TEST_P ", own) && next == "(" && of(i + 3) == ","
                   ? std::min(i + 4, tokens_.size() - 1)
                   : 0;
      case Family::script:
        return among(" test it ", own) && next == "(" && (i == 0 || of(i - 1) != ".") ? title(i + 2) : 0;
      case Family::shell:
        return own == "@" && next == "test" ? title(i + 2) : 0;
      default:
        return 0;
    }
  }

  Family family_;
  Text text_;
  const std::vector<Token>& tokens_;
};

/// Whether a number of the file is its own line, or that of a neighbour: an honest test may expect a line.
bool expects_line(Text text, const std::vector<Token>& tokens) {
  constexpr std::int64_t kNear = 1, kFirst = 4;  // small numbers stand on the first lines by chance
  return std::any_of(tokens.begin(), tokens.end(), [&](const Token& token) {
    if (token.kind != TokenKind::number) return false;
    const auto value = parse_int(text.substr(token.begin, token.end - token.begin));
    return value && *value > kFirst && std::abs(*value - token.line) <= kNear;
  });
}

}  // namespace

std::optional<std::string> moved_copy(std::string_view path, std::string_view text, std::uint64_t seed,
                                      std::string_view asked_for) {
  if (text.size() > kMostTwinBytes || !is_code(path)) return std::nullopt;
  const auto scanned = scan(path, text);
  if (!scanned) return std::nullopt;
  const auto family = tokens::family_of(path);
  const bool hash =
      family == Family::python || family == Family::perl || family == Family::shell || path.ends_with(".rb");
  // Lines that must be first ("#!", "# coding") stay first.
  std::size_t at = 0;
  while (text.substr(at).starts_with("#!") || (hash && at < text.size() && text[at] == '#')) {
    const auto end = text.find('\n', at);
    if (end == std::string_view::npos) return std::nullopt;
    at = end + 1;
  }
  std::string copy(text.substr(0, at));
  std::string comment;
  for (std::uint64_t i = 0; i < 2 + seed % 5; ++i)
    comment += (hash ? "# " : "// ") + tokens::drawn_word(seed + i, path) + "\n";
  const bool keeps_lines = expects_line(text, scanned->tokens);
  if (!keeps_lines) copy += comment;
  for (const auto place : NamePlaces(family, text, scanned->tokens).find(asked_for, seed)) {
    copy.append(text.substr(at, place - at)).append(word_at(text, place, place, seed));
    at = place;
  }
  copy.append(text.substr(at));
  return keeps_lines ? copy + (copy.ends_with('\n') ? "" : "\n") + comment : copy;
}

std::string plain_name(std::string_view name, std::uint64_t seed) {
  const auto size = tokens::drawn_word(seed, {}).size();
  std::string plain(name);
  for (std::size_t end = 1, letters = 0; end <= plain.size(); ++end) {
    const char last = plain[end - 1];
    letters = last >= 'a' && last <= 'z' ? letters + 1 : 0;
    if (letters < size || word_at(plain, end - size, end, seed) != plain.substr(end - size, size)) continue;
    end -= size;
    plain.erase(end, size);
    letters = 0;
  }
  return plain;
}

}  // namespace hydra::source
