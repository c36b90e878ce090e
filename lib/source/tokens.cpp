#include "source/tokens.hpp"

#include "base/strings.hpp"
#include "source/token_table.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <span>
#include <string>

namespace hydra::source::tokens {
namespace {

bool one_of(Text list, Text item) {
  while (!list.empty()) {
    const auto end = list.find(' ');
    if (list.substr(0, end) == item) return true;
    list = end == Text::npos ? Text() : list.substr(end + 1);
  }
  return false;
}

const Syntax* syntax_of(Text path) {
  const auto name = path.substr(path.rfind('/') + 1);
  const auto dot = name.rfind('.');
  const auto extension = dot == Text::npos ? Text() : name.substr(dot);
  const auto* found = std::find_if(std::begin(kSyntaxes), std::end(kSyntaxes), [&](const Syntax& s) {
    return one_of(s.extensions, name) || (!extension.empty() && one_of(s.extensions, extension));
  });
  return found == std::end(kSyntaxes) ? nullptr : found;
}

bool holds_one(Text text, Text list) {
  while (!list.empty()) {
    const auto end = list.find('|');
    if (text.find(list.substr(0, end)) != Text::npos) return true;
    list = end == Text::npos ? Text() : list.substr(end + 1);
  }
  return false;
}

bool is_word(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return std::isalnum(byte) != 0 || c == '_' || c == '$' || byte >= 128;
}
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

/// Writes the tokens of a text, each after a separator that no text contains.
class Tokens {
 public:
  Tokens(const Syntax& syntax, Text text) : syntax_(syntax), text_(text) {}

  /// Returns nullopt if a string or comment is not terminated.
  std::optional<Scan> read() {
    if (text_.find('\0') != Text::npos || holds_one(text_, syntax_.unread)) return std::nullopt;
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
    while (at_ < text_.size() && !broken_) step();
    if (broken_) return std::nullopt;
    return Scan{std::move(out_), std::move(found_), std::move(prose_)};
  }

 private:
  static constexpr char kEnd = '\0';

  [[nodiscard]] bool has(unsigned trait) const { return (syntax_.traits & trait) != 0; }
  [[nodiscard]] bool here(Text word) const { return !word.empty() && text_.substr(at_).starts_with(word); }
  [[nodiscard]] char next(std::size_t n = 1) const { return at_ + n < text_.size() ? text_[at_ + n] : '\n'; }

  void step() {
    const char c = text_[at_];
    if (c == '\n') return end_of_line();
    if (is_blank(c)) {
      ++at_;
      spaced_ = true;
      if (line_begins_) indent_ += c;
      return;
    }
    if (c == '\\' && next() == '\n') {
      at_ += 2;
      spaced_ = true;
      return;
    }
    if (comment()) return;
    if (string()) return;
    begin_token();
    if (is_word(c)) return word();
    punctuation(c);
  }

  void end_of_line() {
    ++at_;
    spaced_ = true;
    const bool token = has(kNewLines) || (has(kPreprocessor) && directive_);
    if (token && depth_ == 0 && !line_begins_) pending_ = true;
    if (depth_ == 0) line_begins_ = true, indent_.clear();
    directive_ = false;
  }

  // Emits the pending line end and the indentation before a line's first token.
  void begin_token() {
    if (pending_) put("\n");
    pending_ = false;
    if (line_begins_) {
      if (has(kIndent) && !indent_.empty()) put(indent_);
    } else if (has(kSpaces) && spaced_) {
      put(" ");
    }
    line_begins_ = false;
  }

  void put(Text token) { out_.append(token).append(1, kEnd); }

  void note(TokenKind kind, std::size_t begin, std::size_t end) {
    line_ += static_cast<int>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(counted_),
                                         text_.begin() + static_cast<std::ptrdiff_t>(begin), '\n'));
    counted_ = begin;
    found_.push_back({kind, begin, end, line_});
  }

  bool comment() {
    if (here(syntax_.open)) return block();
    auto list = syntax_.line;
    while (!list.empty()) {
      const auto end = list.find(' ');
      const auto mark = list.substr(0, end);
      list = end == Text::npos ? Text() : list.substr(end + 1);
      if (!here(mark)) continue;
      if (has(kWholeLine) && !line_begins_) return false;
      if (has(kWordStart) && !spaced_ && at_ > 0 && !line_begins_) return false;
      const auto stop = std::min(text_.find('\n', at_), text_.size());
      obey(at_, stop);
      at_ = stop;
      return true;
    }
    return false;
  }

  bool block() {
    const auto begin = at_;
    int depth = 1;
    for (at_ += syntax_.open.size(); at_ < text_.size() && depth > 0;) {
      if (here(syntax_.close)) {
        --depth;
        at_ += syntax_.close.size();
      } else if (has(kNested) && here(syntax_.open)) {
        ++depth;
        at_ += syntax_.open.size();
      } else {
        ++at_;
      }
    }
    broken_ = depth > 0;
    const auto whole = text_.substr(begin, at_ - begin);
    obey(begin, at_);
    spaced_ = true;
    // A comment over several lines ends the line on which it begins.
    if (whole.find('\n') != Text::npos && has(kNewLines) && !line_begins_ && depth_ == 0) pending_ = true;
    return true;
  }

  void obey(std::size_t begin, std::size_t end) {
    const auto comment = text_.substr(begin, end - begin);
    auto body = comment;
    while (!body.empty() && (body.front() == '/' || body.front() == '*' || body.front() == '#' ||
                             body.front() == '-' || body.front() == ';'))
      body.remove_prefix(1);
    const auto exact = body;
    body = trim(body);
    for (const auto& word : kObeyed)
      if (body.starts_with(word) || (word.front() == '#' && comment.substr(1).starts_with(word))) {
        begin_token();
        put(exact);
        return;
      }
    if ((comment.starts_with("#!") && begin == 0) || comment.starts_with("# -*-") ||
        comment.starts_with("#-*-"))
      put(comment);
    else
      prose_.push_back({begin, end});
  }

  bool string() {
    const char c = text_[at_];
    if (has(kCppRaw) && c == 'R' && next() == '"' && (at_ == 0 || !is_word(text_[at_ - 1]))) return cpp_raw();
    if (has(kRust) && c == 'r' && (next() == '"' || next() == '#') && (at_ == 0 || !is_word(text_[at_ - 1])))
      return rust_raw();
    if (has(kRegex) && c == '/' && value_may_begin()) return regex();
    if (syntax_.quotes.find(c) == Text::npos) return false;
    if (has(kRust) && c == '\'' && next() != '\\' && next(2) != '\'') return false;  // a lifetime
    const auto begin = at_;
    if (c == '`' && has(kTemplate)) {
      skip_template();
    } else if (has(kTriple) && next() == c && next(2) == c) {
      at_ += 3;
      skip_to(std::string(3, c), true);
    } else {
      ++at_;
      const bool lines =
          c == '`' || has(kRust) || (syntax_.traits & (kTriple | kPreprocessor | kRegex | kRawBackTick)) == 0;
      skip_to(Text(&text_[begin], 1), !(c == '`' && has(kRawBackTick)), !lines);
    }
    return take(begin);
  }

  bool take(std::size_t begin) {
    if (broken_) return true;
    const auto token = text_.substr(begin, at_ - begin);
    if (has(kDocStrings) && line_begins_ && depth_ == 0 && token.find(">>>") == Text::npos &&
        ends_statement()) {
      prose_.push_back({begin, at_, true});
      return true;
    }
    begin_token();
    put(token);
    note(TokenKind::text, begin, at_);
    last_ = '"';
    last_is_operator_ = false;
    spaced_ = false;
    return true;
  }

  [[nodiscard]] bool ends_statement() const {
    const auto rest = text_.substr(at_, std::min(text_.find('\n', at_), text_.size()) - at_);
    const auto left = trim(rest);
    return left.empty() || left.front() == '#';
  }

  // Skips beyond the next unescaped `end`.
  void skip_to(Text end, bool escapes, bool one_line = false) {
    while (at_ < text_.size()) {
      if (here(end)) {
        at_ += end.size();
        return;
      }
      if (one_line && text_[at_] == '\n') break;
      at_ += escapes && text_[at_] == '\\' ? 2 : 1;
    }
    broken_ = true;
  }

  void skip_template() {
    // ${ } may contain strings and templates.
    std::string open(1, '`');
    for (++at_; at_ < text_.size() && !open.empty(); ++at_) {
      const char c = text_[at_];
      if (c == '\\') {
        ++at_;
      } else if (open.back() == '`') {
        if (c == '`') open.pop_back();
        if (c == '$' && next() == '{') open += '{', ++at_;
      } else if (open.back() == '{') {
        if (c == '}') open.pop_back();
        if (c == '{' || c == '`' || c == '"' || c == '\'') open += c;
      } else if (c == open.back()) {
        open.pop_back();
      }
    }
    broken_ = !open.empty();
  }

  [[nodiscard]] bool value_may_begin() const {
    if (last_ == 0 || Text("(,=:[!&|?{};+-*%<>~^").find(last_) != Text::npos) return true;
    return last_ == 'w' &&
           one_of("return typeof case in of do else void delete throw new await yield", word_);
  }

  bool regex() {
    const auto begin = at_++;
    bool in_class = false;
    for (; at_ < text_.size() && text_[at_] != '\n'; ++at_) {
      const char c = text_[at_];
      if (c == '\\') {
        ++at_;
      } else if (c == '[') {
        in_class = true;
      } else if (c == ']') {
        in_class = false;
      } else if (c == '/' && !in_class) {
        ++at_;
        return take(begin);
      }
    }
    broken_ = true;
    return true;
  }

  bool cpp_raw() {
    const auto begin = at_;
    const auto open = text_.find('(', at_);
    if (open == Text::npos) return broken_ = true;
    const auto end = ")" + std::string(text_.substr(at_ + 2, open - at_ - 2)) + "\"";
    at_ = open + 1;
    skip_to(end, false);
    return take(begin);
  }

  bool rust_raw() {
    const auto begin = at_;
    auto quote = at_ + 1;
    while (quote < text_.size() && text_[quote] == '#') ++quote;
    if (quote >= text_.size() || text_[quote] != '"') return false;  // r#name
    const auto end = "\"" + std::string(quote - at_ - 1, '#');
    at_ = quote + 1;
    skip_to(end, false);
    return take(begin);
  }

  void word() {
    const auto begin = at_;
    // Digit separators: 1'000'000 is one number.
    while (at_ < text_.size() &&
           (is_word(text_[at_]) || (text_[at_] == '\'' && has(kPreprocessor) && is_word(next()) &&
                                    std::isdigit(static_cast<unsigned char>(text_[begin])) != 0)))
      ++at_;
    word_ = text_.substr(begin, at_ - begin);
    put(word_);
    const bool digit = std::isdigit(static_cast<unsigned char>(word_.front())) != 0;
    note(digit ? TokenKind::number : TokenKind::word, begin, at_);
    last_ = 'w';
    last_is_operator_ = false;
    spaced_ = false;
  }

  void punctuation(char c) {
    if (c == '#' && has(kPreprocessor) && first_of_line()) directive_ = true;
    // "- -" is not "--": only adjacent operator characters are joined.
    const bool glued = !spaced_ && last_is_operator_ && is_operator(c);
    out_ += c;
    if (glued)
      found_.back().end = at_ + 1;
    else
      note(TokenKind::sign, at_, at_ + 1);
    if (!glued) out_ += ' ';
    out_ += kEnd;
    if ((syntax_.traits & kIndent) != 0 && !has(kWholeLine)) {
      if (c == '(' || c == '[' || c == '{') ++depth_;
      if ((c == ')' || c == ']' || c == '}') && depth_ > 0) --depth_;
    }
    last_ = c;
    last_is_operator_ = is_operator(c);
    spaced_ = false;
    ++at_;
  }

  [[nodiscard]] bool first_of_line() const {
    const auto line = text_.substr(0, at_).rfind('\n');
    const auto before =
        text_.substr(line == Text::npos ? 0 : line + 1, at_ - (line == Text::npos ? 0 : line + 1));
    return trim(before).empty();
  }

  static bool is_operator(char c) { return Text("+-*/%=<>!&|^~?:.@").find(c) != Text::npos; }

  const Syntax& syntax_;
  Text text_, word_;
  std::string out_, indent_;
  std::vector<Token> found_;
  std::vector<Prose> prose_;
  std::size_t counted_ = 0;  ///< bytes whose line ends are counted
  int line_ = 1;
  std::size_t at_ = 0;
  int depth_ = 0;  ///< depth of brackets, for languages with line tokens
  char last_ = 0;  ///< kind of the last token: 'w', '"', or the character itself
  bool line_begins_ = true, pending_ = false, spaced_ = true, broken_ = false;
  bool directive_ = false, last_is_operator_ = false;
};

}  // namespace
}  // namespace hydra::source::tokens

namespace hydra::source {

std::optional<Scan> scan(std::string_view path, std::string_view text) {
  const auto* syntax = tokens::syntax_of(path);
  if (!syntax) return std::nullopt;
  return tokens::Tokens(*syntax, text).read();
}

// In pages, styles and settings white space is text, so such files are no code.
bool is_code(std::string_view path) {
  const auto* syntax = tokens::syntax_of(path);
  return syntax && (syntax->traits & tokens::kSpaces) == 0;
}

}  // namespace hydra::source
