#include "source/twin.hpp"

#include "base/strings.hpp"
#include "source/token_edits.hpp"
#include "source/tokens.hpp"
#include "source/twin_scopes.hpp"
#include "source/twin_shell.hpp"
#include "source/twin_table.hpp"
#include "source/twin_words.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace hydra::source {
namespace {

using tokens::among;
using tokens::Family;
using tokens::Span;
using tokens::TokenEdits;
using Text = std::string_view;

/// A call of an assertion: name and arguments.
struct Call {
  std::size_t name = 0;
  std::vector<Span> arguments;
  std::size_t end = 0;            ///< token after the call
  bool expects = false;           ///< whether the form is expect(x).name(…)
  std::size_t after_subject = 0;  ///< place of "not" in that form
};

class Twinner : TokenEdits {
 public:
  Twinner(Text path, Text text, const Scan& scanned, std::uint64_t seed)
      : TokenEdits(path, text, scanned.tokens, seed),
        bats_(path.ends_with(".bats")),
        tests_in_functions_(family_ == Family::python && text.find("def test") != Text::npos) {}

  Twin make() {
    for (std::size_t i = 0; i < tokens_.size();) {
      begin_test(i);
      const auto before = edits_.size(), said = said_.size();
      const auto begin = i;
      clear_ = true;
      i = std::max(i + 1, step(i));
      if (edits_.size() == before) continue;
      if (!test_.empty()) tests_.insert(test_);
      if (family_ != Family::go && said_.size() == said) said_.push_back({begin, i, 0, 0, clear_});
    }
    // A file without assertions is a test program, whose verdict is main()'s return value.
    if (edits_.empty() && family_ == Family::c)
      for (std::size_t i = 0; i < tokens_.size(); ++i)
        if (of(i) == "return") condition({i + 1, next_of(i, ";", "?")}, true);
    return written();
  }

 private:
  // Recognises "def test_a(", "func TestA(", "test('a', ", "TEST(Area, Zero)", "@test "a" {".
  void begin_test(std::size_t i) {
    const auto own = of(i);
    if (family_ == Family::python && (i == 0 || text_[tokens_[i].begin - 1] == '\n'))
      loading_ = !among(" def class async @ ", own);
    const auto title = [&](std::size_t at) {
      const auto text = of(at);
      if (at < tokens_.size() && tokens_[at].kind == TokenKind::text && text.size() > 2)
        test_ = text.substr(1, text.size() - 2);
    };
    if (among(" def func fn ", own) && is_word(i + 1)) test_ = of(i + 1);
    if (own == "func" && of(i + 1) == "(") test_ = of(partner(i + 1) + 1);  // a method of a suite
    if (family_ == Family::script && among(" test it specify ", own) && of(i + 1) == "(") title(i + 2);
    if (family_ == Family::shell && own == "test" && i > 0 && of(i - 1) == "@") title(i + 1);
    if (family_ == Family::c && own.starts_with("TEST") && of(i + 1) == "(") {
      title(i + 2);
      if (of(i + 3) == ",") test_ = of(i + 4);
    }
  }

  std::size_t step(std::size_t i) {
    if (family_ == Family::shell) return tokens::ShellTwins(*this, bats_).step(i);
    // A failure while the file loads would hide all tests, so code outside of functions stays.
    if (!is_word(i) || (loading_ && tests_in_functions_)) return i;
    const auto own = of(i);
    if (own == "if" || own == "unless") return branch(i);
    if (own == "assert" && family_ == Family::python) return statement(i);
    if (own == "should_panic" && of(i + 1) == "]") {
      ++found_;
      replace(i, "allow(unused)");
    }
    if (const auto call = call_at(i); call.end > i) {
      ++found_;
      const auto before = edits_.size();
      change(call);
      if (edits_.size() == before) --found_;
      return call.end;
    }
    return i;
  }

  // Handles "assert x == 4, 'why'".
  std::size_t statement(std::size_t i) {
    const auto end = end_of_line(i);
    auto to = i + 1;
    for (; to < end && of(to) != ","; ++to)
      if (opens(of(to))) to = std::min(partner(to), end - 1);
    condition({i + 1, to}, false);
    return end;
  }

  // Handles a branch that complains: its condition describes the failure.
  std::size_t branch(std::size_t i) {
    Span span{i + 1, i + 1};
    auto body = i + 1;
    if (family_ == Family::go || family_ == Family::rust) {
      auto end = i + 1;
      for (; end < tokens_.size() && of(end) != "{"; ++end) {
        if (of(end) == ";") span.from = end + 1;
        if (of(end) == "(" || of(end) == "[") end = partner(end);
      }
      span.to = end;
      body = end + 1;
    } else if (family_ == Family::python) {
      if (!begins_line(i)) return i + 1;  // "a if b else c"
      span.to = next_of(i + 1, ":", ":");
      body = span.to + 1;
    } else if (of(i + 1) == "(") {
      span = {i + 2, partner(i + 1)};
      body = span.to + (of(span.to + 1) == "{" ? 2 : 1);
    }
    const bool complains =
        among(tokens::kComplaints, of(body)) || (family_ == Family::c && of(body) == "return");
    const bool unless = of(i) == "unless";
    if (!complains || span.to <= span.from || of(span.from) == "let") return i + 1;
    const bool negated = condition(span, !unless);
    if (family_ == Family::go && of(body) == "t" && test_.starts_with("Test"))
      said_.push_back({i, body, body - 1, partner(body - 1), true});
    // "t.Fatal(err.Error())" with a nil err would panic and end the whole package.
    if (family_ == Family::go && of(body) == "t" && negated) insert(tokens_[body].begin, "t.FailNow(); ");
    if (family_ == Family::c && (of(body) != "return" || !among(" 0 ; ", of(body + 1))))
      said_.push_back({i, span.to + 1, span.to + 1, 0, true});
    return i + 1;
  }

  // Counts of comparison operators in a span.
  struct Signs {
    std::size_t equal = 0, unequal = 0, others = 0, at = 0;
  };
  [[nodiscard]] Signs signs_of(Span span) const {
    Signs signs;
    for (auto i = span.from; i < span.to; ++i) {
      const auto own = of(i);
      if (opens(own)) i = std::min(partner(i), span.to);
      const bool perl = family_ == Family::perl;
      if (own == "==" || own == "===" || (perl && own == "eq")) ++signs.equal, signs.at = i;
      if (own == "!=" || own == "!==" || (perl && own == "ne")) ++signs.unequal, signs.at = i;
      if (among(" < > <= >= && || and or not in is if else ? lambda lt gt le ge ", own)) ++signs.others;
    }
    return signs;
  }

  /// Returns whether the condition was negated, so that code after it may dereference a missing value.
  bool condition(Span span, bool inverted) {
    if (span.to <= span.from || span.to > tokens_.size()) return false;
    ++found_;
    const auto signs = signs_of(span);
    const auto wanted = inverted ? signs.unequal : signs.equal;
    const auto other = inverted ? signs.equal : signs.unequal;
    if (wanted > 0 && other == 0 && signs.others == 0 && of(span.from) != "!") {
      if (change_literals({span.from, span.to})) return false;
      if (wanted == 1 && tokens::is_dynamic(family_) && signs.at + 1 < span.to) {
        surround({signs.at + 1, span.to}, "[", ", " + other_value() + "]");
        return false;
      }
    }
    const bool word = family_ == Family::python;
    surround(span, word ? "not (" : "!(", ")");
    return true;
  }

  /// A string that no test expects.
  [[nodiscard]] std::string other_value() const { return '"' + tokens::drawn_word(seed_, text_) + '"'; }

  // Whether the call or index at this bracket is an input rather than an expected value.
  [[nodiscard]] bool is_input(std::size_t i, std::size_t begin) const {
    if (i == begin) return false;
    const auto own = of(i), before = of(i - 1);
    const bool value_before = before == ")" || before == "]" || before == "->" ||
                              (tokens_[i - 1].kind == TokenKind::text) ||
                              (is_word(i - 1) && !among(" in and or not return is if else ", before));
    if (own == "{") return before == ")" || before == "=>" || before == "|";
    if (own == "[") return value_before;
    if (!value_before) return false;
    const bool used = of(partner(i) + 1) == "." || of(partner(i) + 1) == "[";
    const bool makes =
        is_word(i - 1) && (among(tokens::kMakers, before) ||
                           (family_ != Family::go && before.front() >= 'A' && before.front() <= 'Z'));
    return used || !makes;
  }

  bool change_literals(Span span) {
    const auto before = edits_.size();
    for (auto i = span.from; i < span.to; ++i) {
      const auto own = of(i);
      if (opens(own) && is_input(i, span.from)) {
        i = std::min(partner(i), span.to);
        continue;
      }
      if (tokens::is_dynamic(family_) && own == "[" && of(i + 1) == "]")
        insert(tokens_[i].end, other_value());
      if (is_literal(i))
        if (auto other = tokens::other_literal(family_, tokens_[i].kind, own, draw(i))) replace(i, *other);
    }
    return edits_.size() > before;
  }

  [[nodiscard]] bool is_literal(std::size_t i) const {
    const auto before = i > 0 ? of(i - 1) : Text(), after = of(i + 1);
    const auto kind = tokens_[i].kind;
    if (kind == TokenKind::sign) return false;
    if (before == "/" || before == "%") return false;  // a divisor 0 does not build
    // "x.0", and names.
    if (before == "." && !(kind == TokenKind::number && i > 1 && tokens_[i - 2].kind == TokenKind::number))
      return false;
    if (before == "=" && family_ == Family::python && i > 1 && is_word(i - 2)) return false;  // places=7
    if (kind == TokenKind::text && after == ".") return among(tokens::kKeepers, of(i + 2));
    return kind != TokenKind::word || after != "(";
  }

  [[nodiscard]] bool is_assertion(std::size_t i) const {
    const auto own = of(i), before = i > 0 ? of(i - 1) : Text(), after = of(i + 1);
    const bool declared = i > 0 && is_word(i - 1) && !begins_line(i) &&
                          !among(" return else await then do and or not ", before);
    if (declared || before == "&") return false;
    if (family_ == Family::perl)
      return among(" is isnt ok is_deeply like unlike cmp_ok ", own) && before != "->" && before != "{";
    const auto lower = to_lower(own.substr(0, 6));
    if (own.starts_with("CHECK") || own.starts_with("REQUIRE") || lower.starts_with("assert")) return true;
    if (lower == "expect") return before != ".";
    if (own == "require") return after == ".";
    if (own == "raises") return family_ == Family::python;
    const bool tap = family_ == Family::script && own == "t" && after == ".";
    return tap &&
           among(
               " is equal equals deepEqual deepEquals same strictSame true false ok notOk match throws "
               "not strictEqual deepStrictEqual ",
               of(i + 2));
  }

  [[nodiscard]] Call call_at(std::size_t i) const {
    Call call;
    if (!is_assertion(i)) return call;
    call.expects = of(i) == "expect";
    call.name = i;
    auto at = i + 1;
    if (of(at) == "!") ++at;  // a macro of Rust
    for (;;) {
      while ((of(at) == "." || of(at) == "::" || of(at) == "->") && is_word(at + 1))
        call.name = at + 1, at += 2;
      if (family_ == Family::perl && of(at) != "(") {
        call.end = next_of(at, ";", "}");
        call.arguments = arguments({at, call.end});
        return call;
      }
      if (of(at) != "(") return call;
      const auto close = partner(at);
      call.arguments = arguments({at + 1, std::min(close, tokens_.size())});
      call.end = at = close + 1;
      if (call.after_subject == 0 && close < tokens_.size()) call.after_subject = tokens_[close].end;
      if (of(at) != "." || !is_word(at + 1)) return call;
    }
  }

  [[nodiscard]] std::vector<Span> arguments(Span span) const {
    std::vector<Span> list;
    for (auto from = span.from; from < span.to;) {
      auto to = from;
      for (; to < span.to && of(to) != ","; ++to)
        if (opens(of(to))) to = std::min(partner(to), span.to - 1);
      if (to > from) list.push_back({from, to});
      from = to + 1;
    }
    // The first argument in Go is the testing.T.
    if (family_ == Family::go && !list.empty() && of(list.front().from) == "t") list.erase(list.begin());
    return list;
  }

  void change(const Call& call) {
    const auto name = of(call.name);
    const auto lower = to_lower(name);
    const auto& arguments = call.arguments;
    if (among(" assert ok asserttrue expect_true assert_true check require istrue true ", lower) &&
        !arguments.empty()) {
      const bool message_first = tokens_[arguments[0].from].kind == TokenKind::text && arguments.size() > 1;
      --found_;
      condition(arguments[message_first ? 1 : 0], false);
      return;
    }
    // Expecting BlockingIOError makes any other exception a failure.
    if (family_ == Family::python && (name == "raises" || name.starts_with("assertRaises")) &&
        !arguments.empty()) {
      edits_.push_back(
          {tokens_[arguments[0].from].begin, tokens_[arguments[0].to - 1].end, "BlockingIOError"});
      return;
    }
    const auto has = [&](Text part) { return lower.find(part) != std::string::npos; };
    const bool negative = has("not") || lower.ends_with("_ne");
    const bool equality =
        !negative && (has("equal") || has("eq") || has("same") || has("is_deeply") || has("near") ||
                      has("close") || lower == "is" || lower == "tobe" || lower == "cmp_ok");
    const auto values = std::min<std::size_t>(arguments.size(), lower == "cmp_ok" ? 3 : 2);
    if (equality && values > 0) {
      bool any = false;
      for (std::size_t i = 0; i < values; ++i) any = change_literals(arguments[i]) || any;
      clear_ = !has("near") && !has("close") && !has("almost");
      if (any) return;
      if (tokens::is_dynamic(family_))
        return surround(arguments[values - 1], "[", ", " + other_value() + "]");
    }
    if (call.expects && call.name > 0) return toggle_not(call);
    if (const auto opposite = tokens::opposite_of(name); !opposite.empty())
      return replace(call.name, opposite);
    clear_ = false;
    for (const auto& argument : arguments) change_literals(argument);
  }

  void toggle_not(const Call& call) {
    for (auto i = call.name; i > 1 && of(i) != ")"; --i)
      if (of(i) == "not" && of(i - 1) == ".") {
        edits_.push_back({tokens_[i - 1].begin, tokens_[i].end, ""});
        return;
      }
    insert(call.after_subject, ".not");
  }

  Twin written() {
    const auto frames = tokens::frames_of(family_, text_, tokens_, said_);
    auto both = edits_;
    std::vector<Edit> around;
    for (const auto& frame : frames)
      for (auto* edits : {&both, &around}) {
        edits->push_back({frame.begin, frame.begin + frame.dropped, std::string(frame.before)});
        edits->push_back({frame.end, frame.end, std::string(frame.after)});
      }
    const std::string prelude(frames.empty() ? Text() : tokens::prelude_of(family_, text_));
    return {prelude + edited(both), prelude + edited(around), both.empty() ? 0 : found_, std::move(tests_)};
  }

  [[nodiscard]] std::string edited(std::vector<Edit>& edits) const {
    std::stable_sort(edits.begin(), edits.end(), [](const Edit& a, const Edit& b) {
      return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
    });
    std::string made;
    std::size_t at = 0;
    for (const auto& edit : edits) {
      if (edit.begin < at) continue;
      made.append(text_.substr(at, edit.begin - at)).append(edit.with);
      at = edit.end;
    }
    return made.append(text_.substr(at));
  }

  bool bats_ = false, tests_in_functions_ = false;
  bool loading_ = false;  ///< Python: whether the current code runs at load time
  std::vector<tokens::Statement> said_;
  bool clear_ = true;  ///< whether the current change cannot hold in both files
  std::string test_;   ///< current test
  std::set<std::string> tests_;
};

}  // namespace

std::optional<Twin> twin(std::string_view path, std::string_view text, std::uint64_t seed) {
  if (text.size() > kMostTwinBytes || !is_code(path)) return std::nullopt;
  const auto scanned = scan(path, text);
  if (!scanned) return std::nullopt;
  return Twinner(path, text, *scanned, seed).make();
}

}  // namespace hydra::source
