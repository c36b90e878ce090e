// scoring: the formulas of a race, pure. spec scoring-engine with rulings H1-H22: no clock, no file, no
// process.
#pragma once

#include "model/config.hpp"
#include "model/score.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::scoring {

/// How a command ended. A signal, a deadline or a failed start outweighs any exit code.
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
/// "1. Build", and the fallback of every other check (H11): 100 for exit code 0, else 0.
BuildScore score_build(const CommandEnd& end);

struct TestsScore {
  double score = 0, pass_rate = 0, bonus = 0, regression_penalty = 0;
};
/// "2. Tests". Counts >= 0. `regressions` replaces baseline_pass - agent_pass where names are known (H17).
TestsScore score_tests(std::int64_t baseline_pass, std::int64_t baseline_total, std::int64_t agent_pass,
                       std::int64_t agent_total, std::optional<std::int64_t> regressions = std::nullopt);

/// "3. Lint". Counts >= 0; result in [0, 100].
double score_lint(std::int64_t baseline_errors, std::int64_t baseline_warnings, std::int64_t agent_errors,
                  std::int64_t agent_warnings);

struct DiffScore {
  double score = 0, churn_score = 0, file_score = 0;
};
/// "4. Diff Size". Counts >= 0.
DiffScore score_diff_size(std::int64_t lines_added, std::int64_t lines_removed, std::int64_t files_changed);

/// "5. Speed": points per agent; absent durations (did not complete) score 0 and set no reference (H12).
/// Durations in any unit, finite, clamped to at least `least` > 0: one millisecond in that unit.
std::vector<double> score_speed(const std::vector<std::optional<double>>& durations, double least);
/// The same in milliseconds.
std::vector<double> score_speed(const std::vector<std::optional<std::int64_t>>& durations_ms);

/// Weighted mean over the dimensions that are not `not_configured` (H3). 0 where none is configured.
double composite(const model::ScoreBreakdown& breakdown, const model::Weights& weights);

/// One decimal, half up (H2): 93.25 -> "93.3".
std::string format_score(double points);
/// No decimal, half up, as in a cell of the result block: 84.5 -> "85".
std::string format_points(double points);

enum class Colour { green, yellow, red };
/// > 80 green, 50 to 80 yellow, < 50 red (H15), on the unrounded value.
Colour colour(double points);
/// "green", "yellow", "red".
std::string_view name(Colour c);

/// What the order of a ranking looks at (H16, H19). Points in [0, 100], duration in milliseconds.
struct Contender {
  bool eligible = true;
  double composite = 0, tests = 0, build = 0, diff_size = 0;
  double duration_ms = 0;  ///< clamped to at least 1
};
/// Best first, as indices into `contenders`; the order of the input decides between tied ones.
std::vector<std::size_t> rank_order(const std::vector<Contender>& contenders);
/// Equal in everything that rank_order looks at. Points that differ by less than a billionth are equal.
bool tied(const Contender& a, const Contender& b);

struct Verdict {
  bool auto_merge = false, all_failed = false;
};
/// H14: strict on both sides. `best` is the best eligible composite; absent: nobody is eligible. A race in
/// which all failed merges nothing, whatever the other threshold says.
Verdict judge(std::optional<double> best, const model::Thresholds& thresholds);

/// Points of build, tests, lint and diff size out of one agent's evidence, with the short-circuit of H4.
/// Speed stays not configured: it needs all agents.
model::ScoreBreakdown score_agent(const model::ScoringConfig& config, const model::BaselineEvidence& baseline,
                                  const model::AgentEvidence& agent);

/// The whole evaluation: scores, eligibility, order, winner, thresholds (H12-H19, H23-H26). `agents` in the
/// order in which they were asked for; `matrix` as it was measured. A pure function of its arguments:
/// `rescore` gives the same answer.
model::Ranking evaluate(const model::ScoringConfig& config, const model::BaselineEvidence& baseline,
                        const std::vector<model::AgentEvidence>& agents, const model::Matrix& matrix = {});

/// By-name comparison of two test runs (H17, H18). Names occurring more than once are compared by their worst
/// status.
struct TestComparison {
  bool by_name = false;
  std::vector<std::string> added, removed, fixed, broken, newly_skipped;
  std::vector<std::string> unstable;  ///< of those given, the ones that would be broken or newly skipped
  std::int64_t regressions = 0;       ///< passed in the baseline; now failing, skipped or missing
  std::int64_t failing = 0;           ///< of the regressions, those that ran and did not pass
};
/// Names of `unstable` are quarantined: neither fixed, broken nor newly skipped, and no regression unless
/// they are missing.
TestComparison compare_tests(const model::TestReport& baseline, const model::TestReport& agent,
                             const std::vector<std::string>& unstable = {});

/// The comparison that this agent's points are made of.
TestComparison compare_tests(const model::BaselineEvidence& baseline, const model::AgentEvidence& agent);

}  // namespace hydra::scoring
