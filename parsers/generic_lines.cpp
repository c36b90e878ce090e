#include "base/strings.hpp"
#include "parsers/formats.hpp"
#include "parsers/generic_summary.hpp"
#include "parsers/scan.hpp"

#include <array>

namespace hydra::parsers {

bool says_no_tests(std::string_view line) {
  if (line.size() > SummaryPart::kLongest) return false;
  std::string words;
  const auto lower = to_lower(trim(line));
  // Without tags, marks and what ends a sentence.
  for (const char c : lower) {
    if (is_letter(c) || is_digit(c))
      words += c;
    else if (!words.empty() && words.back() != ' ')
      words += ' ';
  }
  std::string_view s = words;
  s = trim_end(s);
  for (const std::string_view head : {"error ", "info ", "warning ", "warn ", "notice "}) eat(s, head);
  static constexpr std::array<std::string_view, 5> subjects{"no tests", "no test files", "no test cases",
                                                            "no specs", "no test"};
  for (const auto subject : subjects) {
    auto rest = s;
    if (!eat(rest, subject)) continue;
    if (rest.empty()) return true;
    eat(rest, " were");
    if (one_of(rest, {" found", " ran", " run", " to run", " executed", " collected", " selected", " matched",
                      " discovered", " available", " defined"}))
      return true;
  }
  return among<"no_tests">(s);
}

bool beside_counts(std::string_view line) {
  if (line.size() > SummaryPart::kLongest) return false;
  const auto lower = to_lower(trim(line));
  std::string_view s = lower;
  while (!s.empty() && !is_letter(s[0])) {
    if (is_digit(s[0])) return false;
    s.remove_prefix(1);
  }
  if (s.empty()) return true;
  std::size_t n = 0;
  while (n < s.size() && is_letter(s[n])) ++n;
  const auto word = s.substr(0, n);
  return among<"other_nouns">(word) || among<"beside_counts">(word);
}

}  // namespace hydra::parsers
