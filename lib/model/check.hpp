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

/// What a parser read out of a test run's output.
struct TestReport {
  std::string format;     ///< "jest", "pytest", …; "exit_code_only" when nothing was recognised
  bool complete = false;  ///< the output has its own end (a summary), not cut
  TestCounts counts;
  std::vector<TestCase> tests;  ///< empty where the output has no names
  std::string outcome;          ///< "", "tests_failed", "build_failed", "crashed", "no_tests", "partial"
  std::vector<std::string> suspicious;  ///< contradictions, e.g. "exit code 0 with 2 failed tests"
};

enum class LintSeverity { error, warning };  ///< warning: every finding that is no error (style, info, …)

struct LintFinding {
  std::string file;       ///< as the tool printed it; may be empty
  std::int64_t line = 0;  ///< from 1; 0: not known
  std::int64_t column = 0;
  std::string rule;  ///< "no-undef", "E501", "-Wunused-variable"; may be empty
  LintSeverity severity = LintSeverity::error;
  std::string message;  ///< the first line of it, at most kMaxLintText bytes
};
inline constexpr std::size_t kMaxLintFindings = 10'000;  ///< more are counted, not kept
inline constexpr std::size_t kMaxLintText = 300;         ///< bytes of each text of a finding

/// How far a reading may be believed: none (only the exit code), low (lines of a common shape, tool unknown),
/// medium (a known tool's lines), high (a known tool's lines and its own total, or a structured report).
enum class Confidence { none, low, medium, high };

/// What a parser read out of a linter's, compiler's or formatter's output.
struct LintReport {
  std::string format;  ///< "eslint", "clippy+tsc", …; "clean" for silence; "exit_code_only"
  std::optional<std::int64_t> errors, warnings;  ///< absent: can't be known from the output (never invented)
  std::vector<std::string> suspicious = {};      ///< contradictions, e.g. "the summary of eslint says …"
  std::vector<LintFinding> findings = {};        ///< in the order of the output, at most kMaxLintFindings
  Confidence confidence = Confidence::none;
  bool complete = false;     ///< the tool came to its end and nothing of its output is missing
  std::string outcome = {};  ///< "", "clean", "findings", "crashed", "config_error"; "": not known
  std::vector<std::int64_t> evidence = {};  ///< lines (from 1) that were believed, at most kMaxLintFindings
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
