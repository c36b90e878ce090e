// scoring: the term system (docs/scoring.md, "Term", rulings T1-T10): suites of pass/fail tasks, validators,
// weights, decay. Every function is pure; scores, stakes and weights are finite and >= 0 unless noted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace hydra::scoring::term {

inline constexpr double kFullWeight = 65535;  ///< largest scaled weight

/// Returns 1 for exit code 0 in time, else 0 (T10). An absent exit code is a failure.
double task_score(std::optional<std::int64_t> exit_code, bool timed_out);
/// Returns passed / total; 0 without tasks (T10). 0 <= passed <= total.
double benchmark_score(std::int64_t passed, std::int64_t total);

struct Submission {
  double score = 0;
  double submitted_at = 0;  ///< time on a clock shared by all submissions
};
/// Returns indices, best first, by higher score, earlier submission, input order.
std::vector<std::size_t> rank(const std::vector<Submission>& submissions);

struct Admission {
  double network_stake = 0;
  std::int64_t min_validators = 3;
  double min_stake_fraction = 0.3;  ///< [0, 1]
};
/// Whether enough validators hold enough of the network's stake, both bounds inclusive. False for a network
/// without stake.
bool admitted(std::int64_t validators, double stake, const Admission& rule);

struct Evaluation {
  double stake = 0;
  double score = 0;  ///< may be negative
};
/// Returns the stake-weighted mean; nullopt if all stakes are 0 (T3).
std::optional<double> stake_weighted_average(const std::vector<Evaluation>& evaluations);

struct Outliers {
  std::optional<double> median, mad;              ///< absent for no scores
  std::vector<std::optional<double>> modified_z;  ///< absent if the MAD is 0 (T1)
  std::vector<std::size_t> indices;               ///< indices with |z| strictly above the threshold
  bool undetermined = false;                      ///< whether the MAD is 0 or no scores exist: no outliers
};
/// Finds outliers; scores may be negative.
Outliers outliers(std::span<const double> scores, double threshold);

struct Validated {
  std::optional<double> score;  ///< absent: not admitted, or no stake
  Outliers outliers;
};
/// Counts all validators for the admission, but no outliers for the average (T2).
Validated validated_score(const std::vector<Evaluation>& evaluations, const Admission& rule,
                          double threshold);

/// Returns weights with sum 1; all 0 if all scores are 0 (T3).
std::vector<double> normalise(std::span<const double> scores);
/// Scales weights in [0, 1] to 0..65535, each rounded half away from zero: the sum need not be 65535 (T4).
std::vector<std::int64_t> scale(std::span<const double> weights);

struct Capped {
  double limit = 0;  ///< cap * sum of the weights
  std::vector<double> capped;
};
/// Returns the minimum of weight and limit (T5). Weights in any unit, cap in [0, 1].
Capped cap(std::span<const double> weights, double cap);
/// Spreads the excess over weights below the limit, in proportion to them, until none is above (T5). An
/// excess that no weight can take stays unassigned.
Capped cap_redistribute(std::span<const double> shares, double cap);

enum class Strategy { linear, winner_takes_all, quadratic, ranked };
/// Returns weights by strategy; all 0 if all scores are 0 (T3). `top_n` >= 1 is used by winner_takes_all
/// only; ties go to the earlier submission (T9).
std::vector<double> strategy(Strategy kind, const std::vector<Submission>& submissions, std::int64_t top_n);

/// Returns share * total for each competition.
std::vector<double> emission(double total, std::span<const double> alphas);

/// Returns max(0, current - last - grace) without wrapping (T6). Arguments >= 0.
std::int64_t epochs_stale(std::int64_t current, std::int64_t last_improvement, std::int64_t grace);

enum class Curve { linear, exponential };
/// Returns percent by the decay curve. rate in [0, 1] per epoch, tau >= 0 epochs, max_burn in [0, 100].
double burn_percent(Curve curve, double rate, double tau, double max_burn);
/// Returns percent of 65535, unrounded; scale() rounds. Percent in [0, 100].
double burn_weight(double burn_percent);

struct UidWeight {
  std::int64_t uid = 0;
  double weight = 0;
};
/// Scales weights by 1 - percent / 100 and gives uid 0 the rest of the sum (T8). `whole`: weights are rounded
/// half away from zero. uid 0 comes first in the result; other uids keep their order.
std::vector<UidWeight> apply_burn(const std::vector<UidWeight>& weights, double burn_percent, bool whole);

/// Whether the score resets the decay (T7): at least `threshold` relative to the previous top, inclusive with
/// tolerance 1e-12; any score without a top, and any score above 0 for a top of 0.
bool is_improvement(std::optional<double> top_score, double new_score, double threshold);

}  // namespace hydra::scoring::term
