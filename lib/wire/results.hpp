// wire: the state and results of a race (docs/api.md). Members have JSON's names, C++
// keywords a final "_". An absent value is null in JSON; members "left out" are missing there.
#pragma once

#include "model/event.hpp"
#include "model/leaderboard.hpp"
#include "model/phase.hpp"
#include "model/twins.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hydra::wire {

using Texts = std::vector<std::string>;
using model::Interval;

/// A person's decision about an ended race.
struct Decision : model::Decision {
  std::string by;          ///< empty: from a version that did not ask for a name
  std::int64_t at_ms = 0;  ///< Unix time
};

/// Why a result waits for a decision.
struct Undecided {
  std::int64_t own_passed = 0, own_total = 0;
  std::int64_t not_loaded = 0,
               snapshots = 0;  ///< tests of the base: could not be loaded; compare with changed snapshots
  Texts tests;                 ///< the first of them
};

struct LintCounts {
  std::optional<std::int64_t> errors, warnings;
};
/// A run of a check.
struct Check {
  std::optional<int> exit_code, signal;  ///< `signal` is left out when no signal ended the command
  double wall_seconds = 0;
  std::string command, attempt;
  bool cached = false;
  // The following members are left out when empty.
  std::optional<model::Advice> advice;
  std::string message, format;
  model::TestOutcome outcome{};
  Texts suspicious;
  std::optional<model::TestCounts> tests;  ///< counts, written as members of the check
  std::optional<LintCounts> lint;          ///< counts, written as members of the check
};

struct BaselineCheck : Check {
  model::CheckStatus status = model::CheckStatus::not_started;
  std::optional<double> cold_wall_seconds;  ///< time of a run from nothing; left out when absent
};

struct Baseline {
  model::BasePhase state{};
  std::string reason, attempt, advice, problem_text, cold_difference;
  model::BaseProblem problem{};  ///< why the base's checks can judge no result
  double limit_seconds = 0;      ///< of each check
  std::optional<model::WorkspaceFacts> workspace;
  std::int64_t test_runs = 0;
  Texts unstable;
  std::optional<model::TemplateReady> template_;
  bool cached = false;
  std::optional<BaselineCheck> build, tests, lint;
};

/// Twins of the base's tests, run on one result (docs/integrity.md, "Twins").
struct Twins {
  model::TwinsState state{};
  std::string reason, seed;
  std::int64_t told = 0;  ///< tests that pass unchanged and fail with other expected values, as tests should
  std::int64_t assertions = 0;
  std::int64_t left_out = 0;  ///< number of test files outside of the sample
  Texts untouched;
  std::int64_t cpu_ms = 0, plain_cpu_ms = 0;  ///< of the twin runs, and of the unchanged tests
};

/// Integrity facts of a result.
struct Integrity {
  std::vector<model::RestoredPath> restored;
  Texts unrestored, unseen;
  std::int64_t more_restored = 0, suppressions = 0, not_shown = 0, blocking = 0;
  bool own_run = false;
  std::vector<model::TamperFinding> findings;  ///< worst first
  std::string error;
  Twins twins;
};

/// A judge's score or person's rating of a result.
struct Vote {
  std::string judge, invalid, reason, attempt;
  bool person = false, outlier = false;
  double stake = 0;
  std::optional<double> score, modified_z;
  std::optional<int> rating;  ///< of a person
};
struct Judges {
  model::JudgesState status{};
  std::string text, seed;
  std::optional<double> score, points, median, mad;
  std::uint64_t judges = 0, asked = 0;  ///< judges with a score; all judges
  double stake = 0, all_stake = 0, weight = 0;
  std::vector<Vote> votes;
};

struct Confidence {
  model::Belief word = model::Belief::not_ranked;
  std::string text, range;
  std::optional<double> probability, brier;  ///< how often this word was right in the user's own races
  std::optional<std::int64_t> n, outcome_races;
  std::optional<Interval> interval;
  model::ConfidenceFacts facts;
};

/// The part of a change that counts as its size.
struct CountedDiff : model::DiffStat {
  Texts set_apart;
  std::optional<model::DiffStat> tests;  ///< left out when empty
};
/// Inputs of a dimension's points; all members are written side by side.
struct Detail {
  std::optional<Check> check;
  std::optional<CountedDiff> size;
  std::optional<double> duration_seconds;
  std::map<std::string, double> terms;  ///< terms of the formula that no member above contains
};
struct Dimension {
  model::DimensionStatus status = model::DimensionStatus::not_configured;
  model::ScoreReason reason{};
  double points = 0;
  Detail detail;
};
/// The run that gave a dimension its points.
struct PointsRun {
  std::string attempt;
  model::CheckStatus status = model::CheckStatus::not_started;
};

struct EarlierAttempt {
  int attempt = 0;
  model::Outcome outcome{};
  model::ErrorClass error_class{};
  std::string message;
  model::StopReason stopped{};
  std::string session, branch;
  double duration_seconds = 0;
  model::Usage tokens;
  std::optional<double> cost_usd;
};

/// Tests by their change from the base: "fixed", "broken", "removed", "newly_skipped", "added", "unstable";
/// "hidden" lists the hidden tests among all of them.
using TestNames = std::map<std::string, Texts>;

/// Facts of an agent that every view shows.
struct AgentFacts {
  std::string agent, display;
  model::AgentPhase state{};
  model::Outcome outcome{};
  std::string message;
  model::StopReason stopped{};
  std::string branch;
  bool unchecked = false, cost_estimated = false, usage_partial = false;
  int attempt = 1;
  model::Usage tokens;
  std::optional<std::int64_t> tokens_counted;
  std::optional<double> cost_usd, composite;
};
/// Facts common to a result and its explanation.
struct ResultFacts : AgentFacts {
  std::string commit, branch_refused;
  int rank = 0;
  bool eligible = false;
  std::vector<model::Ineligible> ineligible_reasons;
  std::vector<model::CaptureFlag> flags;
  Texts warnings, own_tests_failing;
  std::optional<double> evidence_points;
  std::optional<Confidence> confidence;
  std::optional<Judges> judges;
  std::vector<model::LeftOut> left_out;
  std::optional<model::WorkspaceFacts> workspace;
  std::optional<TestNames> tests_by_name;
  std::optional<Integrity> integrity;
  std::optional<Undecided> undecided;
  std::int64_t leaked_processes = 0;
};

struct AgentResult : ResultFacts {
  std::string entry, model;
  model::ErrorClass error_class{};
  std::string session, final_text;
  std::string question;  ///< line of final_text that asks something; empty: none
  model::Isolation sandbox{};
  int entry_attempt = 1;
  bool tied = false;
  Texts repository_changed;
  std::optional<double> duration_seconds;
  std::map<std::string, Dimension> dimensions;
  model::DiffStat diff;
  std::int64_t agent_commits = 0;
  std::optional<int> exit_code, signal;
  std::vector<EarlierAttempt> earlier_attempts;
  std::map<std::string, PointsRun> runs;  ///< of build, tests, lint: those that have run
  std::uint64_t output_bytes = 0;
};

/// A tester is not a candidate: none of its work is scored.
struct TesterResult : AgentResult {};

/// An author's tests on one result.
struct EvidenceTest {
  std::string name, file;
  model::TestClass class_{};
  std::string reason;
  model::Cell status{};
  std::string log;
};
struct EvidenceCell {
  std::string result, author, log;
  std::int64_t passed = 0, failed = 0, no_contact = 0, unstable = 0, not_run = 0;
  std::vector<EvidenceTest> tests;
};
struct EvidenceAuthor {
  std::string author;
  model::AuthorKind kind{};
  std::string void_reason;
  Texts members;
  std::int64_t tests = 0, fails_before = 0, no_contact_before = 0, passes_before = 0, alone = 0, void_ = 0;
};
struct Evidence {
  model::Measure state{};
  std::string reason;
  std::vector<EvidenceAuthor> authors;
  std::vector<EvidenceCell> cells;
  std::vector<Texts> clusters;
  bool points_configured = false;
  std::string points_reason;  ///< left out when points exist
};

/// Why a row of the ranking stands above the next.
struct OrderReason : model::OrderReason {
  std::string above, below;  ///< agents
  std::string text;          ///< for people
};

/// Statistics over all attempts of an entry.
struct Entry : model::LeaderboardRow {
  std::string best_attempt;
};

struct Thresholds : model::Thresholds {
  int good = 80, fair = 50;
};
/// The ranking, computed again from stored evidence.
struct Rescored {
  bool identical = false;  ///< true: equal bit by bit
  std::string winner_before;
  model::Weights weights;
};

/// Run time of a race's checks: the configured ones of base and results, and all that verify these.
struct CheckTimes {
  double checks_seconds = 0, verification_seconds = 0;
  std::int64_t cross_runs = 0, twin_runs = 0;
  std::int64_t twin_tests = 0, base_tests = 0;  ///< tests of the largest twin run, and of the base
  Texts left_out;                               ///< verification beyond [evaluation] budget, for people
};

struct Results {
  int schema = 1;
  std::string race, task, base;
  model::RacePhase state{};
  std::string reason, repository;
  model::Isolation sandbox{};
  std::string image;
  model::Placement placement{};
  std::string kind;
  model::Order order{};
  std::int64_t created_ms = 0;
  double duration_seconds = 0;
  std::string winner, points_winner;
  std::string verdict;     ///< why the winner won, one sentence for people; empty: not ranked
  std::string led_before;  ///< winner of the ranking before verification; empty: the winner, or not known
  bool final = false;      ///< false with a winner: ranked by the configured checks, verification goes on
  model::RaceDecision decision = model::RaceDecision::none;
  Texts decision_with;  ///< results that are tied with the winner, or between which nothing decides
  std::string
      decision_reason;  ///< a clause behind the winner's name, or behind those between which nothing decides
  std::vector<OrderReason> order_reasons;  ///< of each row but the first, in the order of the ranking
  bool told_apart = false, all_failed = false, auto_merged = false;
  Evidence evidence;
  std::vector<model::ContestedTest> contested;
  Texts approved_tests, notes;
  std::vector<Decision> decisions;
  std::optional<model::Merged> merged;
  std::string auto_merge_refused;
  model::CheckPlace checks{};
  model::Verify verify{};
  std::string verifies;
  std::optional<model::RepositoryCompared> repository_changes;
  std::uint64_t hidden_tests = 0;
  CheckTimes check_times;
  model::Weights weights;
  Thresholds thresholds;
  Baseline baseline;
  std::vector<Entry> entries;
  std::vector<AgentResult> agents;
  std::vector<TesterResult> testers;
  std::optional<Rescored> rescored;   ///< left out except for `rescore`
  std::optional<std::int64_t> after;  ///< id of the event before a decision; otherwise left out
};

/// A check with its purpose and the log lines that its reading used.
struct Run : Check {
  model::Subject subject;
  std::string purpose;
  model::CheckStatus status = model::CheckStatus::not_started;
  model::Isolation isolation{};
  std::vector<model::LineRange> evidence;
};
struct ExplainDimension {
  std::string dimension;
  model::DimensionStatus status = model::DimensionStatus::not_configured;
  model::ScoreReason reason{};
  std::string formula;
  double points = 0, share = 0, contribution = 0;
  std::map<std::string, double> inputs;
  std::vector<Run> runs;
};

/// The origin of each point of a result.
struct Explain : ResultFacts {
  int schema = 1;
  std::string race, checked_as, checked_commit;
  model::RacePhase race_state{};
  bool ranked = false;
  Texts unstable, hidden_tests, set_apart;
  std::string evidence_formula, formula;
  model::Order order{};
  model::Isolation sandbox{};
  std::string image;
  model::Placement placement{};
  model::CheckPlace checks{};
  std::vector<ExplainDimension> dimensions;
  std::vector<Decision> decisions;
  std::vector<OrderReason> order_reasons;
};

}  // namespace hydra::wire
