// TAP streams, and node's test runner, whose trailer counts subtests, which TAP's top level does not.
#include "base/strings.hpp"
#include "parsers/marks.hpp"
#include "parsers/scan.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace hydra::parsers {

using model::TestOutcome;
using model::TestStatus;

std::optional<TapPoint> point_of(std::string_view line) {
  TapPoint p;
  p.ok = !eat(line, "not ");
  if (!eat(line, "ok") || (!line.empty() && line[0] != ' ')) return std::nullopt;
  eat_blanks(line);
  p.number = eat_number(line);
  eat_blanks(line);
  eat(line, "- ");
  p.status = p.ok ? TestStatus::passed : TestStatus::failed;
  auto end = line.size();
  for (auto at = line.find('#'); at != std::string_view::npos; at = line.find('#', at + 1)) {
    if (at > 0 && line[at - 1] == '\\') continue;
    auto text = line.substr(at + 1);
    const bool blank = eat_blanks(text) > 0;
    const auto* stop = std::find_if_not(text.begin(), text.end(),
                                        [](char c) { return is_letter(c) || is_digit(c) || c == '_'; });
    const auto word = to_lower(text.substr(0, static_cast<std::size_t>(stop - text.begin())));
    const bool directive = one_of(word, {"skip", "skipped", "todo"});
    if (directive) p.status = TestStatus::skipped;
    if (directive || blank) end = std::min(end, at);
  }
  p.name = trim_end(line.substr(0, end));
  return p;
}

namespace {

std::optional<std::int64_t> plan_of(std::string_view line) {
  if (!eat(line, "1..")) return std::nullopt;
  const auto n = eat_number(line);
  eat_blanks(line);
  return n && (line.empty() || line[0] == '#') ? n : std::nullopt;
}

constexpr std::array<std::string_view, 7> kTrailer{"tests",     "suites",  "pass", "fail",
                                                   "cancelled", "skipped", "todo"};

/// Reads seven neighbouring lines "# tests 9" … "# todo 1", or lines with "ℹ" in place of "#".
std::optional<std::array<std::int64_t, 7>> trailer_at(const Input& in, std::size_t i) {
  if (i + kTrailer.size() > in.lines.size()) return std::nullopt;
  std::array<std::int64_t, 7> out{};
  for (std::size_t k = 0; k < kTrailer.size(); ++k) {
    auto line = in.lines[i + k];
    if ((!eat(line, "# ") && !eat(line, "ℹ ")) || !eat(line, kTrailer[k]) || !eat(line, " "))
      return std::nullopt;
    const auto n = eat_number(line);
    if (!n || !line.empty()) return std::nullopt;
    out[k] = *n;
  }
  return out;
}

/// Tests of node as its reporters list them. A parent stands behind its children, and is a test, or a suite
/// that node does not count: TAP says which, the other reporter shows both alike.
class NodeTests {
 public:
  void line(std::string_view line, bool tap) {
    const auto indent = eat_blanks(line);
    if (tap && eat(line, "# Subtest: ")) {
      titles_.push(indent, line);
    } else if (tap && line == "type: 'suite'" && indent == of_last_ && !nodes_.empty()) {
      nodes_.pop_back();
      of_last_ = 0;
    } else if (const auto point = tap ? point_of(line) : std::nullopt) {
      add(indent, point->name, point->status, false);
      of_last_ = indent + 2;
    } else if (!tap && eat(line, "▶ ")) {
      titles_.push(indent, line);
    } else if (auto status = tap ? std::nullopt : mark(line)) {
      // The mark of a test with a directive, "✖ name (0.5ms) # TODO", tells only how the test ended.
      const auto timed = line.substr(0, line.rfind(") # ") + 1);
      const bool directive = without_duration(timed) != timed;
      const auto name = without_duration(directive ? timed : line);
      if (directive) status = TestStatus::skipped;
      add(indent, name, *status, titles_.ends(indent, name));
    }
  }
  /// Stores the names, if they agree with the counts, in `r`, and begins a new list.
  void give(model::ParsedTests& r) {
    auto all = std::exchange(*this, {}).nodes_;
    const std::pair<TestStatus, std::int64_t> counted[] = {{TestStatus::passed, *r.counts.passed},
                                                           {TestStatus::failed, *r.counts.failed},
                                                           {TestStatus::skipped, *r.counts.skipped}};
    for (const auto& [status, n] : counted) {
      const auto parent = [s = status](const Node& node) { return node.parent && node.test.status == s; };
      const auto listed = std::count_if(all.begin(), all.end(),
                                        [s = status](const Node& node) { return node.test.status == s; });
      const auto without = listed - std::count_if(all.begin(), all.end(), parent);
      if (listed == n) continue;
      // A skipped suite has no children, and looks like a skipped test.
      if (without != n && (status != TestStatus::skipped || without < n)) return;
      std::erase_if(all, parent);
    }
    for (auto& node : all) r.tests.push_back(std::move(node.test));
  }

 private:
  struct Node {
    model::TestCase test;
    bool parent = false;
  };

  static std::optional<TestStatus> mark(std::string_view& line) {
    if (eat(line, "✔ ")) return TestStatus::passed;
    if (eat(line, "✖ ")) return TestStatus::failed;
    return eat(line, "﹣ ") ? std::optional(TestStatus::skipped) : std::nullopt;
  }
  void add(std::size_t indent, std::string_view name, TestStatus status, bool parent) {
    titles_.at(indent);
    if (nodes_.size() < kMaxNames) nodes_.push_back({{titles_.path(name), status}, parent});
  }

  Titles titles_;
  std::vector<Node> nodes_;
  std::size_t of_last_ = 0;  ///< indentation of what is said about the last point; 0: nothing
};

}  // namespace

void find_node_test(const Input& in, std::vector<TestSegment>& out) {
  std::size_t begin = 0;
  bool tap = false;  // inside a TAP document
  NodeTests tests;
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    if (in.lines[i].starts_with("TAP version ")) {
      begin = i;
      tap = true;
      tests = {};
    }
    const auto t = trailer_at(in, i);
    // A test may print the other reporter's trailer.
    if (!t || tap != in.lines[i].starts_with('#')) {
      tests.line(in.lines[i], tap);
      continue;
    }
    tap = false;
    auto seg = ended_run("node-test", begin, i + kTrailer.size(), 70);
    auto& r = seg.report;
    r.counts = counts((*t)[2], (*t)[3] + (*t)[4], (*t)[5] + (*t)[6], 0);
    tests.give(r);
    if (*r.counts.total != (*t)[0]) r.suspicious.emplace_back("the figures of the summary do not add up");
    if ((*t)[0] == 0) r.outcome = TestOutcome::no_tests;
    begin = seg.end;
    out.push_back(std::move(seg));
  }
}

namespace {

/// A test may print points too: if the log has more points than planned, keep those numbered in sequence.
/// False: a point that is left out has failed.
bool in_sequence(std::vector<model::TestCase>& tests, std::vector<std::int64_t>& numbers, std::int64_t plan) {
  std::vector<model::TestCase> kept;
  bool fine = true;
  for (std::size_t i = 0; i < tests.size(); ++i)
    if (numbers[i] == std::ssize(kept) + 1)
      kept.push_back(tests[i]);
    else
      fine = fine && tests[i].status != TestStatus::failed;
  if (std::ssize(kept) != plan) return true;
  tests = std::move(kept);
  numbers.clear();
  return fine;
}

/// Subtests between "ok 1 - suite {" and "}", as Vitest prints: points without braces are the tests. Lines
/// between the braces are indented by four more than their point.
class Braces {
 public:
  /// `line` ends in an opening brace: reads up to the closing brace; returns the index of the next line.
  std::size_t read(const Input& in, std::size_t i) {
    open(in.lines[i]);
    for (++i; i < in.lines.size() && !levels_.empty(); ++i) {
      auto line = in.lines[i];
      const auto indent = eat_blanks(line);
      if (indent + 4 == 4 * levels_.size() && trim_end(line) == "}")
        close();
      else if (indent != 4 * levels_.size())
        continue;  // explanation of a failure
      else if (const auto plan = plan_of(line))
        levels_.back().plan = *plan;
      else
        point(line);
    }
    if (!levels_.empty()) broken_ = true;
    levels_.clear();
    return i;
  }
  static bool opens(std::string_view line) { return trim_end(line).ends_with(" {") && point_of(line); }
  bool used() const { return used_; }
  /// A brace is not closed, or a plan is not met.
  bool broken() const { return broken_; }
  std::vector<model::TestCase>& tests() { return tests_; }

 private:
  struct Level {
    std::string path;
    TestStatus status = TestStatus::passed;
    std::optional<std::int64_t> plan;
    std::int64_t points = 0;
    std::size_t first = 0;  ///< index of the level's first test
  };
  static constexpr std::size_t kDeepest = 64;

  void open(std::string_view line) {
    line = trim_end(line);
    line.remove_suffix(2);
    const auto p = point_of(line);
    used_ = true;
    if (!p || levels_.size() == kDeepest) {
      broken_ = true;
      return;
    }
    auto path = levels_.empty() ? std::string{} : levels_.back().path + " > ";
    levels_.push_back({path.append(p->name), p->status, std::nullopt, 0, tests_.size()});
  }
  void close() {
    const auto& level = levels_.back();
    if (level.plan != level.points) broken_ = true;
    const bool failed = std::any_of(tests_.begin() + static_cast<std::ptrdiff_t>(level.first), tests_.end(),
                                    [](const auto& t) { return t.status == TestStatus::failed; });
    // The suite itself failed: its file could not be loaded, or a hook failed.
    if (level.status == TestStatus::failed && !failed) add(level.path, TestStatus::failed);
    levels_.pop_back();
  }
  void point(std::string_view line) {
    const auto p = point_of(line);
    if (!p) return;
    ++levels_.back().points;
    if (opens(line))
      open(line);
    else
      add(levels_.back().path + " > " + std::string(p->name), p->status);
  }
  void add(std::string name, TestStatus status) {
    if (tests_.size() < kMaxNames)
      tests_.push_back({std::move(name), status});
    else
      broken_ = true;
  }

  std::vector<Level> levels_;
  std::vector<model::TestCase> tests_;
  bool used_ = false, broken_ = false;
};

}  // namespace

void find_tap(const Input& in, std::vector<TestSegment>& out) {
  TestSegment seg;
  auto& r = seg.report;
  std::optional<std::size_t> begin;
  std::int64_t plan = 0, plans = 0;
  bool planned = false, version = false, bailed = false;
  std::vector<std::int64_t> numbers;
  Braces braces;
  std::int64_t containers = 0;
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    const auto line = in.lines[i];
    if (Braces::opens(line)) {
      if (!begin) begin = i;
      ++containers;
      i = braces.read(in, i) - 1;
      seg.end = i + 1;
      continue;
    }
    if (line.starts_with("TAP version ")) {
      version = true;
    } else if (const auto p = plan_of(line)) {
      planned = true;
      ++plans;
      plan += *p;
    } else if (line.starts_with("Bail out!")) {
      bailed = true;
    } else if (const auto point = point_of(line)) {
      // prove -v ends each file with a bare "ok".
      if (point->name.empty() && trim_end(line) == "ok" && planned) continue;
      r.tests.push_back({std::string(point->name), point->status});
      numbers.push_back(point->number.value_or(0));
    } else {
      continue;
    }
    if (!begin) begin = i;
    seg.end = i + 1;
  }
  if (!begin || (!planned && !version)) return;
  seg.begin = *begin;
  seg.confidence = 50;
  r.format = "tap";
  const bool fine = !planned || plan >= std::ssize(r.tests) || in_sequence(r.tests, numbers, plan);
  // Numbers begin again in each of several documents.
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(numbers.begin(), std::upper_bound(numbers.begin(), numbers.end(), 0));
  const bool outside =
      plans == 1 && !numbers.empty() &&
      (numbers.back() > plan || std::adjacent_find(numbers.begin(), numbers.end()) != numbers.end());
  const auto points = static_cast<std::int64_t>(r.tests.size()) + containers;
  for (auto& t : braces.tests()) r.tests.push_back(std::move(t));
  r.counts = counts_of_tests(r.tests);
  r.complete = planned && !bailed && plan <= points && !braces.broken();
  if (outside || !fine || (planned && plan < points)) r.suspicious.emplace_back("tests outside of the plan");
  if (bailed) r.outcome = TestOutcome::crashed;
  if (!r.complete) {
    r.counts.total.reset();
    r.counts.errors.reset();
  }
  if (r.complete && *r.counts.total == 0) r.outcome = TestOutcome::no_tests;
  if (std::any_of(r.tests.begin(), r.tests.end(), [](const auto& t) { return t.name.empty(); }))
    r.tests.clear();
  keep_complete_names(r);
  out.push_back(std::move(seg));
}

}  // namespace hydra::parsers
