// model: what one check (build, tests, lint) gave, as evidence: facts only, no points.
#pragma once

#include "model/dimension.hpp"

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
  skipped,      ///< short-circuit: the build failed (ruling H4)
};
std::string_view name(CheckStatus s);
std::optional<CheckStatus> check_status_from_name(std::string_view name);

/// Counts of a test run; absent: can't be known from the output (never invented).
struct TestCounts {
  std::optional<std::int64_t> passed, failed, skipped, errors, total;
};

enum class TestStatus { passed, failed, skipped, error };
std::string_view name(TestStatus s);

struct TestCase {
  std::string name;  ///< stable between two runs: no durations, no paths of the workspace
  TestStatus status = TestStatus::passed;
};

/// How far a reading is to be believed. high: a machine-readable report, or a summary that its own banner and
/// list agree with; medium: a summary alone; low: an unfinished or contradicted run; none: nothing
/// recognised.
enum class Confidence { none, low, medium, high };
std::string_view name(Confidence c);

/// Lines of the cleaned output that were believed; the first line is 1, both ends are inside.
struct LineRange {
  std::string format;
  std::int64_t first = 0, last = 0;
};

/// What a parser read out of a test run's output.
struct TestReport {
  std::string format;     ///< "jest", "pytest", …; "exit_code_only" when nothing was recognised
  bool complete = false;  ///< the output has its own end (a summary), not cut
  TestCounts counts;
  std::vector<TestCase> tests;  ///< empty where the output has no names
  std::string outcome;          ///< "", "tests_failed", "build_failed", "crashed", "no_tests", "partial"
  std::vector<std::string> suspicious;  ///< contradictions, e.g. "exit code 0 with 2 failed tests"
  Confidence confidence = Confidence::none;
  std::vector<LineRange> evidence;  ///< in the order of the output
};

struct LintReport {
  std::string format;  ///< "eslint", "clippy", "gcc", …; "exit_code_only"
  std::optional<std::int64_t> errors, warnings;
  std::vector<std::string> suspicious;
};

/// Evidence of one check.
struct CheckEvidence {
  Dimension dimension = Dimension::build;
  CheckStatus status = CheckStatus::not_started;
  std::optional<int> exit_code;
  std::optional<int> signal;
  std::int64_t wall_ms = 0;
  std::string command;
  std::string attempt;    ///< key of the attempt whose logs these are
  std::string isolation;  ///< "bwrap", "none"
  std::string message;    ///< why it did not start, and the like; may be empty
  bool cached = false;    ///< taken from an earlier race or an identical tree
  std::optional<TestReport> tests;
  std::optional<LintReport> lint;
};

/// Evidence of one subject (an agent's result, or the baseline). Absent: not configured, or not run yet.
struct CheckSet {
  std::optional<CheckEvidence> build, tests, lint;
};

}  // namespace hydra::model
