// scoring: the formulas of a race (docs/scoring.md, rulings H1-H22). Every function is pure: no clock, file
// or process.
#pragma once

#include "model/config.hpp"
#include "model/score.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::scoring {

/// End of a command. A signal, timeout or failed start outweighs any exit code.
struct CommandEnd {
  std::optional<int> exit_code;  ///< absent: unknown
  std::optional<int> signal;
  bool timed_out = false;
  bool spawn_error = false;
};
struct BuildScore {
  double score = 0;  ///< 100 or 0
  bool passed = false;
};
/// Scores the build; also the fallback of every other check (H11): 100 for exit code 0, else 0.
BuildScore score_build(const CommandEnd& end);

struct TestsScore {
  double score = 0, pass_rate = 0, bonus = 0, regression_penalty = 0;
};
/// Scores the tests; counts >= 0. `regressions` replaces baseline_pass - agent_pass if test names are known
/// (H17).
TestsScore score_tests(std::int64_t baseline_pass, std::int64_t baseline_total, std::int64_t agent_pass,
                       std::int64_t agent_total, std::optional<std::int64_t> regressions = std::nullopt);

/// Scores the lint run in [0, 100]; counts >= 0.
double score_lint(std::int64_t baseline_errors, std::int64_t baseline_warnings, std::int64_t agent_errors,
                  std::int64_t agent_warnings);

struct DiffScore {
  double score = 0, churn_score = 0, file_score = 0;
};
/// Scores the diff size; counts >= 0.
DiffScore score_diff_size(std::int64_t lines_added, std::int64_t lines_removed, std::int64_t files_changed);

/// Scores the speed of each agent; an absent duration (not completed) gives 0 and sets no pace (H12).
/// Durations in any unit, finite, clamped to at least `least` > 0: one millisecond in that unit. `pace`: the
/// duration that scores 100, as all shorter ones do (H30); absent: the shortest.
std::vector<double> score_speed(const std::vector<std::optional<double>>& durations, double least,
                                std::optional<double> pace = std::nullopt);
/// Scores the speed for durations in milliseconds.
std::vector<double> score_speed(const std::vector<std::optional<std::int64_t>>& durations_ms,
                                std::optional<std::int64_t> pace_ms = std::nullopt);

/// Returns the weighted mean of the dimensions that are not `not_configured` (H3); 0 if none is configured.
double composite(const model::ScoreBreakdown& breakdown, const model::Weights& weights);

/// Returns the part of the composite from each dimension, and last from the judges.
std::array<double, 6> contributions(const model::ScoreBreakdown& breakdown, const model::Weights& weights);

/// Rounds to one decimal, half up (H2): 93.25 -> "93.3".
std::string format_score(double points);
/// Rounds to a whole number, half up, for the result block: 84.5 -> "85".
std::string format_points(double points);

enum class Colour { green, yellow, red };
/// Returns green above 80, yellow for 50 to 80, red below 50 (H15), for the unrounded value.
Colour colour(double points);
/// Returns "green", "yellow" or "red".
std::string_view name(Colour c);

/// The inputs of rank_order() (H16, H19): points in [0, 100], duration in milliseconds.
struct Contender {
  bool eligible = true;
  double composite = 0, tests = 0, build = 0, diff_size = 0;
  double duration_ms = 0;  ///< duration, clamped to at least 1
};
/// Returns indices into `contenders`, best first; ties keep the input order.
std::vector<std::size_t> rank_order(const std::vector<Contender>& contenders);
/// The parts of rank_order()'s key, in its order.
enum class KeyPart { eligible, composite, tests, build, diff_size, duration, none };
/// Returns the first part that differs. Points that differ by less than a billionth are equal.
KeyPart first_difference(const Contender& a, const Contender& b);
/// Whether rank_order() sees no difference.
bool tied(const Contender& a, const Contender& b);

struct Verdict {
  bool auto_merge = false, all_failed = false;
};
/// Compares the best eligible composite with the thresholds, both strict (H14); nullopt: nobody is eligible.
/// A race in which all agents failed merges nothing, whatever the other threshold says.
Verdict judge(std::optional<double> best, const model::Thresholds& thresholds);

/// Scores build, tests, lint and diff size of one agent, with the short-circuit of H4. Speed stays not
/// configured, since it needs all agents.
model::ScoreBreakdown score_agent(const model::ScoringConfig& config, const model::BaselineEvidence& baseline,
                                  const model::AgentEvidence& agent);

/// Evaluates a race: scores, eligibility, order, winner, thresholds (H12-H19, H23-H26). `agents` in the order
/// of the request; `matrix` unclassified. `rescore` gives the same answer for the same evidence.
model::Ranking evaluate(const model::ScoringConfig& config, const model::BaselineEvidence& baseline,
                        const std::vector<model::AgentEvidence>& agents, const model::Matrix& matrix = {});

/// Basis of a comparison of two runs of the tests. nothing: a run did not end by itself, or contradicts
/// itself.
enum class ComparedBy { nothing, exit_code, counts, names };

/// Numbers of tests without those that are skipped in both runs (H27).
struct TestNumbers {
  std::int64_t passed = 0, total = 0;
};

/// Comparison of a result's tests with the base's (H17, H18, H27). Points, eligibility, evidence, history and
/// reward all read this value. A name that occurs several times has its worst status.
struct TestComparison {
  ComparedBy by = ComparedBy::nothing;
  std::vector<std::string> added, removed, fixed, broken, newly_skipped;
  std::vector<std::string> unfixed;   ///< tests that fail in both runs
  std::vector<std::string> unstable;  ///< unstable tests that would otherwise be broken or newly skipped
  std::int64_t regressions = 0;  ///< tests that passed in the baseline and now fail, are skipped or missing
  std::int64_t failing = 0;      ///< regressions that ran and did not pass
  TestNumbers base, mine;        ///< counts of the formula; by counts and by names
  /// Tests of the base that are lost, of those that passed there; and that pass now, of those that failed
  /// there. By exit code the command is one test.
  std::int64_t lost = 0, could_lose = 0, gained = 0, could_gain = 0;

  [[nodiscard]] bool by_name() const { return by == ComparedBy::names; }
};
/// Whether the report names all its tests; unnamed tests would count as regressions.
bool names_all(const model::TestReport& report);
/// Compares two reports. Tests named in `unstable` are neither fixed, broken nor newly skipped, and a
/// regression only if missing.
TestComparison compare_tests(const model::TestReport& baseline, const model::TestReport& agent,
                             const std::vector<std::string>& unstable = {});

/// Returns the comparison behind this agent's points.
TestComparison compare_tests(const model::BaselineEvidence& baseline, const model::AgentEvidence& agent);

}  // namespace hydra::scoring
