#include "mutate.hpp"

#include "base/strings.hpp"
#include "source/tokens.hpp"
#include "source/twin_words.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>
#include <set>

namespace hydra::source {
namespace {

using Text = std::string_view;
using tokens::among;

constexpr std::size_t kMostBytes = 1u << 20;  // of a source that is mutated
constexpr std::size_t kMostShown = 60;        // of a statement, in a description
constexpr std::uint64_t kMix = 0x9e3779b97f4a7c15ull;

struct Swap {
  Text from, to;
  Kind kind;
  bool spaced = false;  ///< only with blanks around: else it may be a template, a pointer, a path
};

// The first that fits a token is the most telling one.
constexpr Swap kSigns[] = {
    {"==", "!=", kCompare},        {"!=", "==", kCompare},        {"===", "!==", kCompare},
    {"!==", "===", kCompare},      {"<", "<=", kCompare, true},   {"<=", "<", kCompare},
    {">", ">=", kCompare, true},   {">=", ">", kCompare},         {"&&", "||", kLogic},
    {"||", "&&", kLogic},          {"+", "-", kArithmetic},       {"-", "+", kArithmetic},
    {"*", "/", kArithmetic, true}, {"/", "*", kArithmetic, true}, {"%", "*", kArithmetic, true},
    {"+=", "-=", kArithmetic},     {"-=", "+=", kArithmetic},     {"++", "--", kArithmetic},
    {"--", "++", kArithmetic},
};

// Each stands for the other.
constexpr Swap kWords[] = {
    {"and", "or", kLogic},
    {"true", "false", kLogic},
    {"True", "False", kLogic},
    {"min", "max", kCall},
    {"Min", "Max", kCall},
    {"any", "all", kCall},
    {"some", "every", kCall},
    {"first", "last", kCall},
    {"front", "back", kCall},
    {"floor", "ceil", kCall},
    {"upper", "lower", kCall},
    {"toUpperCase", "toLowerCase", kCall},
    {"ToUpper", "ToLower", kCall},
    {"startswith", "endswith", kCall},
    {"startsWith", "endsWith", kCall},
    {"starts_with", "ends_with", kCall},
    {"HasPrefix", "HasSuffix", kCall},
    {"lstrip", "rstrip", kCall},
    {"keys", "values", kCall},
    {"continue", "break", kStatement},
};

// Statements that begin with one of these are not taken away: what is left would not build, or do the same.
constexpr Text kKept =
    " if elif else for while do switch case default def class struct enum import from package use using "
    "include return func fn function const let var auto static try catch except finally with async match "
    "impl trait mod module namespace template public private protected export interface type global nonlocal "
    "yield lambda end then fi done esac goto pass ";
constexpr Text kBeforeUnary =
    " return and or not in is if elif else while case print yield await throw typeof new delete of ";

/// A change of one piece of the text.
struct Edit {
  std::size_t begin = 0, end = 0;
  int line = 0;
  std::string with;
  std::string description;
};

class Finder {
 public:
  Finder(Text path, Text text, const Scan& scanned, unsigned kinds)
      : text_(text), tokens_(scanned.tokens), kinds_(kinds) {
    const auto own = path.substr(path.rfind('/') + 1);
    const auto extension = own.substr(std::min(own.rfind('.'), own.size()));
    python_ = among(" .py .pyi .pyx ", extension);
    bare_ = among(" .go .rs .swift ", extension);
    semicolons_ = among(
        " .js .mjs .cjs .jsx .ts .mts .cts .tsx .c .h .cc .cpp .cxx .c++ .hh .hpp .hxx .inl .m .mm .cu .java "
        ".cs .dart .rs .php ",
        extension);
  }

  std::vector<Edit> find() {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (tokens_[i].kind == TokenKind::sign) sign(i);
      if (tokens_[i].kind == TokenKind::word) word(i);
      if (tokens_[i].kind == TokenKind::number) number(i);
      if (tokens_[i].kind == TokenKind::text) string(i);
      if (begins_line(i)) statement(i);
    }
    return std::move(edits_);
  }

 private:
  [[nodiscard]] bool wants(Kind kind) const { return (kinds_ & kind) != 0; }
  [[nodiscard]] Text of(std::size_t i) const {
    return i < tokens_.size() ? text_.substr(tokens_[i].begin, tokens_[i].end - tokens_[i].begin) : Text();
  }
  [[nodiscard]] bool begins_line(std::size_t i) const {
    return i == 0 || tokens_[i - 1].line != tokens_[i].line;
  }
  [[nodiscard]] bool spaced(std::size_t i) const {
    const auto blank = [](char c) { return c == ' ' || c == '\n' || c == '\t'; };
    const auto& t = tokens_[i];
    return t.begin > 0 && blank(text_[t.begin - 1]) && t.end < text_.size() && blank(text_[t.end]);
  }
  // Between two values.
  [[nodiscard]] bool binary(std::size_t i) const {
    if (i == 0 || i + 1 >= tokens_.size()) return false;
    const auto before = of(i - 1);
    if (tokens_[i - 1].kind == TokenKind::sign) return before == ")" || before == "]";
    return !among(kBeforeUnary, before);
  }

  void add(std::size_t begin, std::size_t end, int line, std::string with, std::string description) {
    edits_.push_back({begin, end, line, std::move(with), std::move(description)});
  }
  void replace(std::size_t i, Text with) {
    add(tokens_[i].begin, tokens_[i].end, tokens_[i].line, std::string(with),
        std::string(of(i)) + " becomes " + std::string(with));
  }

  void sign(std::size_t i) {
    const auto own = of(i);
    for (const auto& swap : kSigns) {
      if (own != swap.from || !wants(swap.kind)) continue;
      const bool step = own == "++" || own == "--";
      if (swap.spaced && !spaced(i)) continue;
      if (!step && !binary(i)) continue;
      replace(i, swap.to);
    }
    // "!x" is "x"
    if (own == "!" && wants(kLogic) && i + 1 < tokens_.size() && tokens_[i + 1].begin == tokens_[i].end &&
        !binary(i))
      add(tokens_[i].begin, tokens_[i].end, tokens_[i].line, "", "! goes");
  }

  void word(std::size_t i) {
    const auto own = of(i);
    const bool member = i > 0 && of(i - 1) == ".";
    for (const auto& swap : kWords) {
      if ((own != swap.from && own != swap.to) || !wants(swap.kind)) continue;
      // Names of values are nobody's business, calls are.
      if (swap.kind == kCall && of(i + 1) != "(") continue;
      if (swap.kind != kCall && member) continue;
      replace(i, own == swap.from ? swap.to : swap.from);
    }
    if (own == "not" && wants(kLogic) && of(i + 1) != "in" && i + 1 < tokens_.size())
      add(tokens_[i].begin, tokens_[i + 1].begin, tokens_[i].line, "", "not goes");
    if (wants(kCondition) && (own == "if" || own == "elif")) condition(i);
  }

  // Returns the end of the condition that begins at token `from`; nothing: the condition leaves the line, or
  // is no plain one.
  [[nodiscard]] std::optional<std::size_t> condition_end(std::size_t from, Text closer) const {
    int depth = 0;
    for (auto i = from; i < tokens_.size() && tokens_[i].line == tokens_[from].line; ++i) {
      const auto own = of(i);
      if (depth == 0 && own == closer) return i;
      if (own == ":=" || own == ";" || own == "let" || own == "lambda" || own == "case") return std::nullopt;
      if (own == "(" || own == "[" || (own == "{" && closer != "{")) ++depth;
      if (own == ")" || own == "]" || own == "}") --depth;
      if (depth < 0) return depth == -1 && own == closer ? std::optional(i) : std::nullopt;
    }
    return std::nullopt;
  }

  void condition(std::size_t i) {
    if (python_) {
      if (!begins_line(i)) return;
      if (const auto end = condition_end(i + 1, ":"); end && *end > i + 1) negate(i + 1, *end, "not (", ")");
    } else if (bare_) {
      if (const auto end = condition_end(i + 1, "{"); end && *end > i + 1) negate(i + 1, *end, "!(", ")");
    } else if (of(i + 1) == "(") {
      if (const auto end = condition_end(i + 2, ")"); end && *end > i + 2) negate(i + 2, *end, "!(", ")");
    }
  }
  void negate(std::size_t from, std::size_t to, Text open, Text close) {
    const auto begin = tokens_[from].begin, end = tokens_[to - 1].end;
    const auto old = std::string(text_.substr(begin, end - begin));
    add(begin, end, tokens_[from].line, std::string(open) + old + std::string(close),
        "the condition " + shown(old) + " is negated");
  }

  void number(std::size_t i) {
    const auto own = of(i);
    if (!wants(kNumber) || own.size() > 9) return;
    if (!std::all_of(own.begin(), own.end(), [](char c) { return c >= '0' && c <= '9'; })) return;
    if (own.size() > 1 && own.front() == '0') return;
    // "1.5" is three tokens.
    if (of(i + 1) == "." || (i > 0 && of(i - 1) == ".")) return;
    replace(i, std::to_string(parse_int(own).value_or(0) + 1));
  }

  void string(std::size_t i) {
    const auto own = of(i);
    if (!wants(kText) || own.size() < 2 || own.front() == '/') return;
    const char quote = own.front();
    if (quote != '"' && quote != '\'' && quote != '`') return;
    if (own.size() >= 6 && own[1] == quote && own[2] == quote) return;
    const auto with = own.size() == 2 ? std::string(1, quote) + "x" + quote
                                      : std::string(own.substr(0, own.size() - 1)) + "x" + quote;
    add(tokens_[i].begin, tokens_[i].end, tokens_[i].line, with,
        shown(std::string(own)) + " becomes " + shown(with));
  }

  // A whole line that is one simple statement: a call, an assignment.
  void statement(std::size_t i) {
    if (!wants(kStatement) || tokens_[i].kind != TokenKind::word || among(kKept, of(i))) return;
    auto last = i;
    int depth = 0;
    bool acts = false;
    for (; last < tokens_.size() && tokens_[last].line == tokens_[i].line; ++last) {
      const auto own = of(last);
      if (own == "(" || own == "[" || own == "{") ++depth;
      if (own == ")" || own == "]" || own == "}") --depth;
      if (depth < 0 || own == "{" || own == "}") return;
      acts = acts || own == "(" || own == "=" || (own.size() == 2 && own[1] == '=');
    }
    if (depth != 0 || !acts) return;
    const auto begin = tokens_[i].begin, end = tokens_[last - 1].end;
    const bool ended = of(last - 1) == ";";
    // "int x = f();" declares: two words, or a type, before the sign.
    const auto second = of(i + 1);
    const bool declares = tokens_[std::min(i + 1, tokens_.size() - 1)].kind == TokenKind::word ||
                          second == ":" || second == ":=" || second == "<" || second == "::" || second == "&";
    if (declares) return;
    const auto old = std::string(text_.substr(begin, end - begin));
    if (python_) {
      add(begin, end, tokens_[i].line, "pass", shown(old) + " goes");
    } else if (semicolons_ && ended) {
      add(begin, end, tokens_[i].line, ";", shown(old) + " goes");
    }
  }

  static std::string shown(const std::string& text) {
    auto line = sanitize(replace_all(text, "\n", " "));
    return line.size() > kMostShown ? line.substr(0, kMostShown) + "..." : line;
  }

  Text text_;
  const std::vector<Token>& tokens_;
  unsigned kinds_;
  bool python_ = false, bare_ = false, semicolons_ = false;
  std::vector<Edit> edits_;
};

// Telling ones first; a seed mixes them.
void order_of_line(std::vector<Edit>& edits, std::uint64_t seed) {
  if (seed == 0) return;
  const auto mixed = [seed](const Edit& edit) {
    auto x = (seed + edit.begin * 31 + edit.with.size()) * kMix;
    x ^= x >> 29;
    return x * kMix;
  };
  std::stable_sort(edits.begin(), edits.end(),
                   [&](const Edit& a, const Edit& b) { return mixed(a) < mixed(b); });
}

std::vector<Edit> choose(std::map<int, std::vector<Edit>> by_line, std::size_t most) {
  std::vector<Edit> chosen;
  for (std::size_t round = 0; chosen.size() < most; ++round) {
    std::vector<const Edit*> next;
    for (const auto& [line, edits] : by_line)
      if (round < edits.size()) next.push_back(&edits[round]);
    if (next.empty()) break;
    const auto room = most - chosen.size();
    const auto take = std::min(room, next.size());
    for (std::size_t i = 0; i < take; ++i) chosen.push_back(*next[i * next.size() / take]);
  }
  std::stable_sort(chosen.begin(), chosen.end(),
                   [](const Edit& a, const Edit& b) { return a.line < b.line; });
  return chosen;
}

}  // namespace

std::vector<Mutant> mutate(std::string_view path, std::string_view text, const Request& request) {
  if (text.size() > kMostBytes || request.most == 0 || !is_code(path)) return {};
  const auto scanned = scan(path, text);
  if (!scanned) return {};
  const std::set<int> lines(request.lines.begin(), request.lines.end());
  std::map<int, std::vector<Edit>> by_line;
  for (auto& edit : Finder(path, text, *scanned, request.kinds).find())
    if (lines.empty() || lines.contains(edit.line)) by_line[edit.line].push_back(std::move(edit));
  for (auto& [line, edits] : by_line) order_of_line(edits, request.seed);
  std::vector<Mutant> mutants;
  std::set<std::string> seen{std::string(text)};
  for (const auto& edit : choose(std::move(by_line), request.most)) {
    auto changed = std::string(text.substr(0, edit.begin)) + edit.with + std::string(text.substr(edit.end));
    if (seen.insert(changed).second) mutants.push_back({edit.line, edit.description, std::move(changed)});
  }
  return mutants;
}

}  // namespace hydra::source
