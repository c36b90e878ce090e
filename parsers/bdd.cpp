// Robot Framework.
#include "parsers/marks.hpp"
#include "parsers/scan.hpp"
#include "parsers/summaries.hpp"

namespace hydra::parsers {
namespace {

/// "Adds :: documentation                                                  | PASS |".
std::optional<model::TestCase> robot_line(std::string_view line) {
  auto test = case_of("robot", line);
  if (!test) return std::nullopt;
  auto& name = test->name;
  if (const auto doc = name.find(" :: "); doc != std::string::npos) name.resize(doc);
  name.resize(trim_end(name).size());
  return name.empty() ? std::nullopt : test;
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

void find_robot(const Input& in, std::vector<TestSegment>& out) {
  // A suite's own line follows its tests: between two lines of dashes stands a test, behind a line of equal
  // signs or before a count line a suite.
  OpenRun run("robot", out);
  std::optional<Figures> figures;
  std::string suite;
  bool heading = false;
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    const auto line = in.lines[i];
    if (only(line, '=', 70)) {
      run.at(i);
      heading = true;
      continue;
    }
    if (heading && !line.empty() && !robot_line(line) && !line.starts_with("Output:")) {
      suite = trim_end(line.substr(0, line.find(" :: ")));
    } else if (auto t = run ? robot_line(line) : std::nullopt) {
      if (t->name != suite.substr(suite.rfind('.') == std::string::npos ? 0 : suite.rfind('.') + 1))
        run.tests.push_back({suite + "." + t->name, t->status});
    } else if (const auto f = run ? robot_figures(line) : std::nullopt) {
      figures = f;
    } else if (figures && line.starts_with("Output:  ")) {
      if (const auto t2 = tally(*figures))
        run.ends(i + 1, finished("robot", *t2));
      else
        run.forget();
      figures.reset();
    }
    heading = false;
  }
  if (!run.tests.empty()) run.cut(in.lines.size());
}

}  // namespace hydra::parsers
