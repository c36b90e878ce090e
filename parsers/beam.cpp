// ExUnit: the count line behind "Finished in"; names from --trace, whose failures stand numbered below.
#include "parsers/marks.hpp"
#include "parsers/scan.hpp"

#include <set>

namespace hydra::parsers {
namespace {

using model::TestStatus;

/// "1 doctest, 4 tests, 1 failure, 1 skipped".
std::optional<model::TestCounts> summary_of(std::string_view line) {
  const auto c = counts_of(line, ",");
  if (!c) return std::nullopt;
  std::int64_t all = 0, failed = 0, skipped = 0, invalid = 0, excluded = 0;
  bool tests = false, failures = false;
  for (const auto& x : *c) {
    if (one_of(x.what, {"example", "examples"})) return std::nullopt;  // rspec's, which has a seed, too
    if (one_of(x.what, {"failure", "failures"})) {
      failed += x.n;
      failures = true;
    } else if (x.what == "skipped") {
      skipped += x.n;
    } else if (x.what == "invalid") {
      invalid += x.n;
    } else if (x.what == "excluded") {
      excluded += x.n;
    } else if (!failures) {  // tests, doctests, properties, and kinds that the project names
      all += x.n;
      tests = true;
    } else {
      return std::nullopt;
    }
  }
  const auto passed = all - failed - skipped - invalid - excluded;
  if (!tests || !failures || passed < 0) return std::nullopt;
  return counts(passed, failed, skipped, invalid);
}

/// "  1) test bad (DTest)" -> "DTest > test bad".
std::optional<std::string> failure_of(std::string_view line) {
  if (!eat(line, "  ")) return std::nullopt;
  if (!eat_number(line) || !eat(line, ") ") || !eat_end(line, ")")) return std::nullopt;
  const auto open = line.rfind(" (");
  if (open == std::string_view::npos) return std::nullopt;
  return std::string(line.substr(open + 2)) + " > " + std::string(line.substr(0, open));
}

/// "DTest [test/d_test.exs]".
std::optional<std::string_view> module_of(std::string_view line) {
  if (line.empty() || line[0] == ' ' || !line.ends_with(".exs]")) return std::nullopt;
  return line.substr(0, line.find(" ["));
}

/// "  * test bad (2.3ms) [L#5]" -> its name; a skipped one says so.
std::optional<model::TestCase> trace_of(std::string_view line) {
  if (!eat(line, "  * ") || !line.ends_with(']')) return std::nullopt;
  const auto at = line.rfind(" [L#");
  if (at == std::string_view::npos) return std::nullopt;
  line = line.substr(0, at);
  auto status = TestStatus::passed;
  if (eat_end(line, " (skipped)"))
    status = TestStatus::skipped;
  else if (line.ends_with(" (excluded)"))
    return std::nullopt;
  else if (const auto bare = without_duration(line); bare.size() < line.size())
    line = bare;
  else
    return std::nullopt;  // announced, and never ended
  return model::TestCase{std::string(line), status};
}

}  // namespace

void find_exunit(const Input& in, std::vector<TestSegment>& out) {
  OpenRun run("exunit", out);
  std::string module;
  std::set<std::string> failed;
  bool mix = false;
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    const auto line = in.lines[i];
    if (line.starts_with("Finished in ") && i + 1 < in.lines.size()) {
      // "seconds (0.00s async, …)" since 1.12; before that ExUnit's seed line tells it from others.
      const bool known = line.ends_with("s sync)") || mix || run ||
                         (i + 3 < in.lines.size() && in.lines[i + 3].starts_with("Randomized with seed "));
      const auto c = known ? summary_of(in.lines[i + 1]) : std::nullopt;
      if (!c) continue;
      for (auto& t : run.tests)
        if (t.status == TestStatus::passed && failed.contains(t.name)) t.status = TestStatus::failed;
      run.at(i);
      run.ends(i + 2, *c);
      module.clear();
      failed.clear();
    } else if (const auto m = module_of(line)) {
      run.at(i);
      module = *m;
    } else if (auto t = trace_of(line)) {
      if (!module.empty()) run.tests.push_back({module + " > " + t->name, t->status});
    } else if (auto f = failure_of(line)) {
      if (f->find(" > test ") == std::string::npos && f->find(" > doctest ") == std::string::npos &&
          f->find(" > property ") == std::string::npos)
        continue;
      run.at(i);
      failed.insert(std::move(*f));
    } else if (line.starts_with("Running ExUnit with seed: ")) {
      mix = true;
      run.anew(i);
      module.clear();
      failed.clear();
    } else if (line.starts_with("== Compilation error in file ") || line.starts_with("** (CompileError)")) {
      out.push_back(unbuilt_run("exunit", i, i + 1));
    } else if (line == "There are no tests to run") {
      out.push_back(empty_run("exunit", i, i + 1));
    }
  }
  if (mix) run.cut(in.lines.size());
}

}  // namespace hydra::parsers
