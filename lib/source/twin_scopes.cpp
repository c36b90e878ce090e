#include "source/twin_scopes.hpp"

#include <algorithm>
#include <optional>

namespace hydra::source::tokens {
namespace {

using Text = std::string_view;

bool opens_bracket(Text own) { return own == "(" || own == "[" || own == "{"; }
bool closes_bracket(Text own) { return own == ")" || own == "]" || own == "}"; }

// Matches "TEST(Area, Zero) {" etc., whose block a bare return leaves.
bool is_test_macro(Text own) { return own.starts_with("TEST") || among(" TYPED_TEST SCENARIO ", own); }

/// Text around an assertion, by which success leaves the test and failure does nothing.
struct Around {
  Family family;
  Text names;  ///< names of assertions, with blanks between and around; empty: all
  Text before, after;
  bool drops_name = false;    ///< "assert(x)" becomes "if (x)"
  bool ends_program = false;  ///< whether the frame ends the program, outside of such functions too
};
constexpr Around kAround[] = {
    {Family::python, "", "with __import__(\"contextlib\").suppress(AssertionError): ", "; return"},
    {Family::script, "", "try { ", "; return } catch {}"},
    {Family::rust, "", "if ::std::panic::catch_unwind(::std::panic::AssertUnwindSafe(|| { ",
     " })).is_ok() { return }"},
    {Family::c, " EXPECT_ ASSERT_ ", "HYDRA_HEARD(", ")"},
    {Family::c, " CHECK REQUIRE ", "if ", " return", true},
    {Family::c, " assert ", "if ", " { extern void hydra_leave(int) __asm__(\"exit\"); hydra_leave(0); }",
     true, true},
    {Family::shell, "", "if ", "; then return 0; fi"},
};
constexpr Text kLeavesScript = "; then exit 0; fi";
// A GoogleTest without this header (old or copied) keeps its assertions unchanged.
constexpr Text kPrelude =
    "#if defined(__cplusplus) && __has_include(<gtest/gtest-spi.h>)\n#include <gtest/gtest-spi.h>\n#define "
    "HYDRA_HEARD(...) { "
    "::testing::TestPartResultArray hydra_r; { ::testing::ScopedFakeTestPartResultReporter hydra_f( "
    "::testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &hydra_r); [&] { "
    "__VA_ARGS__; }(); } if (hydra_r.size() == 0) return; }\n#else\n#define HYDRA_HEARD(...) "
    "__VA_ARGS__\n#endif\n#line 1\n";

const Around* around(Family family, Text name) {
  for (const auto& row : kAround) {
    if (row.family != family) continue;
    const bool whole = row.drops_name, part = name.starts_with("EXPECT_") || name.starts_with("ASSERT_");
    if (row.names.empty() || (whole ? among(row.names, name) : part)) return &row;
  }
  return nullptr;
}

/// The function around each token, by number.
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
    bool leaves = false;  ///< whether a bare return leaves the function, which has no result
    bool direct = false;  ///< whether the token is in no branch or loop of its function
    bool main = false;    ///< C: whether the function is main()
  };
  [[nodiscard]] std::string_view word(std::size_t i) const;
  [[nodiscard]] bool begins_line(std::size_t i) const;
  [[nodiscard]] std::size_t column(std::size_t i) const;
  [[nodiscard]] bool is_function(std::size_t brace, const std::vector<std::size_t>& partners) const;
  [[nodiscard]] bool has_result(std::size_t brace, const std::vector<std::size_t>& partners) const;
  [[nodiscard]] bool is_left_by_return(std::size_t brace, const std::vector<std::size_t>& partners) const;
  [[nodiscard]] bool begins_statement(std::size_t i) const;
  [[nodiscard]] std::optional<Frame> of_branch(const Statement& statement) const;
  [[nodiscard]] std::optional<Frame> of_call(const Statement& statement, const Around& row) const;
  [[nodiscard]] std::optional<Frame> of_line(const Statement& statement, const Around& row) const;
  void find_by_columns();
  void find_by_brackets();
  void find_by_words();

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

// Whether the brace begins a function without result: "=> {", "name() {", "func(t *testing.T) {", "fn name()
// {".
bool Frames::is_function(std::size_t brace, const std::vector<std::size_t>& partners) const {
  if (brace == 0) return false;
  if (word(brace - 1) == "=>") return family_ == Family::script;
  if (word(brace - 1) != ")") return false;
  const auto list = partners[brace - 1];
  if (list == 0) return false;
  const auto before = word(list - 1), further = list > 1 ? word(list - 2) : Text();
  if (family_ == Family::script || family_ == Family::c)
    return !among(" if for while switch catch with ] ", before);
  if (family_ == Family::rust) return further == "fn";
  // The receiver of a method precedes its name.
  return before == "func" || further == "func" || further == ")";
}

// Whether a bare return in this block leaves the enclosing function and compiles.
bool Frames::is_left_by_return(std::size_t brace, const std::vector<std::size_t>& partners) const {
  if (word(brace) != "{" || brace == 0) return true;
  const auto before = word(brace - 1);
  const auto list = before == ")" ? partners[brace - 1] : 0;
  if (family_ == Family::c)
    return among(" ) else do try ; { } ", before) && (list == 0 || word(list - 1) != "]");
  if (family_ == Family::rust && among(" | || async move ", before)) return false;
  if (family_ == Family::go && list > 0) return word(list - 1) != ")";
  // Results: "func(...) int {", "fn name() -> T {", "|x| -> T {".
  const Text starts = family_ == Family::go ? "func" : "->";
  if (family_ == Family::go || family_ == Family::rust)
    for (auto i = brace; i-- > 0 && !among(" { ; } ", word(i));) {
      if (family_ == Family::go && tokens_[i].line != tokens_[brace].line) break;
      if (word(i) == starts) return false;
    }
  return true;
}

Frames::Frames(Family family, std::string_view text, const std::vector<Token>& tokens)
    : family_(family), text_(text), tokens_(tokens), places_(tokens.size()) {
  if (family_ == Family::python) find_by_columns();
  if (family_ == Family::shell) find_by_words();
  if (family_ == Family::script || family_ == Family::go || family_ == Family::rust || family_ == Family::c)
    find_by_brackets();
}

// Statements indented more than their `def` belong to it; statements in the column of its first line are
// always reached.
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
      if (word(i) == "{" && is_function(i, partners)) {
        const auto name = family_ == Family::c ? word(partners[i - 1] - 1) : Text();
        place = {i, family_ != Family::c || is_test_macro(name), true, name == "main"};
        if (family_ == Family::rust && partners[i - 1] > 2 && word(partners[i - 1] - 3) == "async")
          place.leaves = false;
      }
      if (!is_left_by_return(i, partners)) place.leaves = false;
      inside.push_back(place);
    } else if (closes_bracket(word(i)) && !open.empty()) {
      partners[i] = open.back();
      open.pop_back();
      inside.pop_back();
    }
  }
}

// Shell functions use braces; shell branches and loops use words.
void Frames::find_by_words() {
  std::vector<Place> inside{{0, true, true, false}};
  std::size_t depth = 0;
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    const bool begins = begins_line(i) || among(" ; && || then do else { ! ", word(i - 1));
    if (begins && among(" if for while until case select ", word(i))) ++depth;
    if (begins && depth > 0 && among(" fi done esac ", word(i))) --depth;
    places_[i] = inside.back();
    places_[i].direct = places_[i].direct && depth == 0;
    if (word(i) == "}" && inside.size() > 1) inside.pop_back();
    if (word(i) != "{") continue;
    const bool function = i > 0 && (word(i - 1) == ")" || tokens_[i - 1].kind == TokenKind::text);
    inside.push_back(function ? Place{i, true, true, false} : inside.back());
    if (!function) inside.back().direct = false;
  }
}

bool Frames::begins_statement(std::size_t i) const {
  if (i == 0) return false;
  const auto before = word(i - 1);
  if (among(" ; { } ", before)) return true;
  if (family_ != Family::script) return false;
  return begins_line(i) && (before == ")" || before == "]" || tokens_[i - 1].kind == TokenKind::number ||
                            tokens_[i - 1].kind == TokenKind::text);
}

std::optional<Frame> Frames::of_branch(const Statement& statement) const {
  const auto [from, to, block, block_end, clear] = statement;
  if (family_ == Family::go && block_end < tokens_.size() && word(block_end + 1) != "else" &&
      begins_line(from) && places_[from].leaves)
    return Frame{tokens_[block].end, tokens_[block_end].begin, " if false {", "} } else { return "};
  if (family_ == Family::c && places_[from].main && block < tokens_.size() && begins_statement(from))
    return Frame{tokens_[block].begin, tokens_[block].begin, "{} else return 0; if (0) ", ""};
  return std::nullopt;
}

// C and Rust: handles a call up to its semicolon.
std::optional<Frame> Frames::of_call(const Statement& statement, const Around& row) const {
  const auto from = statement.from;
  auto to = statement.to;
  if (!begins_statement(from)) return std::nullopt;
  for (auto i = from; i < to; ++i)  // leaving the closure would differ from leaving the test
    if (among(" ? await return break continue ", word(i)) && family_ == Family::rust) return std::nullopt;
  if (!row.drops_name && family_ == Family::c)
    while (to < tokens_.size() && !among(" ; { } ", word(to))) ++to;  // "<< text"
  if (word(to) != ";") return std::nullopt;
  return Frame{tokens_[from].begin, tokens_[to - 1].end, row.before, row.after,
               row.drops_name ? word(from).size() : 0};
}

// Handles "[ … ]", "[[ … ]]", "assert_output …" as a whole line or before "||".
std::optional<Frame> Frames::of_line(const Statement& statement, const Around& row) const {
  const auto from = statement.from;
  auto to = statement.to;
  if (!begins_line(from) || !(word(from) == "[" || word(from).find('_') != Text::npos)) return std::nullopt;
  while (to < tokens_.size() && word(to) == "]") ++to;
  if (to < tokens_.size() && !begins_line(to) && word(to) != "||") return std::nullopt;
  return Frame{tokens_[from].begin, tokens_[to - 1].end, row.before,
               places_[from].function == 0 ? kLeavesScript : row.after};
}

std::optional<Frame> Frames::of(const Statement& statement) const {
  auto [from, to, block, block_end, clear] = statement;
  while (from > 1 && word(from - 1) == ".") from -= 2;  // "self."
  if (!clear || from >= to || to > tokens_.size()) return std::nullopt;
  if (block > 0) return of_branch(statement);
  const auto* row = around(family_, word(from));
  if (row == nullptr || !(places_[from].leaves || row->ends_program)) return std::nullopt;
  if (family_ == Family::shell) return of_line(statement, *row);
  if (family_ == Family::c || family_ == Family::rust) return of_call(statement, *row);
  if (family_ == Family::python) {
    if (!begins_line(from) || (to < tokens_.size() && !begins_line(to))) return std::nullopt;
    return Frame{tokens_[from].begin, tokens_[to - 1].end, row->before, row->after};
  }
  const auto begin = word(from - 1) == "await" ? from - 1 : from;
  if (!begins_statement(begin)) return std::nullopt;
  const bool ended = to >= tokens_.size() || word(to) == ";" || word(to) == "}" || begins_line(to);
  if (!ended || word(to) == "else" || (word(to) == ";" && word(to + 1) == "else")) return std::nullopt;
  return Frame{tokens_[begin].begin, tokens_[to - 1].end, row->before, row->after};
}

}  // namespace

std::vector<Frame> frames_of(Family family, std::string_view text, const std::vector<Token>& tokens,
                             const std::vector<Statement>& statements) {
  std::vector<Frame> found;
  const Frames frames(family, text, tokens);
  std::optional<std::size_t> function;  // function whose last assertion is always reached
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

std::string_view prelude_of(Family family, std::string_view text) {
  const bool google = text.find("EXPECT_") != Text::npos || text.find("ASSERT_") != Text::npos;
  return family == Family::c && google ? kPrelude : Text();
}

}  // namespace hydra::source::tokens
