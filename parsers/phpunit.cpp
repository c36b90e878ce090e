// PHPUnit and what is built on it (Codeception, --testdox): the verdict behind "Time:".
#include "parsers/marks.hpp"
#include "parsers/scan.hpp"

namespace hydra::parsers {
namespace {

using model::TestStatus;

struct PhpunitVerdict {
  model::TestCounts counts;
  std::size_t lines = 1;
  bool none = false;
};

std::optional<std::int64_t> value_of(std::string_view part, std::string_view& word) {
  const auto colon = part.find(": ");
  if (colon == std::string_view::npos) return std::nullopt;
  word = part.substr(0, colon);
  auto digits = part.substr(colon + 2);
  eat_end(digits, ".");
  const auto n = eat_number(digits);
  return n && digits.empty() ? n : std::nullopt;
}

/// "Tests: 8, Assertions: 4, Errors: 1, Failures: 2, Skipped: 1, Incomplete: 1, Risky: 1."
std::optional<model::TestCounts> figures_of(std::string_view line) {
  if (!line.starts_with("Tests: ")) return std::nullopt;
  std::int64_t all = 0, failed = 0, errors = 0, skipped = 0, unsure = 0;
  bool assertions = false;
  line = trim_end(line);
  while (!line.empty()) {
    const auto end = line.find(", ");
    std::string_view word;
    const auto n = value_of(line.substr(0, end), word);
    if (!n) return std::nullopt;
    if (word == "Tests")
      all = *n;
    else if (word == "Assertions" || word == "Scenarios")
      assertions = true;
    else if (word == "Failures")
      failed = *n;
    else if (word == "Errors")
      errors = *n;
    else if (one_of(word, {"Skipped", "Incomplete", "Useless"}))
      skipped += *n;
    else if (one_of(word, {"Risky", "Warnings"}))
      unsure += *n;
    line = end == std::string_view::npos ? std::string_view{} : line.substr(end + 2);
  }
  const auto passed = all - failed - errors - skipped;
  if (!assertions || passed < 0) return std::nullopt;
  auto c = counts(passed, failed, skipped, errors);
  // A risky test has run, but whether it passes is a matter of the configuration.
  if (unsure > 0) c.passed.reset();
  return c;
}

std::optional<PhpunitVerdict> verdict_at(const Input& in, std::size_t i) {
  auto line = in.lines[i];
  if (line.starts_with("No tests executed!")) return PhpunitVerdict{counts(0, 0, 0, 0), 1, true};
  if (eat(line, "OK (")) {
    const auto n = eat_number(line);
    if (!n || (!eat(line, " tests, ") && !eat(line, " test, ")) || !eat_number(line) ||
        !line.starts_with(" assertion"))
      return std::nullopt;
    return PhpunitVerdict{counts(*n, 0, 0, 0)};
  }
  if (!line.starts_with("FAILURES!") && !line.starts_with("ERRORS!") && !line.starts_with("WARNINGS!") &&
      !line.starts_with("OK, but ") && !line.starts_with("There were "))
    return std::nullopt;
  if (i + 1 >= in.lines.size()) return std::nullopt;
  const auto c = figures_of(in.lines[i + 1]);
  if (!c) return std::nullopt;
  return PhpunitVerdict{*c, 2};
}

// ---- --testdox -------------------------------------------------------------------------------------------

struct Testdox {
  std::string group;
  std::vector<model::TestCase> tests;
  bool failing = false;  ///< the lines behind a failed test tell whether it failed or broke

  void take(std::string_view line) {
    if (auto test = case_of("phpunit", line, group)) {
      failing = test->status == TestStatus::error;
      tests.push_back(std::move(*test));
      return;
    }
    if (failing && line.starts_with("   │ Failed asserting ")) tests.back().status = TestStatus::failed;
    if (!line.empty() && line[0] != ' ') {
      failing = false;
      if (line.ends_with(')') || !contains(line, " ")) group = line.substr(0, line.find(" ("));
    }
  }
};

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
  Testdox names;
};

void close(PhpunitRun& run, std::size_t end, std::vector<TestSegment>& out) {
  if (run.begin && !run.verdict) out.push_back(unfinished_run("phpunit", *run.begin, end));
  if (run.verdict) {
    auto seg = ended_run("phpunit", run.begin.value_or(run.end - 1), run.end, run.begin ? 60 : 40);
    auto& r = seg.report;
    r.counts = run.verdict->counts;
    if (run.differ) r.suspicious.emplace_back("several verdicts that differ after one start");
    if (run.verdict->none || r.counts.total == 0) r.outcome = "no_tests";
    take_names(r, std::move(run.names.tests));
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
      // What a test echoed stands before this line.
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
    } else if (run.begin && !run.timed) {
      run.names.take(line);
    }
  }
  close(run, in.lines.size(), out);
}

}  // namespace hydra::parsers
