// PHPUnit and runners based on PHPUnit (Codeception): the verdict behind "Time:".
#include "parsers/formats.hpp"
#include "parsers/marks.hpp"
#include "parsers/scan.hpp"

#include <algorithm>

namespace hydra::parsers {
namespace {

using model::TestOutcome;

struct PhpunitVerdict {
  model::TestCounts counts;
  std::size_t lines = 1;
  bool none = false;
};

/// "Tests: 8, Assertions: 4, Errors: 1, Failures: 2, Skipped: 1, Incomplete: 1, Risky: 1."
std::optional<model::TestCounts> figures_of(std::string_view line) {
  line = trim_end(line);
  eat_end(line, ".");
  const auto all = assignments_of(line, ": ");
  if (!all || all->front().what != "Tests" || std::none_of(all->begin(), all->end(), [](const Count& c) {
        return one_of(c.what, {"Assertions", "Scenarios"});
      }))
    return std::nullopt;
  const auto failed = sum_of(*all, {"Failures"}), errors = sum_of(*all, {"Errors"});
  const auto skipped = sum_of(*all, {"Skipped", "Incomplete", "Useless"});
  const auto passed = all->front().n - failed - errors - skipped;
  if (passed < 0) return std::nullopt;
  auto c = counts(passed, failed, skipped, errors);
  // A risky test has run, but the configuration decides whether the test passes.
  if (sum_of(*all, {"Risky", "Warnings"}) > 0) c.passed.reset();
  return c;
}

std::optional<PhpunitVerdict> verdict_at(const Input& in, std::size_t i) {
  const auto line = in.lines[i];
  if (line.starts_with("No tests executed!")) return PhpunitVerdict{counts(0, 0, 0, 0), 1, true};
  if (Figures f; match(lint_line<"OK ({passed} test{s}, {number} assertion{any}">(), line, f))
    return PhpunitVerdict{counts(*f.passed, 0, 0, 0)};
  if (!line.starts_with("FAILURES!") && !line.starts_with("ERRORS!") && !line.starts_with("WARNINGS!") &&
      !line.starts_with("OK, but ") && !line.starts_with("There were "))
    return std::nullopt;
  if (i + 1 >= in.lines.size()) return std::nullopt;
  const auto c = figures_of(in.lines[i + 1]);
  if (!c) return std::nullopt;
  return PhpunitVerdict{*c, 2};
}

bool banner(std::string_view line) {
  return (line.starts_with("PHPUnit ") && contains(line, "by Sebastian Bergmann")) ||
         line.starts_with("Codeception PHP Testing Framework ") || line.starts_with("ParaTest v");
}

struct PhpunitRun {
  std::optional<std::size_t> begin;
  bool timed = false;
  std::optional<PhpunitVerdict> verdict;
  std::size_t end = 0;
  bool differ = false;
};

void close(PhpunitRun& run, std::size_t end, std::vector<TestSegment>& out) {
  if (run.begin && !run.verdict) out.push_back(unfinished_run("phpunit", *run.begin, end));
  if (run.verdict) {
    auto seg = ended_run("phpunit", run.begin.value_or(run.end - 1), run.end, run.begin ? 60 : 40);
    auto& r = seg.report;
    r.counts = run.verdict->counts;
    if (run.differ) r.suspicious.emplace_back("several verdicts that differ after one start");
    if (run.verdict->none || r.counts.total == 0) r.outcome = TestOutcome::no_tests;
    out.push_back(std::move(seg));
  }
  run = {};
}

}  // namespace

void find_phpunit(const Input& in, std::vector<TestSegment>& out) {
  PhpunitRun run;
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    const auto line = in.lines[i];
    if (banner(line)) {
      close(run, i, out);
      run.begin = i;
    } else if (line.starts_with("Time: ") && contains(line, ", Memory: ")) {
      // A verdict before this line was printed by a test.
      run.timed = true;
      run.verdict.reset();
      run.differ = false;
    } else if (const auto v = run.timed || (run.begin && line.starts_with("No tests executed!"))
                                  ? verdict_at(in, i)
                                  : std::nullopt) {
      if (run.verdict &&
          (run.verdict->counts.failed != v->counts.failed || run.verdict->counts.total != v->counts.total))
        run.differ = true;
      run.verdict = v;
      run.end = i + v->lines;
    }
  }
  close(run, in.lines.size(), out);
}

}  // namespace hydra::parsers
