// Totals of linters that nobody described: a line of nothing but figures, words for findings and words that
// say nothing. Believed only where no finding and no known tool's total stands beside them.
#include "base/strings.hpp"
#include "parsers/formats.hpp"
#include "parsers/lint_scan.hpp"
#include "parsers/scan.hpp"

#include <array>

namespace hydra::parsers {
namespace {

constexpr std::size_t kLongestTotal = 200;

enum class Word { error, warning, any, neutral, counted, no, good, time, unknown };

Word word_of(std::string_view w) {
  if (among<"finding_error">(w)) return Word::error;
  if (among<"finding_warning">(w)) return Word::warning;
  if (among<"finding_any">(w)) return Word::any;
  if (among<"finding_places">(w)) return Word::counted;
  if (among<"finding_none">(w)) return Word::no;
  if (among<"finding_good">(w)) return Word::good;
  if (among<"finding_times">(w)) return Word::time;
  if (among<"finding_neutral">(w)) return Word::neutral;
  return Word::unknown;
}

void put(Total& said, Word word, std::int64_t n) {
  auto& to = word == Word::error ? said.errors : word == Word::warning ? said.warnings : said.all;
  to = to.value_or(0) + n;
}

/// Nothing where the line has a word or a figure that does not belong there.
std::optional<Total> said_by(std::string_view line) {
  if (line.size() > kLongestTotal) return std::nullopt;
  const auto lower = to_lower(trim(line));
  std::string_view s = lower;
  Total said;
  std::optional<std::int64_t> number;  // waits for its word
  Word last = Word::neutral;           // the word before, which may wait for its number
  bool assigned = false, no = false, linted = false, good = false, spoken = false;
  while (!s.empty()) {
    if (is_digit(s[0])) {
      const auto before = s;
      const auto n = eat_number(s);
      if (!n || number) return std::nullopt;
      if (s.size() > 1 && s[0] == '.' && is_digit(s[1])) {  // a duration, or something else
        auto rest = before;
        eat_decimal(rest);
        eat_blanks(rest);
        std::size_t k = 0;
        while (k < rest.size() && is_letter(rest[k])) ++k;
        if (word_of(rest.substr(0, k)) != Word::time) return std::nullopt;
        s = rest.substr(k);
        continue;
      }
      if (assigned && (last == Word::error || last == Word::warning || last == Word::any)) {
        put(said, last, *n);
        assigned = false;
        last = Word::neutral;
      } else if (assigned && last == Word::counted) {
        assigned = false;
      } else {
        number = n;
      }
      continue;
    }
    if (is_letter(s[0])) {
      std::size_t n = 0;
      while (n < s.size() && is_letter(s[n])) ++n;
      const auto text = s.substr(0, n);
      const auto word = word_of(text);
      s.remove_prefix(n);
      eat(s, "(s)");
      if (word == Word::unknown || (!s.empty() && (s[0] == '/' || s[0] == '_' || s[0] == '\\')))
        return std::nullopt;
      if (!s.empty() && s[0] == '.' && s.size() > 1 && s[1] != ' ') return std::nullopt;
      linted = linted || text.starts_with("lint") || text.starts_with("check");
      assigned = false;
      spoken = true;
      switch (word) {
        case Word::error:
        case Word::warning:
        case Word::any:
          if (number)
            put(said, word, *number);
          else if (no)
            put(said, word, 0);
          number.reset();
          break;
        case Word::counted:
        case Word::time:
          number.reset();
          break;
        case Word::no:
          no = true;
          break;
        case Word::good:
          good = true;
          break;
        default:
          if (number && !one_of(text, {"lint", "linting", "style", "code", "syntax", "format", "formatting",
                                       "type", "total"}))
            return std::nullopt;
          break;
      }
      last = word;
      continue;
    }
    const char c = s[0];
    s.remove_prefix(1);
    if (c == ':' || c == '=') {
      assigned = last == Word::error || last == Word::warning || last == Word::any || last == Word::counted;
      if (!assigned && !spoken) return std::nullopt;
    } else if (c == '/' || c == '\\' || c == '<' || c == '>' || c == '"' || c == '\'' || c == '`' ||
               c == '@' || c == '$' || c == '{') {
      return std::nullopt;
    }
  }
  if (number) return std::nullopt;
  // "Linted 3 files, all good" says that there is nothing.
  if (!said.errors && !said.warnings && !said.all && !(linted && good && !no)) return std::nullopt;
  return said;
}

}  // namespace

std::size_t read_totals(LintScan& scan) {
  const auto said = said_by(scan.line());
  if (!said) return 0;
  scan.out.said(*said, scan.i);
  return 1;
}

}  // namespace hydra::parsers
