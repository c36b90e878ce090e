// model: points and ranks, and the evidence that they are a pure function of.
#pragma once

#include "model/agent_run.hpp"
#include "model/config.hpp"
#include "model/dimension.hpp"
#include "model/integrity.hpp"
#include "model/selection.hpp"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace hydra::model {

/// Three states of a dimension (ruling H3), with the second one told apart for display.
enum class DimensionStatus {
  scored,
  not_configured,  ///< excluded, its weight too
  skipped,         ///< short-circuited: 0 points, weight stays, shown as --
  failed,          ///< not run, timed out, unparseable: 0 points, weight stays
};
template <>
inline constexpr auto kWords<DimensionStatus> = words_or(DimensionStatus::not_configured, "scored",
                                                         "not_configured", "skipped", "failed");

/// A named number of the formula, for `explain`: "pass_rate" = 0.9.
struct ScoreTerm {
  std::string name;
  double value = 0;
};

struct DimensionScore {
  DimensionStatus status = DimensionStatus::not_configured;
  double points = 0;   ///< [0, 100]; 0 unless scored
  std::string reason;  ///< "exit_code_only", "no_tests", "timed_out", "by_name", "by_count", …
  std::vector<ScoreTerm> terms;
};

struct ScoreBreakdown {
  std::array<DimensionScore, 5> dimensions;  ///< by index(Dimension)
  double composite = 0;                      ///< [0, 100], unrounded
  DimensionScore judges{};  ///< no dimension of the specification: counts where its weight is above 0
};

/// Everything that the score of one agent depends on.
struct AgentEvidence {
  std::string agent;    ///< unique name in the race
  std::string display;  ///< "Codex CLI"
  Outcome outcome = Outcome::unknown;
  std::int64_t duration_ms = 0;
  std::optional<Capture> capture;  ///< absent: capture failed or never ran
  std::string capture_error;
  CheckSet checks;
  std::string branch;                   ///< short form without "hydra/" prefix is derived; may be empty
  std::vector<std::string> unstable{};  ///< tests that this commit passed and failed: no regressions
  std::vector<std::string> doubts{};    ///< further reasons against eligibility: "tampered", …
  bool hold_merge = false;              ///< eligible, but nothing merges it without being asked
  std::string code{};     ///< agent whose checks these are: identical trees share it; empty: its own
  std::string product{};  ///< equal texts: the same code, whatever tests came with it; empty: not known
  std::int64_t hidden_passed = 0, hidden_failed = 0;  ///< hidden tests; both 0: there are none
  DimensionScore judges{};                            ///< as it goes into the breakdown
  /// Tests of the base could not be loaded on it and its own pass: it stands behind whoever passes something.
  bool undecided = false;
};

struct BaselineEvidence {
  CheckSet checks;
  std::vector<std::string> unstable{};  ///< tests that the base passed and failed: no regressions
};

struct RankedAgent {
  std::string agent;
  bool eligible = false;
  std::vector<std::string> ineligible_reasons;  ///< no_changes, trivial, build_failed, crashed, timed_out,
                                                ///< capture_failed, unverified, …
  int rank = 0;                                 ///< 1-based; two agents share a rank when tied
  bool tied = false;
  ScoreBreakdown score;
  std::optional<double> evidence{};  ///< points of evidence, [0, 100]; absent: nothing in the race gives any
  ResultConfidence confidence{};
};

struct Ranking {
  std::vector<RankedAgent> agents;  ///< best first, eligible ones before all others (ruling H19)
  std::string winner;               ///< name of the best eligible agent; empty: none
  bool all_failed = false;          ///< ruling H14
  bool auto_merge = false;          ///< winner strictly above auto_merge_minimum
  std::vector<std::string> notes;   ///< "baseline has no tests", …
  std::string order{};          ///< "evidence" or "composite"; empty: of a version that knew the latter only
  bool evidence = false;        ///< something in the race tells its results apart: see docs/selection.md
  std::string points_winner{};  ///< who would be first by points alone; empty: the winner
  std::string remark{};         ///< "fastest of 3 that nothing tells apart"; may be empty
  std::vector<ContestedTest> contested{};
  std::vector<std::vector<std::string>> clusters{};  ///< eligible results that behave the same, largest first
};

}  // namespace hydra::model
