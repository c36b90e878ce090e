// mocha: the last block of "N passing", "N pending", "N failing"; names from the spec reporter above it.
#include "parsers/json_read.hpp"
#include "parsers/marks.hpp"
#include "parsers/scan.hpp"

namespace hydra::parsers {
namespace {

using model::TestStatus;

std::optional<std::int64_t> figure(std::string_view line, std::string_view word) {
  if (!eat(line, "  ")) return std::nullopt;
  const auto n = eat_number(line);
  if (!n || !eat(line, " ") || !eat(line, word)) return std::nullopt;
  if (word == "passing" ? !line.starts_with(" (") : !line.empty()) return std::nullopt;
  return n;
}

struct Block {
  std::size_t begin = 0, end = 0;
  std::int64_t passing = 0, pending = 0, failing = 0;
};

std::optional<Block> last_block(const Input& in) {
  for (std::size_t i = in.lines.size(); i-- > 0;) {
    const auto passing = figure(in.lines[i], "passing");
    if (!passing || i == 0 || !is_blank(in.lines[i - 1])) continue;
    Block b{i, i + 1, *passing, 0, 0};
    for (; b.end < in.lines.size(); ++b.end) {
      if (const auto n = figure(in.lines[b.end], "pending"))
        b.pending = *n;
      else if (const auto m = figure(in.lines[b.end], "failing"))
        b.failing = *m;
      else
        break;
    }
    return b;
  }
  return std::nullopt;
}

std::optional<std::pair<TestStatus, std::string_view>> test_of(std::string_view s) {
  if (eat(s, "✔ ") || eat(s, "✓ ") || eat(s, "√ ")) return std::pair(TestStatus::passed, without_duration(s));
  if (eat(s, "- ")) return std::pair(TestStatus::skipped, s);
  if (eat_number(s) && eat(s, ") ")) return std::pair(TestStatus::failed, s);
  return std::nullopt;
}

std::vector<model::TestCase> names_above(const Input& in, std::size_t end) {
  std::vector<model::TestCase> out;
  std::vector<std::pair<std::size_t, std::string_view>> stack;
  for (std::size_t i = 0; i < end; ++i) {
    auto line = in.lines[i];
    const auto indent = eat_blanks(line);
    if (indent < 2 || line.empty() || figure(in.lines[i], "passing") || figure(in.lines[i], "failing"))
      continue;
    while (!stack.empty() && stack.back().first >= indent) stack.pop_back();
    const auto test = test_of(line);
    if (!test) {
      stack.emplace_back(indent, line);
      continue;
    }
    std::string name;
    for (const auto& [depth, title] : stack) name += std::string(title) + " ";
    out.push_back({name + std::string(test->second), test->first});
  }
  return out;
}

}  // namespace

void find_mocha(const Input& in, std::vector<TestSegment>& out) {
  TestSegment seg;
  auto& r = seg.report;
  r.format = "mocha";
  r.complete = true;
  if (const auto b = last_block(in)) {
    seg.begin = b->begin;
    seg.end = b->end;
    seg.confidence = 40;
    r.counts = counts(b->passing, b->failing, b->pending, 0);
    for (std::size_t i = 0; i < b->begin; ++i)
      if (contains(in.lines[i], ") \"before all\" hook") || contains(in.lines[i], ") \"before each\" hook"))
        r.counts.total.reset();  // the tests behind a hook that failed never ran
    if (r.counts.total == 0) r.outcome = "no_tests";
    r.tests = names_above(in, b->begin);
    keep_complete_names(r);
    out.push_back(std::move(seg));
    return;
  }
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    if (in.lines[i].starts_with("Error: No test files found") ||
        in.lines[i].starts_with("✖ ERROR: No test files found")) {
      out.push_back(empty_run("mocha", i, i + 1));
      return;
    }
    if (!in.lines[i].starts_with(" Exception during run: ") && !in.lines[i].starts_with("✖ ERROR: "))
      continue;
    seg.begin = i;
    seg.end = i + 1;
    r.outcome = "build_failed";
    r.counts = counts(0, 0, 0, 0);
    r.counts.errors.reset();
    r.counts.total.reset();
    out.push_back(std::move(seg));
    return;
  }
}

namespace {

/// The object of an event `["end",{…}]`.
nlohmann::json event_of(std::string_view line, std::string_view head) {
  constexpr std::size_t kLongest = std::size_t{1} << 20;
  if (line.size() > kLongest || !eat(line, head)) return {};
  const auto n = json_extent(line);
  if (!n || line.substr(*n) != "]") return {};
  auto j = read_json(line.substr(0, *n));
  return j.is_object() ? j : nlohmann::json();
}

}  // namespace

void find_mocha_stream(const Input& in, std::vector<TestSegment>& out) {
  std::optional<TestSegment> seg;
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    const auto line = trim_end(in.lines[i]);
    if (line.starts_with("[\"start\",{")) {
      if (seg) out.push_back(std::move(*seg));
      seg.emplace();
      seg->begin = i;
      seg->end = i + 1;
      seg->confidence = 90;
      seg->report.format = "mocha";
    } else if (!seg || !line.starts_with("[\"")) {
      continue;
    } else if (const auto end = event_of(line, "[\"end\","); end.is_object()) {
      auto& r = seg->report;
      seg->end = i + 1;
      r.complete = true;
      r.counts = counts(number_in(end, "passes"), number_in(end, "failures"), number_in(end, "pending"), 0);
      if (r.counts.total == 0) r.outcome = "no_tests";
    } else if (const auto pass = event_of(line, "[\"pass\","); pass.is_object()) {
      seg->end = i + 1;
      if (seg->report.tests.size() < kMaxNames)
        seg->report.tests.push_back({text_in(pass, "fullTitle"), TestStatus::passed});
    } else if (const auto fail = event_of(line, "[\"fail\","); fail.is_object()) {
      seg->end = i + 1;
      if (seg->report.tests.size() < kMaxNames)
        seg->report.tests.push_back({text_in(fail, "fullTitle"), TestStatus::failed});
    }
  }
  if (!seg) return;
  keep_complete_names(seg->report);
  out.push_back(std::move(*seg));
}

}  // namespace hydra::parsers
