#include "parsers/generic_summary.hpp"

#include "base/strings.hpp"
#include "parsers/formats.hpp"
#include "parsers/scan.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace hydra::parsers {
namespace {

constexpr std::size_t kMostParts = 16;  ///< nor is one of more parts
constexpr std::size_t kMostHeadWords = 6;

struct Token {
  enum class Kind { word, number, sign, of, separator, duration, percent } kind = Kind::separator;
  std::int64_t n = 0;
  std::string word = {};  ///< in lower case
};
using TokenKind = Token::Kind;
using Tokens = std::span<const Token>;

bool is_unit(std::string_view w) { return among<"time_units">(w); }

bool is_time_word(std::string_view w) { return among<"time_words">(w); }

bool is_noun(std::string_view w) { return among<"test_nouns">(w); }

/// What is counted beside tests, or holds several: its figures are no tests.
bool is_other_noun(std::string_view w) { return among<"other_nouns">(w); }

/// "1,234" and "12", then what hangs on it: a unit, a percent sign. Nothing where the figure is part of
/// something else.
std::optional<Token> number_token(std::string_view& s) {
  auto n = eat_number(s);
  if (!n) return std::nullopt;
  while (s.size() >= 4 && s[0] == ',' && is_digit(s[1]) && is_digit(s[2]) && is_digit(s[3]) &&
         (s.size() == 4 || !is_digit(s[4])) && *n < 1'000'000'000) {
    s.remove_prefix(1);
    n = *n * 1000 + eat_number(s).value_or(0);
  }
  bool decimal = false;
  if (s.size() > 1 && s[0] == '.' && is_digit(s[1])) {
    decimal = true;
    s.remove_prefix(1);
    while (!s.empty() && is_digit(s[0])) s.remove_prefix(1);
    if (s.size() > 1 && s[0] == '.' && is_digit(s[1])) return std::nullopt;  // a version
  }
  if (eat(s, "%")) return Token{TokenKind::percent};
  std::size_t letters = 0;
  while (letters < s.size() && is_letter(s[letters])) ++letters;
  if (letters == 0) return decimal ? Token{TokenKind::duration} : Token{TokenKind::number, *n};
  if (!is_unit(to_lower(s.substr(0, letters)))) return std::nullopt;
  s.remove_prefix(letters);
  return Token{TokenKind::duration};
}

/// Nothing where the line has what no summary has.
std::optional<std::vector<Token>> tokens_of(std::string_view s) {
  std::vector<Token> out;
  const auto separate = [&out] {
    if (!out.empty() && out.back().kind != TokenKind::separator) out.push_back({TokenKind::separator});
  };
  while (!s.empty()) {
    if (out.size() > 6 * kMostParts) return std::nullopt;
    const char c = s[0];
    if (is_digit(c)) {
      auto t = number_token(s);
      if (!t) return std::nullopt;
      out.push_back(std::move(*t));
      continue;
    }
    if (is_letter(c)) {
      std::size_t n = 1;
      while (n < s.size() && (is_letter(s[n]) || s[n] == '\'' || (is_digit(s[n]) && s[n - 1] != '_'))) ++n;
      auto word = to_lower(s.substr(0, n));
      s.remove_prefix(n);
      eat(s, "(s)");
      eat(s, "(es)");
      const bool of_numbers =
          !out.empty() && (out.back().kind == TokenKind::number || out.back().word == "out");
      if (word == "and") {
        separate();
      } else if (word == "of" && !of_numbers) {
        // "number of tests"
      } else if (is_unit(word) && !out.empty() && out.back().kind == TokenKind::number) {
        out.back() = {TokenKind::duration};
      } else if (is_unit(word) && !out.empty() && out.back().kind == TokenKind::duration) {
      } else {
        out.push_back({word == "of" ? TokenKind::of : TokenKind::word, 0, std::move(word)});
      }
      continue;
    }
    s.remove_prefix(1);
    // "SUMMARY  pass=3": a wide gap between words.
    if ((c == ' ' || c == '\t') && !s.empty() && (s[0] == ' ' || s[0] == '\t') && !out.empty() &&
        out.back().kind == TokenKind::word) {
      eat_blanks(s);
      if (!s.empty() && is_letter(s[0])) separate();
      continue;
    }
    if (c == ' ' || c == '\t' || c == '_') continue;
    if ((c == ':' || c == '=') && !out.empty() && out.back().kind != TokenKind::separator &&
        !s.starts_with("=")) {
      out.push_back({TokenKind::sign});
    } else if (c == '/' && !out.empty() && out.back().kind == TokenKind::number && !s.empty() &&
               (is_digit(s[0]) || (s.size() > 1 && s[0] == ' ' && is_digit(s[1])))) {
      out.push_back({TokenKind::of});
    } else if (c == '.' && out.empty()) {
      return std::nullopt;  // progress
    } else if (c == '.' && !s.empty() && (is_letter(s[0]) || s[0] == '/')) {
      return std::nullopt;  // a path or a name
    } else if (c == '\\' || c == '"' || c == '{' || c == '}' || c == '<' || c == '$' || c == '@') {
      return std::nullopt;
    } else if (c == '-' && !out.empty() && out.back().kind == TokenKind::word && !s.empty() &&
               is_letter(s[0])) {
      continue;  // "not-run"
    } else {
      separate();
    }
  }
  return out;
}

/// Without durations and the words that lead to them.
std::vector<Token> without_times(std::vector<Token> tokens) {
  std::vector<Token> out;
  for (auto& t : tokens) {
    if (t.kind != TokenKind::duration && t.kind != TokenKind::percent) {
      out.push_back(std::move(t));
      continue;
    }
    while (!out.empty() && out.back().kind == TokenKind::duration) out.pop_back();
    auto keep = out.size();
    if (keep > 0 && out[keep - 1].kind == TokenKind::sign) --keep;
    const auto words = keep;
    while (keep > 0 && out[keep - 1].kind == TokenKind::word && is_time_word(out[keep - 1].word)) --keep;
    if (keep < words) out.resize(keep);
    out.push_back({t.kind});
  }
  return out;
}

struct Sense {
  Meaning of = Meaning::nothing;
  bool noun = false;  ///< "tests" stands there
};

/// What a phrase counts: "tests passed", "failed tests", "tests". Absent: no phrase of a summary.
std::optional<Sense> sense_of(Tokens words) {
  Sense out;
  std::string rest;
  bool other = false;
  for (const auto& w : words) {
    if (w.kind != TokenKind::word) return std::nullopt;
    if (is_other_noun(w.word))
      other = true;
    else if (is_noun(w.word))
      out.noun = true;
    else if (!among<"count_fillers">(w.word))
      rest += rest.empty() ? w.word : " " + w.word;
  }
  if (other) return Sense{};
  if (rest.empty()) return out.noun ? std::optional(Sense{Meaning::total, true}) : std::nullopt;
  if (among<"count_ignored">(rest)) return Sense{};
  const auto m = among<"count_all">(rest)        ? std::optional(Meaning::total)
                 : among<"count_left_out">(rest) ? std::optional(Meaning::skipped)
                 : one_of(rest, {"unsuccessful", "bad", "ko", "failed unexpectedly"})
                     ? std::optional(Meaning::failed)
                 : rest == "good" ? std::optional(Meaning::passed)
                                  : meaning_of(rest);
  if (!m) return std::nullopt;
  out.of = *m;
  return out;
}

std::string text_of(Tokens words) {
  std::string out;
  for (const auto& w : words) out += out.empty() ? w.word : " " + w.word;
  return out;
}

std::size_t words_at(Tokens t, std::size_t i) {
  std::size_t n = 0;
  while (i + n < t.size() && t[i + n].kind == TokenKind::word) ++n;
  return n;
}

/// "3" or "3 of 5" at `i`; moves it behind them.
struct Amount {
  std::int64_t n = 0;
  std::optional<std::int64_t> of;
};
std::optional<Amount> amount_at(Tokens t, std::size_t& i) {
  if (i >= t.size() || t[i].kind != TokenKind::number) return std::nullopt;
  Amount out{t[i++].n, {}};
  auto at = i;
  if (at < t.size() && t[at].kind == TokenKind::word && t[at].word == "out") ++at;
  if (at + 1 < t.size() && t[at].kind == TokenKind::of && t[at + 1].kind == TokenKind::number) {
    out.of = t[at + 1].n;
    i = at + 2;
  }
  return out;
}

class SummaryReader {
 public:
  /// False: the chunk is no part of a summary.
  bool chunk(Tokens t) {
    std::vector<Token> bare;
    for (const auto& x : t)
      if (x.kind != TokenKind::duration && x.kind != TokenKind::percent) bare.push_back(x);
    const bool measured = bare.size() < t.size();
    const bool figures =
        std::any_of(bare.begin(), bare.end(), [](const Token& x) { return x.kind == TokenKind::number; });
    if (!figures) {
      if (all_passed(bare)) return true;
      // A headline before all counts, what a duration or a share is of, or nothing.
      const bool headline = parts_.empty() && heads_ + bare.size() <= kMostHeadWords;
      heads_ += bare.size();
      for (const auto& x : bare) other_ = other_ || is_other_noun(x.word);
      return bare.empty() || measured || headline || is_closing(bare);
    }
    const auto before = parts_.size();
    if (assigned(bare)) return true;
    parts_.resize(before);
    return numbered(bare);
  }
  std::vector<SummaryPart> parts() && {
    // "Suites: 3 passed, 1 failed" counts no tests.
    if (other_)
      for (auto& p : parts_) p.of = Meaning::nothing;
    return std::move(parts_);
  }

 private:
  static bool is_closing(Tokens t) {
    return t.size() == 1 &&
           one_of(t[0].word, {"total", "ok", "passed", "failed", "success", "done", "fail", "pass"});
  }

  /// "Ran 4 tests, all passed".
  bool all_passed(Tokens t) {
    if (parts_.size() != 1 || parts_[0].of != Meaning::total || t.size() != 2 || t[0].word != "all" ||
        !one_of(t[1].word, {"passed", "ok", "pass", "succeeded", "successful"}))
      return false;
    parts_.push_back({Meaning::passed, parts_[0].n, "tests:all"});
    return true;
  }

  void put(Sense sense, const Amount& a, std::string word) {
    // What is shared out of a number of other things is no test either.
    parts_.push_back({sense.of, a.n, (sense.noun ? "tests:" : "") + std::move(word)});
    if (a.of)
      parts_.push_back({sense.of == Meaning::nothing ? Meaning::nothing : Meaning::total, *a.of, "of"});
  }

  /// "passed: 3", "PASS 5 FAIL 1", "Passed: 3/5", "Passed: 3 tests".
  bool assigned(Tokens t) {
    std::size_t i = 0;
    std::size_t n = 0;
    while (i < t.size()) {
      const auto words = words_at(t, i);
      if (words == 0) return false;
      const auto phrase = t.subspan(i, words);
      i += words;
      bool sign = false;
      if (i < t.size() && t[i].kind == TokenKind::sign) {
        sign = true;
        ++i;
      }
      // "ran 5 tests" says how many there are, not how many "ran".
      if (!sign && n == 0 && (phrase[0].word == "ran" || phrase[0].word == "all")) return false;
      const auto amount = amount_at(t, i);
      const auto sense = sense_of(phrase);
      if (!amount || !sense) return false;
      const auto after = words_at(t, i);
      if (after == 1 && i + after == t.size() && is_noun(t[i].word) && sense->of != Meaning::total)
        ++i;
      else if (after == 1 && i + after == t.size() && is_other_noun(t[i].word) &&
               sense->of == Meaning::nothing)
        ++i;
      put(*sense, *amount, text_of(phrase));
      ++n;
    }
    return n > 0;
  }

  /// "3 passed", "Ran 5 tests: 3 passed", "2 of 5 tests failed", "5 passed 1 failed".
  bool numbered(Tokens t) {
    std::size_t i = 0;
    if (!parts_.empty() && t[0].word == "with") t = t.subspan(1);
    const auto head = words_at(t, 0);
    const bool head_sign = head < t.size() && t[head].kind == TokenKind::sign;
    if (head > 0) {
      if (!parts_.empty()) return false;
      const auto first = text_of(t.first(head));
      const bool known = among<"summary_heads">(first);
      if ((!head_sign && !known) || head > kMostHeadWords) return false;
      for (const auto& w : t.first(head)) other_ = other_ || is_other_noun(w.word);
      i = head + (head_sign ? 1 : 0);
    } else if (head_sign) {
      return false;
    }
    std::size_t n = 0;
    while (i < t.size()) {
      const auto amount = amount_at(t, i);
      if (!amount) return false;
      const auto words = words_at(t, i);
      if (words == 0) return false;
      const auto phrase = t.subspan(i, words);
      const auto sense = sense_of(phrase);
      if (!sense) return false;
      i += words;
      put(*sense, *amount, text_of(phrase));
      ++n;
      if (i < t.size() && t[i].kind == TokenKind::sign) ++i;
    }
    return n > 0;
  }

  std::vector<SummaryPart> parts_;
  std::size_t heads_ = 0;
  bool other_ = false;
};

}  // namespace

std::vector<SummaryPart> summary_parts(std::string_view line) {
  line = trim(line);
  if (line.empty() || line.size() > SummaryPart::kLongest) return {};
  auto raw = tokens_of(line);
  if (!raw) return {};
  const auto tokens = without_times(std::move(*raw));
  SummaryReader reader;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= tokens.size(); ++i) {
    if (i < tokens.size() && tokens[i].kind != TokenKind::separator) continue;
    if (i > begin && !reader.chunk(Tokens(tokens).subspan(begin, i - begin))) return {};
    begin = i + 1;
  }
  auto parts = std::move(reader).parts();
  if (parts.size() > kMostParts) return {};
  return parts;
}

std::optional<GenericSummary> summary_of(const std::vector<SummaryPart>& parts) {
  GenericSummary out;
  auto& f = out.figures;
  std::array<bool, 6> kinds{};
  bool noun = false;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto& p = parts[i];
    // The same word twice: two results that nobody has told apart.
    for (std::size_t k = 0; k < i; ++k)
      if (p.of != Meaning::nothing && p.of != Meaning::total && parts[k].of == p.of &&
          parts[k].word == p.word)
        return {};
    kinds[static_cast<std::size_t>(p.of)] = true;
    noun = noun || (p.word.starts_with("tests:") && p.of == Meaning::passed) ||
           p.word == "tests:tests completed" || p.word == "tests:tests complete" ||
           p.word == "tests:test completed";
    if (p.of != Meaning::total)
      add(f, p.of, p.n);
    else if (f.total && *f.total != p.n)
      return {};
    else
      f.total = p.n;
  }
  const auto n = std::count(kinds.begin(), kinds.begin() + static_cast<int>(Meaning::nothing), true);
  if (n == 0) return {};
  out.whole = (n >= 2 || noun) && (f.passed || f.total);
  return out;
}

}  // namespace hydra::parsers
