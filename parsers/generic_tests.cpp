// Totals of unknown runners: "3 passed, 1 failed", "PASS: 5 FAIL: 1", or a count per line. Runs only if no
// other reader found a run. Counts are believed only if they tell how every test ended.
#include "base/strings.hpp"
#include "parsers/marks.hpp"
#include "parsers/scan.hpp"
#include "parsers/summaries.hpp"

#include <algorithm>

namespace hydra::parsers {
namespace {

constexpr std::size_t kLongest = 200;  ///< a longer line is no summary
constexpr std::size_t kTail = 25;      ///< maximum number of lines behind a summary
constexpr std::size_t kFew = 3;        ///< … if a test may have printed the summary

/// The counts of a line.
struct Line {
  Figures figures;
  int counts = 0;      ///< number of figures
  bool known = false;  ///< the line is a list of counts, or of times, or is empty
};

/// Meaning of "passed", "tests failed", "number of tests"; nothing if a word belongs to no summary.
std::optional<Meaning> meaning_of_phrase(std::string_view words) {
  std::string rest;
  bool noun = false;
  while (!words.empty()) {
    const auto n = std::min(words.find(' '), words.size());
    const auto word = words.substr(0, n);
    words.remove_prefix(std::min(n + 1, words.size()));
    if (among<"other_nouns">(word)) return Meaning::nothing;
    if (among<"test_nouns">(word))
      noun = true;
    else if (!word.empty() && !among<"count_fillers">(word))
      rest += (rest.empty() ? "" : " ") + std::string(word);
  }
  if (rest.empty()) return noun ? std::optional(Meaning::total) : std::nullopt;
  return meaning_of(rest);
}

/// Returns whether the words may stand before a line's first count or behind its last.
bool is_head(std::string_view words) {
  while (!words.empty()) {
    const auto n = std::min(words.find(' '), words.size());
    const auto word = words.substr(0, n);
    if (!among<"summary_heads">(word) && !among<"other_nouns">(word)) return false;
    words.remove_prefix(std::min(n + 1, words.size()));
  }
  return true;
}

/// Reads the counts of a line in lower case, from left to right.
class CountReader {
 public:
  explicit CountReader(std::string_view line) : s_(line) {}

  Line read() {
    while (!s_.empty()) {
      const char c = s_[0];
      if (is_digit(c)) {
        if (!number()) return {};
      } else if (is_letter(c)) {
        word();
      } else if (c == ':' || c == '=') {
        assigned_ = !phrase_.empty() || !s_.starts_with("=");
        s_.remove_prefix(1);
      } else if (contains("\\\"{}<>$@/%'!?", s_.substr(0, 1)) ||
                 (c == '.' && s_.size() > 1 && s_[1] != ' ')) {
        return {};
      } else {
        s_.remove_prefix(1);
        if (c != ' ' && c != '_' && !close()) return {};
      }
    }
    if (!close() || other_) return {};
    out_.known = true;
    return out_;
  }

 private:
  void word() {
    std::size_t n = 0;
    while (n < s_.size() && is_letter(s_[n])) ++n;
    phrase_ += (phrase_.empty() ? "" : " ") + std::string(s_.substr(0, n));
    s_.remove_prefix(n);
    eat(s_, "(s)");
  }

  /// A duration ends its part; the words of any other figure stand before or behind the figure.
  bool number() {
    const auto n = eat_number(s_);
    if (!n) return false;
    auto unit = s_;
    const bool decimal = eat(unit, ".") && eat_number(unit);
    eat_blanks(unit);
    std::size_t letters = 0;
    while (letters < unit.size() && is_letter(unit[letters])) ++letters;
    if (among<"time_units">(unit.substr(0, letters))) {
      s_ = unit.substr(letters);
      timed_ = true;
      return true;
    }
    if (decimal || (figure_ && !close())) return false;
    unit.remove_prefix(letters);
    eat_blanks(unit);
    figure_ = n;
    if (phrase_.empty()) return true;
    // "Tests: 3 passed", "Ran 5 tests": words before a figure that has words behind it are a head.
    const bool labelled = unit.starts_with(':') || unit.starts_with('=');
    if (letters == 0 || (assigned_ && labelled)) return close();
    other_ = other_ || meaning_of_phrase(phrase_) == Meaning::nothing;
    assigned_ = false;
    return is_head(std::exchange(phrase_, {}));
  }

  /// Ends "3 passed" or "passed: 3"; false: not part of a summary.
  bool close() {
    const auto phrase = std::exchange(phrase_, {});
    const auto figure = std::exchange(figure_, std::nullopt);
    assigned_ = false;
    if (std::exchange(timed_, false) && !figure) return true;
    if (!figure) return phrase == "and" || is_head(phrase);
    auto words = std::string_view(phrase);
    eat(words, "and ");
    eat_end(words, " and");
    eat_end(words, " in");
    const auto meaning = meaning_of_phrase(words);
    if (!meaning) return false;
    if (*meaning == Meaning::nothing) return true;
    add(out_.figures, *meaning, *figure);
    ++out_.counts;
    return true;
  }

  std::string_view s_;
  Line out_;
  std::string phrase_;
  std::optional<std::int64_t> figure_;
  bool assigned_ = false, timed_ = false, other_ = false;
};

Line line_of(std::string_view line) {
  if (line.size() > kLongest) return {};
  const auto lower = to_lower(trim(line));
  return CountReader(lower).read();
}

/// Returns nothing when the counts leave open how a test ended.
std::optional<Tally> believed(const Figures& f) {
  const auto good = f.passed.value_or(0) + f.skipped.value_or(0);
  if (!f.passed || (!f.failed && !f.errors && f.total != good)) return std::nullopt;
  auto t = tally(f);
  return t && t->adds_up ? t : std::nullopt;
}

/// Adds the figures of `more` to `sum`; false: both have the same figure.
bool join(Figures& sum, const Figures& more) {
  for (const auto member :
       {&Figures::passed, &Figures::failed, &Figures::skipped, &Figures::errors, &Figures::total}) {
    if (sum.*member && more.*member) return false;
    if (more.*member) sum.*member = more.*member;
  }
  return true;
}

struct Found {
  std::size_t begin = 0, end = 0;
  Tally tally;
};

std::int64_t bad(const Found& found) { return *found.tally.counts.failed + *found.tally.counts.errors; }

/// Number of lines behind a summary that are neither blank nor counts, at most kTail + 1.
std::size_t lines_behind(const Input& in, std::size_t end) {
  std::size_t n = 0;
  for (auto i = end; i < in.lines.size() && n <= kTail; ++i)
    if (!line_of(in.lines[i]).known) ++n;
  return n;
}

}  // namespace

void find_generic(const Input& in, std::vector<TestSegment>& out) {
  if (!out.empty()) return;
  std::optional<Found> last, failing;
  std::optional<std::size_t> none;
  Figures block;
  std::size_t begin = 0, count = 0;
  bool listed_failure = false;
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    const auto line = in.lines[i];
    if (const auto test = case_of("generic", trim(line.substr(0, kLongest)))) listed_failure = true;
    if (line.size() <= kLongest && among<"no_tests">(to_lower(trim(line)))) none = i;
    const auto read = line_of(line);
    std::optional<Found> found;
    if (read.counts > 1 || believed(read.figures)) {
      if (const auto t = believed(read.figures)) found = {i, i + 1, *t};
      count = 0;
    } else if (read.counts == 1) {
      if (count == 0 || !join(block, read.figures)) {
        block = read.figures;
        begin = i;
        count = 0;
      }
      ++count;
      if (const auto t = count > 1 ? believed(block) : std::nullopt) found = {begin, i + 1, *t};
    } else if (!read.known) {
      count = 0;
    }
    if (!found) continue;
    last = found;
    if (bad(*found) > 0) failing = found;
  }
  if (last) {
    const bool clean = bad(*last) == 0;
    const auto most = clean && last->end - last->begin > 1 ? kFew : kTail;
    if (lines_behind(in, last->end) > most) return;
    const bool earlier = failing && failing->begin != last->begin && clean;
    const auto& use = earlier && in.exit.exit_code.value_or(0) != 0 ? *failing : *last;
    auto r = finished("generic", use.tally);
    if (earlier) r.suspicious.emplace_back("an earlier summary has failed tests, the last one has none");
    if (listed_failure && bad(use) == 0)
      r.suspicious.emplace_back("the summary has no failures, but failed tests are listed");
    out.push_back(segment_of(std::move(r), use.begin, use.end, 30));
  } else if (none && in.lines.size() - *none <= kTail) {
    out.push_back(empty_run("generic", *none, *none + 1));
    out.back().confidence = 30;
  }
}

}  // namespace hydra::parsers
