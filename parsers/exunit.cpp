// ExUnit: the count line behind "Finished in".
#include "parsers/marks.hpp"
#include "parsers/scan.hpp"

namespace hydra::parsers {
namespace {

/// "1 doctest, 4 tests, 1 failure, 1 skipped".
std::optional<model::TestCounts> summary_of(std::string_view line) {
  const auto c = counts_of(line, ",");
  if (!c) return std::nullopt;
  std::int64_t all = 0, failed = 0, skipped = 0, invalid = 0, excluded = 0;
  bool tests = false, failures = false;
  for (const auto& x : *c) {
    if (one_of(x.what, {"example", "examples"})) return std::nullopt;  // rspec, which has a seed too
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

}  // namespace

void find_exunit(const Input& in, std::vector<TestSegment>& out) {
  OpenRun run("exunit", out);
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    const auto line = in.lines[i];
    if (line.starts_with("Finished in ") && i + 1 < in.lines.size()) {
      // ExUnit 1.12 and later print "seconds (0.00s async, …)"; older versions are known by the seed line.
      const bool known = line.ends_with("s sync)") || run ||
                         (i + 3 < in.lines.size() && in.lines[i + 3].starts_with("Randomized with seed "));
      const auto c = known ? summary_of(in.lines[i + 1]) : std::nullopt;
      if (!c) continue;
      run.at(i);
      run.ends(i + 2, *c);
    } else if (line.starts_with("Running ExUnit with seed: ")) {
      run.anew(i);
    } else if (line.starts_with("== Compilation error in file ") || line.starts_with("** (CompileError)")) {
      out.push_back(unbuilt_run("exunit", i, i + 1));
    } else if (line == "There are no tests to run") {
      out.push_back(empty_run("exunit", i, i + 1));
    }
  }
  run.cut(in.lines.size());
}

}  // namespace hydra::parsers
