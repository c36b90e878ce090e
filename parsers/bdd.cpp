// Cucumber (all languages), Behat, behave, phpspec: scenarios count, features and steps do not. Robot
// Framework.
#include "parsers/marks.hpp"
#include "parsers/summaries.hpp"
#include "parsers/words.hpp"

#include <algorithm>

namespace hydra::parsers {
namespace {

using model::TestStatus;

/// "5 scenarios (1 failed, 1 undefined, 3 passed)", "3 Scenarios (3 passed)", "0 scenarios".
std::optional<Figures> cucumber_of(std::string_view line, std::initializer_list<std::string_view> nouns) {
  const auto all = eat_number(line);
  if (!all || !eat(line, " ")) return std::nullopt;
  const auto noun = line.substr(0, line.find(' '));
  if (!one_of(noun, nouns)) return std::nullopt;
  line.remove_prefix(noun.size());
  line = trim_end(line);
  Figures f;
  if (!line.empty()) {
    if (!eat(line, " (") || !eat_end(line, ")")) return std::nullopt;
    const auto c = counts_of(line, ",");
    if (!c) return std::nullopt;
    const auto parts = figures_of(*c);
    if (!parts) return std::nullopt;
    f = *parts;
    if (!f.passed) f.passed = 0;
  }
  f.total = *all;
  return f;
}

bool steps_line(std::string_view line) {
  if (!eat_number(line) || !eat(line, " ")) return false;
  return line.starts_with("step") || line.starts_with("Step");
}

/// "3 scenarios passed, 1 failed, 0 error, 1 skipped".
std::optional<Figures> behave_of(std::string_view line) {
  const auto c = counts_of(line, ",");
  if (!c || !one_of(c->front().what, {"scenarios passed", "scenario passed"})) return std::nullopt;
  Figures f;
  f.passed = c->front().n;
  for (std::size_t i = 1; i < c->size(); ++i) {
    const auto& [n, what] = (*c)[i];
    if (what == "untested") {
      add(f, Meaning::skipped, n);
      continue;
    }
    const auto meaning = meaning_of(what);
    if (!meaning) return std::nullopt;
    add(f, *meaning, n);
  }
  return f;
}

void push(std::string_view format, std::size_t begin, std::size_t end, const Figures& f,
          std::vector<TestSegment>& out) {
  const auto t = tally(f);
  if (!t) return;
  TestSegment seg;
  seg.begin = begin;
  seg.end = end;
  seg.confidence = 55;
  seg.report = finished(format, *t);
  out.push_back(std::move(seg));
}

// ---- Robot Framework -------------------------------------------------------------------------------------

/// "Adds :: documentation                                                  | PASS |".
std::optional<model::TestCase> robot_line(std::string_view line) {
  TestStatus status = TestStatus::passed;
  if (eat_end(line, " | FAIL |"))
    status = TestStatus::failed;
  else if (eat_end(line, " | SKIP |"))
    status = TestStatus::skipped;
  else if (!eat_end(line, " | PASS |"))
    return std::nullopt;
  if (const auto doc = line.find(" :: "); doc != std::string_view::npos) line = line.substr(0, doc);
  line = trim_end(line);
  if (line.empty()) return std::nullopt;
  return model::TestCase{std::string(line), status};
}

/// "5 tests, 4 passed, 1 failed[, 1 skipped]"; before 4.0 "5 tests total, 4 passed, 1 failed".
std::optional<Figures> robot_figures(std::string_view line) {
  const auto c = counts_of(line, ",");
  if (!c || c->size() < 3 ||
      !one_of(c->front().what, {"test", "tests", "test total", "tests total", "task", "tasks"}))
    return std::nullopt;
  Figures f;
  f.total = c->front().n;
  for (std::size_t i = 1; i < c->size(); ++i) {
    const auto meaning = meaning_of((*c)[i].what);
    if (!meaning) return std::nullopt;
    add(f, *meaning, (*c)[i].n);
  }
  return f;
}

}  // namespace

void find_cucumber(const Input& in, std::vector<TestSegment>& out) {
  for (std::size_t i = 0; i + 1 < in.lines.size(); ++i) {
    const auto line = in.lines[i];
    if (line.empty() || !is_digit(line[0])) continue;
    if (const auto f = cucumber_of(line, {"scenario", "scenarios", "Scenario", "Scenarios"})) {
      if (steps_line(in.lines[i + 1])) push("cucumber", i, i + 2, *f, out);
    } else if (const auto e = cucumber_of(line, {"example", "examples"})) {
      if (i > 0 && (in.lines[i - 1].ends_with(" specs") || in.lines[i - 1].ends_with(" spec")))
        push("phpspec", i - 1, i + 1, *e, out);
    } else if (const auto b = behave_of(line)) {
      if (steps_line(in.lines[i + 1])) push("behave", i, i + 2, *b, out);
    }
  }
}

void find_robot(const Input& in, std::vector<TestSegment>& out) {
  // A suite's own line follows its tests: between two lines of dashes stands a test, behind a line of equal
  // signs or before a count line a suite.
  std::optional<std::size_t> begin;
  std::optional<Figures> figures;
  std::size_t end = 0;
  std::string suite;
  std::vector<model::TestCase> tests;
  bool heading = false;
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    const auto line = in.lines[i];
    if (only(line, '=', 70)) {
      if (!begin) begin = i;
      heading = true;
      continue;
    }
    if (heading && !line.empty() && !robot_line(line) && !line.starts_with("Output:")) {
      suite = trim_end(line.substr(0, line.find(" :: ")));
    } else if (auto t = begin ? robot_line(line) : std::nullopt) {
      if (t->name != suite.substr(suite.rfind('.') == std::string::npos ? 0 : suite.rfind('.') + 1))
        tests.push_back({suite + "." + t->name, t->status});
    } else if (const auto f = begin ? robot_figures(line) : std::nullopt) {
      figures = f;
      end = i + 1;
    } else if (figures && line.starts_with("Output:  ")) {
      if (const auto t2 = tally(*figures)) {
        TestSegment seg;
        seg.begin = *begin;
        seg.end = std::max(end, i + 1);
        seg.confidence = 60;
        seg.report = finished("robot", *t2);
        take_names(seg.report, std::move(tests));
        out.push_back(std::move(seg));
      }
      begin.reset();
      figures.reset();
      tests.clear();
    }
    heading = false;
  }
  if (begin && !tests.empty()) out.push_back(unfinished_run("robot", *begin, in.lines.size()));
}

}  // namespace hydra::parsers
