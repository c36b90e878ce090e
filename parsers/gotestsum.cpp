// gotestsum.
#include "parsers/marks.hpp"
#include "parsers/scan.hpp"
#include "parsers/summaries.hpp"

#include <algorithm>

namespace hydra::parsers {

using model::TestOutcome;

/// "DONE 2 runs, 7 tests, 1 skipped, 3 failures, 1 error in 0.36s".
void find_gotestsum(const Input& in, std::vector<TestSegment>& out) {
  OpenRun run("gotestsum", out);
  std::optional<Figures> last;
  std::size_t end = 0;
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    auto line = in.lines[i];
    if (begins_with_any(line, {"=== ", "--- ", "PASS ", "FAIL ", "FAIL\t", "?   ", "SKIP ", "ok  ", "EMPTY ",
                               "✓  ", "✖  ", "∅  "}))
      run.at(i);
    if (!eat(line, "DONE ")) continue;
    const auto in_time = line.rfind(" in ");
    const auto c = in_time == std::string_view::npos ? std::nullopt : counts_of(line.substr(0, in_time), ",");
    if (!c) continue;
    Figures f;
    bool known = true;
    for (const auto& x : *c) {
      if (one_of(x.what, {"run", "runs"})) continue;
      const auto meaning = meaning_of(x.what);
      known = known && meaning;
      if (meaning) add(f, *meaning, x.n);
    }
    if (!known || !f.total) continue;
    last = f;
    end = i + 1;
  }
  if (!last) return;
  // Errors are packages that could not be built, not tests.
  const auto errors = last->errors.value_or(0);
  last->errors.reset();
  const auto t = tally(*last);
  if (!t) return;
  for (const auto& s : out)
    if (s.report.format == "go-test" && s.report.counts.passed == t->counts.passed &&
        s.report.counts.failed == t->counts.failed)
      return;  // go's own reader has these results, with names
  auto r = finished("gotestsum", *t);
  r.counts.errors = errors;
  if (errors > 0) r.counts.total.reset();
  if (errors > 0 && *last->total == 0) r.outcome = TestOutcome::build_failed;
  run.ends(end, std::move(r), 70);
}

}  // namespace hydra::parsers
