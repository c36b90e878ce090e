// model: points and ranks, and the evidence that determines them.
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

/// Three states of a dimension (docs/scoring.md, H3); `skipped` is separate for display only.
enum class DimensionStatus {
  scored,
  not_configured,  ///< excluded together with its weight
  skipped,         ///< short-circuited: 0 points, weight stays, shown as --
  failed,          ///< not run, timed out, unparseable: 0 points, weight stays
  not_ranked,      ///< only shown: the race has no ranking
};
template <>
inline constexpr auto kWords<DimensionStatus> = words_or(DimensionStatus::not_configured, "scored",
                                                         "not_configured", "skipped", "failed", "not_ranked");

/// Why a result is not eligible (docs/scoring.md, H13, H19).
enum class Ineligible {
  // The agent's run ended badly.
  unfinished,
  failed,
  crashed,
  timed_out,
  cancelled,
  over_budget,
  launch_error,
  misconfigured,
  lost,
  stopped,
  // The agent's change is nothing to merge.
  capture_failed,
  no_changes,
  trivial,
  no_effective_change,  ///< of the files that the checks see, none differs from the base's
  // The result's checks speak against the result.
  build_failed,
  unverified,  ///< a check contradicts itself
  own_tests_fail,
  not_judged,            ///< no test passed, neither in the base nor in any result
  differs_from_nothing,  ///< the checks end differently in a workspace made from nothing
  not_inspected,         ///< the diff could not be read for the tamper report
  tampered,
};
template <>
inline constexpr auto kWords<Ineligible> =
    words<Ineligible>("unfinished", "failed", "crashed", "timed_out", "cancelled", "over_budget",
                      "launch_error", "misconfigured", "lost", "stopped", "capture_failed", "no_changes",
                      "trivial", "no_effective_change", "build_failed", "unverified", "own_tests_fail",
                      "not_judged", "differs_from_nothing", "not_inspected", "tampered");

/// A named number of the formula, for `explain`: "pass_rate" = 0.9.
struct ScoreTerm {
  std::string name;
  double value = 0;
};

/// How a dimension came to its points, or why it has none.
enum class ScoreReason {
  none,  ///< the formula has one way only
  exit_code,
  exit_code_only,  ///< the output has no counts
  by_name,
  by_count,
  no_tests,
  not_run,
  skipped,
  timed_out,
  crashed,
  not_started,
  unverified,  ///< the check contradicts itself
  build_failed,
  capture_failed,
  no_change,
  not_completed,
  // JudgesState says why the judges give no points.
  no_votes,
  too_few_judges,
  too_little_stake,
  no_stake,
};
template <>
inline constexpr auto kWords<ScoreReason> = words<ScoreReason>(
    "", "exit_code", "exit_code_only", "by_name", "by_count", "no_tests", "not_run", "skipped", "timed_out",
    "crashed", "not_started", "unverified", "build_failed", "capture_failed", "no_change", "not_completed",
    "no_votes", "too_few_judges", "too_little_stake", "no_stake");

struct DimensionScore {
  DimensionStatus status = DimensionStatus::not_configured;
  double points = 0;  ///< [0, 100]; 0 unless scored
  ScoreReason reason{};
  std::vector<ScoreTerm> terms;
};

struct ScoreBreakdown {
  std::array<DimensionScore, 5> dimensions;  ///< by index(Dimension)
  double composite = 0;                      ///< [0, 100], unrounded
  DimensionScore judges{};  ///< not a dimension of the specification: counts if its weight is above 0
};

/// All inputs of the score of one agent.
struct AgentEvidence {
  std::string agent;    ///< unique name in the race
  std::string display;  ///< "Codex CLI"
  Outcome outcome = Outcome::unknown;
  std::int64_t duration_ms = 0;
  std::optional<Capture> capture;  ///< absent: the capture failed or never ran
  std::string capture_error;
  CheckSet checks;
  std::string branch;                   ///< short form, without the "hydra/" prefix; may be empty
  std::vector<std::string> unstable{};  ///< tests that both passed and failed on this commit: not regressions
  std::vector<Ineligible> doubts{};     ///< found by others than scoring
  bool hold_merge = false;              ///< eligible, but never merged automatically
  std::string code{};     ///< agent that owns these checks: identical trees share them; empty: this agent
  std::string product{};  ///< equal texts mean equal code, whatever tests it has; empty: not known
  std::int64_t hidden_passed = 0, hidden_failed = 0;  ///< both 0: no hidden tests
  DimensionScore judges{};                            ///< copied into the breakdown
  /// Tests of the base could not be loaded with this result, and the result's own tests pass: the result
  /// ranks below any that passes some of the base's tests.
  bool undecided = false;
  /// Passes tests with changed values, too, or not at changed lines, and no witness tells why.
  bool unproven = false;
};

struct BaselineEvidence {
  CheckSet checks;
  std::vector<std::string> unstable{};  ///< tests that both passed and failed on the base: not regressions
  std::string names_by{};               ///< for people: "`go` names its tests with `-v`"; empty: not known
};

/// Why a row of the ranking stands above the next: the first part of the order's key that differs, or the
/// largest part or fact behind it.
enum class OrderBy {
  first,         ///< no row stands above
  eligible,      ///< the row below is not eligible
  hidden_tests,  ///< the row below fails `count` hidden tests
  undecided,     ///< the row below waits for a decision
  // More points of tests and evidence together, and the fact behind most of them.
  fixed_tests,    ///< fixes `count` more failing tests of the base
  broken_tests,   ///< breaks `count` fewer tests of the base
  authors,        ///< passes the tests of `count` more of the other authors
  others_tests,   ///< fails `count` fewer tests of other authors
  evidence,       ///< no such fact
  nothing_shown,  ///< the row below passes no test that fails without the change
  unproven,       ///< the row below passes tests that nothing shows to be heard
  own_tests,      ///< brings `count` more tests that fail without the change
  // The largest part of a larger composite; or, with `points` 0, the first difference at equal composites.
  build,
  tests,
  lint,
  diff_size,
  speed,
  judges,
  same_code,  ///< the rows are tied, since their trees are the same
  listed,     ///< nothing differs: the order in which the agents were asked for
};
template <>
inline constexpr auto kWords<OrderBy> = words<OrderBy>("first", "eligible", "hidden_tests", "undecided",
                                                       "fixed_tests", "broken_tests", "authors",
                                                       "others_tests", "evidence", "nothing_shown",
                                                       "unproven", "own_tests", "build", "tests", "lint",
                                                       "diff_size", "speed", "judges", "same_code", "listed");

struct OrderReason {
  OrderBy by = OrderBy::first;
  bool tied = false;       ///< the rows share a rank; `by` only says which of them is listed first
  std::int64_t count = 0;  ///< tests or authors
  double points = 0;       ///< difference of tests and evidence, or of the composites
};

/// How the first place was given (H34).
enum class RaceDecision {
  none,       ///< no result is eligible
  winner,     ///< evidence, or without any the points, puts one result first
  tie,        ///< evidence leaves others equal to the winner, which tests, size or points picked
  undecided,  ///< the first results fail valid tests of each other: no winner
};
template <>
inline constexpr auto kWords<RaceDecision> = words<RaceDecision>("none", "winner", "tie", "undecided");

struct RankedAgent {
  std::string agent;
  bool eligible = false;
  std::vector<Ineligible> ineligible_reasons;
  int rank = 0;  ///< from 1; tied agents share a rank
  bool tied = false;
  ScoreBreakdown score;
  std::optional<double> evidence{};  ///< points of evidence, [0, 100]; absent: none in the race
  ResultConfidence confidence{};
  OrderReason reason{};  ///< why the previous row stands above this one
};

struct Ranking {
  std::vector<RankedAgent> agents;  ///< best first, eligible ones before all others (docs/scoring.md, H19)
  std::string winner;               ///< name of the best eligible agent; empty: none, or undecided
  RaceDecision decision = RaceDecision::none;
  std::vector<std::string> decision_with;  ///< tied with the winner; or all between which nothing decides
  bool all_failed = false;                 ///< see docs/scoring.md, H14
  bool auto_merge = false;                 ///< winner strictly above auto_merge_minimum
  std::vector<std::string> notes;          ///< "baseline has no tests", …
  Order order{};
  bool evidence = false;        ///< evidence distinguishes the results: see docs/selection.md
  std::string points_winner{};  ///< winner by points alone; empty: the same as `winner`
  std::vector<ContestedTest> contested{};
  std::vector<std::vector<std::string>> clusters{};  ///< eligible ones of equal behaviour, largest first
};

}  // namespace hydra::model
