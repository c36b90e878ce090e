// model: evidence of one check (build, tests, lint): facts only, no points.
#pragma once

#include "model/dimension.hpp"
#include "model/machine.hpp"
#include "model/test_list.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hydra::model {

enum class CheckStatus {
  passed,  ///< exit code 0
  failed,  ///< another exit code
  timed_out,
  crashed,      ///< ended by a signal
  not_started,  ///< spawn error, lost, cancelled
  skipped,      ///< short circuit: the build failed (docs/scoring.md, H4)
};
template <>
inline constexpr auto kWords<CheckStatus> = words_or(CheckStatus::not_started, "passed", "failed",
                                                     "timed_out", "crashed", "not_started", "skipped");

/// Counts of a test run; absent: unknown, since the output does not tell (never invented).
struct TestCounts {
  std::optional<std::int64_t> passed, failed, skipped, errors, total;
};

/// How reliable a reading is. high: a machine-readable report, or a summary that agrees with its banner and
/// list; medium: a summary alone; low: an unfinished or contradicted run; none: nothing recognised.
enum class Confidence { none, low, medium, high };
template <>
inline constexpr auto kWords<Confidence> = words<Confidence>("none", "low", "medium", "high");

/// Lines of the cleaned output that the parser used; the first line is 1, both ends inclusive.
struct LineRange {
  std::string format;
  std::int64_t first = 0, last = 0;
};

/// How a test run ended, as its output tells.
enum class TestOutcome { passed, tests_failed, build_failed, crashed, no_tests, partial };
template <>
inline constexpr auto kWords<TestOutcome> = words<TestOutcome>("", "tests_failed", "build_failed", "crashed",
                                                               "no_tests", "partial");

/// A test run's output but for its list of tests.
struct TestFacts {
  std::string format;     ///< "jest", "pytest", …; "exit_code_only" when nothing was recognised
  bool complete = false;  ///< the output has its own end (a summary) and is not cut
  TestCounts counts;
  TestOutcome outcome{};
  std::vector<std::string> suspicious;  ///< contradictions, e.g. "exit code 0 with 2 failed tests"
  bool exit_disagrees = false;          ///< the exit code is among the contradictions
  Confidence confidence = Confidence::none;
  std::vector<LineRange> evidence;  ///< in the order of the output
};

/// A parser's reading of a test run's output.
struct ParsedTests : TestFacts {
  std::vector<TestCase> tests;  ///< empty: the output has no names
};

/// A run's tests as evidence: `tests` as in ParsedTests.
struct TestReport : TestFacts {
  TestReport() = default;
  TestReport(const ParsedTests& parsed)  // NOLINT(google-explicit-constructor)
      : TestFacts(parsed), tests(parsed.tests) {}

  TestList tests;
};

enum class LintSeverity { error, warning };  ///< warning: every finding that is not an error (style, info, …)
template <>
inline constexpr auto kWords<LintSeverity> = words<LintSeverity>("error", "warning");

struct LintFinding {
  std::string file;       ///< as printed by the tool; may be empty
  std::int64_t line = 0;  ///< from 1; 0: not known
  std::int64_t column = 0;
  std::string rule;  ///< "no-undef", "E501", "-Wunused-variable"; may be empty
  LintSeverity severity = LintSeverity::error;
  std::string message;  ///< first line of the text, at most kMaxLintText bytes
};
inline constexpr std::size_t kMaxLintFindings = 10'000;  ///< further findings are counted, not kept
inline constexpr std::size_t kMaxLintText = 300;         ///< bytes of each text of a finding

enum class LintOutcome {
  unknown,
  clean,
  findings,
  crashed,  ///< the tool did not do its work
};
template <>
inline constexpr auto kWords<LintOutcome> = words<LintOutcome>("", "clean", "findings", "crashed");

/// A parser's reading of a linter's, compiler's or formatter's output.
struct LintReport {
  std::string format;  ///< "eslint", "clippy+tsc", …; "clean" for silence; "exit_code_only"
  std::optional<std::int64_t> errors, warnings;  ///< absent: the output does not tell (never invented)
  std::vector<std::string> suspicious = {};      ///< contradictions, e.g. "the summary of eslint says …"
  std::vector<LintFinding> findings = {};        ///< in the order of the output, at most kMaxLintFindings
  Confidence confidence = Confidence::none;
  bool complete = false;  ///< the tool ended normally and its whole output was read
  LintOutcome outcome{};
  std::vector<std::int64_t> evidence = {};  ///< lines (from 1) that the parser used, at most kMaxLintFindings
};

/// A probable cause of a failed check, read from its output (docs/toolchains.md, "[[signatures]]"). Advice
/// only explains: exit codes decide.
struct Advice {
  std::string signature;     ///< text that was recognised
  std::string text;          ///< one or two sentences for people: meaning and remedy
  bool environment = false;  ///< the workspace lacks a requirement: no candidate can pass
};

inline constexpr int kNotExecutable = 126, kCommandNotFound = 127;  ///< exit codes of the shell

/// Why the base's checks can judge no result.
enum class BaseProblem {
  none,
  cannot_run,   ///< no workspace, a failed set-up, or a missing requirement of the environment
  build_fails,  ///< no test ran, since the build failed
  timed_out,    ///< the tests did not end within their limit
  not_found,    ///< the shell found no such test command, or could not execute it: exit code 127 or 126
  no_tests,     ///< the command ended with exit code 0, and no test ran
  none_passes,  ///< tests ran, and none passed
};
template <>
inline constexpr auto kWords<BaseProblem> = words<BaseProblem>("", "cannot_run", "build_fails", "timed_out",
                                                               "command_not_found", "no_tests",
                                                               "no_test_passes");

/// The technique by which a check workspace was made.
enum class TreeKind { none, checkout, overlay, snapshot, copy, in_place };
template <>
inline constexpr auto kWords<TreeKind> = words<TreeKind>("", "checkout", "overlay", "snapshot", "copy",
                                                         "in place");

/// How a check workspace came to be.
struct WorkspaceFacts {
  TreeKind tree = TreeKind::none;     ///< none: no workspace was made
  bool warm = false;                  ///< began with the base's build results
  bool setup = false;                 ///< the set-up ran in this workspace, not only in its template
  std::vector<std::string> reasons;   ///< why the workspace is cold or was set up again
  std::vector<std::string> left_out;  ///< paths of the commit that the workspace lacks, each with its reason
};

/// Time that each step of making a race's template took; no steps: the template was cached.
struct TemplateStep {
  std::string name;  ///< "checkout", "share", "setup", "build", "warm"
  std::int64_t wall_ms = 0;
};

/// Figures of played episodes (docs/scoring.md, "Arena"), named as `hydra score arena` names them.
struct ArenaFigures {
  std::int64_t episodes = 0;
  double best_score = 0;
  double success_rate = 0;  ///< [0, 1]
  double avg_steps = 0, avg_max_x = 0, avg_score = 0;
  double std_score_population = 0;  ///< divisor N, not N - 1 (A5)
};

/// Evidence of one check.
struct CheckEvidence {
  Dimension dimension = Dimension::build;
  CheckStatus status = CheckStatus::not_started;
  std::optional<int> exit_code;
  std::optional<int> signal;
  std::int64_t wall_ms = 0;
  std::int64_t cpu_ms = 0;  ///< of all processes; 0: not known
  std::string command;
  std::string attempt;  ///< key of the attempt that has the logs
  Isolation isolation{};
  std::string message;  ///< why the check did not start, and similar; may be empty
  std::optional<Advice> advice;
  bool cached = false;  ///< taken from an earlier race or an identical tree
  std::optional<TestReport> tests;
  std::optional<LintReport> lint;
  /// Protected paths that differ from their state before the workspace's first command: at most 50.
  std::vector<std::string> rewrote = {};
  /// Sources of the base from which a build made files; only if the base's own build fails.
  std::vector<std::string> built = {};
  /// Timed out, then run once more under a longer limit (race::kMeasureFactor): wall_ms is the time of that
  /// run.
  bool measured = false;
  /// In a cross run: tests that failed for want of an interface, not by the code's behaviour.
  std::vector<std::string> no_contact = {};
  /// Tests of `no_contact` that call a function with other parameters than the function has.
  std::vector<std::string> wrong_arguments = {};
  /// Episodes that the verifier of a suite reports (docs/suites.md, "Episodes").
  std::optional<ArenaFigures> arena = {};
};

/// Evidence of one subject (an agent's result, or the baseline). Absent: not configured, or not run yet.
struct CheckSet {
  std::optional<CheckEvidence> build, tests, lint;
  std::vector<CheckEvidence> repeats;  ///< reruns of the tests in the same workspace, to find flaky ones
};

}  // namespace hydra::model
