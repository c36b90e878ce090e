// wire: details of a race beside its state and its results (docs/api.md). See results.hpp for the names of
// members.
#pragma once

#include "model/check.hpp"
#include "model/phase.hpp"
#include "model/subject.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hydra::wire {

/// GET /v1/races/RACE/tests: one letter per column: p passed, f failed, s skipped, u unstable, . absent.
struct TestRow {
  std::string name, cells;
  std::string class_ = "same";  ///< or the change by any agent: "broken", "removed", "skipped", …
};
struct TestTable {
  std::vector<std::string> columns;  ///< the baseline, then each agent
  std::vector<TestRow> rows;
  std::map<std::string, std::int64_t> counts;  ///< by class; "all", "failed", "changed"; "shown"
  std::optional<std::string> next;             ///< `cursor` of the next page
};
/// GET /v1/races/RACE/tests/AGENT: one test. No format tells yet where a test's lines and message are.
struct NamedTest {
  std::string status, attempt, message;
  std::optional<std::int64_t> first, last;
};

/// GET /v1/races/RACE/lint/AGENT
struct LintRow : model::LintFinding {
  bool new_ = false;  ///< absent from the baseline
};
struct LintPage {
  std::vector<LintRow> findings;
  std::optional<std::string> next;
};

/// GET /v1/races/RACE/attempts
struct Attempt {
  std::string attempt;
  model::Subject subject;
  std::string kind, purpose;
  std::int64_t number = 0;
  std::optional<std::int64_t> exit_code, started_ms, ended_ms;
  std::uint64_t bytes = 0;  ///< size of the logs
};
struct Attempts {
  std::vector<Attempt> attempts;
};

/// GET /v1/races/RACE/logs/SUBJECT/lines: byte offsets of every `every`-th line of a log.
struct LogLines {
  std::int64_t lines = 0, bytes = 0, every = 1000;
  std::vector<std::int64_t> offsets;
};

/// GET /v1/races/RACE/diff/AGENT as JSON
struct DiffFile {
  std::string path, old, status;  ///< `status`: A, M, D, R, T
  bool binary = false, set_apart = false, protected_ = false;
  std::int64_t added = 0, removed = 0, findings = 0;
};
struct DiffFiles {
  std::array<std::string, 2> commits;  ///< from, to
  std::vector<DiffFile> files;
  std::int64_t lines_added = 0, lines_removed = 0;
};

/// GET /v1/races/RACE/behaviour/AGENT: tests that end differently for two results.
struct BehaviourRow {
  std::string test, of, a, b, a_log, b_log;  ///< `of`: "base", or an author
};
struct Behaviour {
  int schema = 1;
  std::string race, a, b;
  std::uint64_t compared = 0;
  std::vector<BehaviourRow> differ;
};

/// GET /v1/races/RACE/verification: differences found by a race that verifies another one.
struct Differences {
  std::vector<std::string> differences;
};
struct VerifiedAgent {
  std::string agent, display;
  std::optional<double> composite, composite_again;
  bool unchecked_before = false;
  std::vector<std::string> differences;
};
struct Verification {
  int schema = 1;
  std::string race, verified_by;
  model::RacePhase state{};
  Differences baseline;
  std::vector<VerifiedAgent> agents;
  bool identical = false;
};

}  // namespace hydra::wire
