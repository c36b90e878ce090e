#include "mutants/twin_scopes.hpp"

#include <optional>

namespace hydra::mutants::tokens {
namespace {

using Text = std::string_view;

bool opens_bracket(Text own) { return own == "(" || own == "[" || own == "{"; }
bool closes_bracket(Text own) { return own == ")" || own == "]" || own == "}"; }

/// The function around each token, by one number a function.
class Frames {
 public:
  Frames(Family family, std::string_view text, const std::vector<Token>& tokens);
  [[nodiscard]] std::optional<Frame> of(const Statement& statement) const;
  [[nodiscard]] std::size_t function_of(const Statement& statement) const {
    return places_[statement.from].function;
  }
  [[nodiscard]] bool is_come_to(const Statement& statement) const { return places_[statement.from].direct; }

 private:
  struct Place {
    std::size_t function = 0;
    bool leaves = false;  ///< a bare return leaves it, and it has no result
    bool direct = false;  ///< in no branch or loop of it
  };
  [[nodiscard]] std::string_view word(std::size_t i) const;
  [[nodiscard]] bool begins_line(std::size_t i) const;
  [[nodiscard]] std::size_t column(std::size_t i) const;
  [[nodiscard]] bool is_function(std::size_t brace, const std::vector<std::size_t>& partners) const;
  [[nodiscard]] bool has_result(std::size_t brace, const std::vector<std::size_t>& partners) const;
  [[nodiscard]] bool begins_statement(std::size_t i) const;
  void find_by_columns();
  void find_by_brackets();

  Family family_;
  std::string_view text_;
  const std::vector<Token>& tokens_;
  std::vector<Place> places_;
};

std::string_view Frames::word(std::size_t i) const {
  return i < tokens_.size() ? text_.substr(tokens_[i].begin, tokens_[i].end - tokens_[i].begin) : Text();
}

bool Frames::begins_line(std::size_t i) const { return i == 0 || tokens_[i].line != tokens_[i - 1].line; }

std::size_t Frames::column(std::size_t i) const {
  const auto line = text_.rfind('\n', tokens_[i].begin);
  return tokens_[i].begin - (line == Text::npos ? 0 : line + 1);
}

// A block of a function, and in Go of one that returns nothing: "=> {", "name() {", "func(t *testing.T) {".
bool Frames::is_function(std::size_t brace, const std::vector<std::size_t>& partners) const {
  if (brace == 0) return false;
  if (word(brace - 1) == "=>") return true;
  if (word(brace - 1) != ")") return false;
  const auto list = partners[brace - 1];
  if (list == 0) return false;
  const auto before = word(list - 1);
  if (family_ == Family::script) return !among(" if for while switch catch with ", before);
  // Of a method the receiver stands before its name.
  return before == "func" || (list > 1 && (word(list - 2) == "func" || word(list - 2) == ")"));
}

// "func(...) int {": a bare return would not build in it.
bool Frames::has_result(std::size_t brace, const std::vector<std::size_t>& partners) const {
  if (family_ != Family::go || word(brace) != "{" || brace == 0) return false;
  if (word(brace - 1) == ")") return partners[brace - 1] > 0 && word(partners[brace - 1] - 1) == ")";
  for (auto i = brace; i-- > 0 && tokens_[i].line == tokens_[brace].line && !among(" { ; ", word(i));)
    if (word(i) == "func") return true;
  return false;
}

Frames::Frames(Family family, std::string_view text, const std::vector<Token>& tokens)
    : family_(family), text_(text), tokens_(tokens), places_(tokens.size()) {
  if (family_ == Family::python) find_by_columns();
  if (family_ == Family::script || family_ == Family::go) find_by_brackets();
}

// A statement right of the `def` before it stands in it, and what stands at the column of its first line is
// come to.
void Frames::find_by_columns() {
  std::optional<std::size_t> def, body;
  std::size_t function = 0, line = 0;
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    if (begins_line(i)) line = column(i);
    if (word(i) == "def") def = line, body.reset(), function = i;
    if (word(i) == "class" && begins_line(i)) def.reset();
    if (def && begins_line(i) && !body && line > *def && i > 0 && word(i - 1) == ":") body = line;
    places_[i] = {function, def && line > *def, body && line == *body};
  }
}

void Frames::find_by_brackets() {
  std::vector<std::size_t> partners(tokens_.size(), 0), open;
  std::vector<Place> inside{{}};
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    places_[i] = inside.back();
    if (opens_bracket(word(i))) {
      open.push_back(i);
      auto place = inside.back();
      place.direct = false;
      if (word(i) == "{" && is_function(i, partners)) place = {i, true, true};
      if (has_result(i, partners)) place.leaves = false;
      inside.push_back(place);
    } else if (closes_bracket(word(i)) && !open.empty()) {
      partners[i] = open.back();
      open.pop_back();
      inside.pop_back();
    }
  }
}

bool Frames::begins_statement(std::size_t i) const {
  if (i == 0) return false;
  const auto before = word(i - 1);
  if (among(" ; { } ", before)) return true;
  return begins_line(i) && (before == ")" || before == "]" || tokens_[i - 1].kind == TokenKind::number ||
                            tokens_[i - 1].kind == TokenKind::text);
}

std::optional<Frame> Frames::of(const Statement& statement) const {
  auto [from, to, block, block_end, clear] = statement;
  while (from > 1 && word(from - 1) == ".") from -= 2;  // "self."
  if (!clear || from >= to || to > tokens_.size() || !places_[from].leaves) return std::nullopt;
  if (family_ == Family::python) {
    if (!begins_line(from) || (to < tokens_.size() && !begins_line(to))) return std::nullopt;
    return Frame{tokens_[from].begin, tokens_[to - 1].end,
                 "with __import__(\"contextlib\").suppress(AssertionError): ", "; return"};
  }
  if (family_ == Family::script) {
    const auto begin = word(from - 1) == "await" ? from - 1 : from;
    if (!begins_statement(begin)) return std::nullopt;
    const bool ended = to >= tokens_.size() || word(to) == ";" || word(to) == "}" || begins_line(to);
    if (!ended || word(to) == "else" || (word(to) == ";" && word(to + 1) == "else")) return std::nullopt;
    return Frame{tokens_[begin].begin, tokens_[to - 1].end, "try { ", "; return } catch {}"};
  }
  if (family_ == Family::go && block > 0 && block_end < tokens_.size() && word(block_end + 1) != "else" &&
      begins_line(from))
    return Frame{tokens_[block].end, tokens_[block_end].begin, " if false {", "} } else { return "};
  return std::nullopt;
}

}  // namespace

std::vector<Frame> frames_of(Family family, std::string_view text, const std::vector<Token>& tokens,
                             const std::vector<Statement>& statements) {
  std::vector<Frame> found;
  const Frames frames(family, text, tokens);
  std::optional<std::size_t> function;  // whose last assertion is come to
  for (auto i = statements.size(); i-- > 0;) {
    const auto own = frames.function_of(statements[i]);
    if (i + 1 == statements.size() || own != frames.function_of(statements[i + 1])) {
      function = frames.is_come_to(statements[i]) ? std::optional(own) : std::nullopt;
    } else if (function == own) {
      if (const auto frame = frames.of(statements[i])) found.push_back(*frame);
    }
  }
  return found;
}

}  // namespace hydra::mutants::tokens
