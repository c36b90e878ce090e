// node-tap's own reporters ("base", "terse"): the last "Asserts:" line of a display that is drawn again and
// again. Version 16 sets its words between invisible spaces.
#include "parsers/registry.hpp"
#include "parsers/scan.hpp"
#include "parsers/summaries.hpp"

#include <array>

namespace hydra::parsers {
namespace {

constexpr std::size_t kLongestTapLine = 400;

std::string visible(std::string_view line) {
  constexpr std::string_view kSpace = "\xE2\x80\x8B";  // ZERO WIDTH SPACE
  std::string out;
  while (!line.empty()) {
    const auto at = std::min(line.find(kSpace), line.size());
    out += line.substr(0, at);
    line.remove_prefix(std::min(at + kSpace.size(), line.size()));
  }
  return out;
}

/// "1 failed, 3 passed, 1 todo, of 5" (16) and "3 pass  1 fail  1 skip  4 of 5 complete" (18).
std::optional<Figures> asserts_of(std::string_view line) {
  if (line.size() > kLongestTapLine) return std::nullopt;
  const auto text = visible(line);
  std::string_view s = text;
  if (!eat(s, "Asserts:") || eat_blanks(s) == 0) return std::nullopt;
  Figures f;
  f.passed = 0;
  while (eat_blanks(s), !s.empty()) {
    if (eat(s, "of ")) {
      f.total = eat_number(s);
    } else {
      const auto n = eat_number(s);
      if (!n || eat_blanks(s) == 0) return std::nullopt;
      if (eat(s, "of ")) {
        f.total = eat_number(s);
        eat(s, " complete");
      } else {
        const auto end = std::min(s.find_first_of(" ,"), s.size());
        const auto meaning = meaning_of(s.substr(0, end));
        if (!meaning) return std::nullopt;
        add(f, *meaning, *n);
        s.remove_prefix(end);
      }
    }
    eat(s, ",");
  }
  return f;
}

bool is_frame(std::string_view line) {
  eat(line, "\xE2\x80\x8B");
  eat_blanks(line);
  return line.starts_with("Suites:") || line.starts_with("RUNS") || line.starts_with("FAIL") ||
         line.starts_with("PASS");
}

}  // namespace

void find_node_tap(const Input& in, std::vector<TestSegment>& out) {
  std::optional<std::size_t> begin;
  std::optional<Figures> last;
  bool suites = false;
  TestSegment seg;
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    const auto line = in.lines[i];
    if (!begin && is_frame(line)) begin = i;
    suites = suites || line.starts_with("Suites:");
    if (auto f = asserts_of(line)) {
      last = f;
      if (!begin) begin = i;
      seg.end = i + 1;
    }
  }
  if (!last || !suites) return;
  const auto t = tally(*last);
  if (!t) return;
  seg.begin = *begin;
  seg.confidence = 55;
  seg.report = finished("tap", *t);
  // The display of a run that was ended shows how far it had come.
  seg.report.suspicious.clear();
  const auto done = *t->counts.total;
  const auto listed = last->total.value_or(done);
  // Of version 18 the figure before "of" leaves the skipped ones out.
  if (listed > done) {
    seg.report.complete = false;
    seg.report.counts.total.reset();
  }
  out.push_back(std::move(seg));
}

}  // namespace hydra::parsers
