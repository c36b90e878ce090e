// scoring: the term system (spec term-challenge-scoring with rulings T1-T10), pure: suites of pass/fail
// tasks, many validators, weights, decay. Scores, stakes and weights are finite and >= 0 unless said.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace hydra::scoring::term {

inline constexpr double kFullWeight = 65535;  ///< the largest scaled weight

/// "Task Scoring": 1 for exit code 0 in time, else 0 (T10). An absent exit code failed.
double task_score(std::optional<std::int64_t> exit_code, bool timed_out);
/// "Pass Rate": passed / total; 0 without tasks (T10). 0 <= passed <= total.
double benchmark_score(std::int64_t passed, std::int64_t total);

struct Submission {
  double score = 0;
  double submitted_at = 0;  ///< any clock, the same for all
};
/// "Ranking": higher score, then earlier submission, then the order of the input. Indices, best first.
std::vector<std::size_t> rank(const std::vector<Submission>& submissions);

struct Admission {
  double network_stake = 0;
  std::int64_t min_validators = 3;
  double min_stake_fraction = 0.3;  ///< [0, 1]
};
/// Enough validators with enough of the network's stake, both inclusive. A network without stake admits
/// nothing.
bool admitted(std::int64_t validators, double stake, const Admission& rule);

struct Evaluation {
  double stake = 0;
  double score = 0;  ///< may be negative
};
/// "Stake-Weighted Averaging"; nothing where all stakes are 0 (T3).
std::optional<double> stake_weighted_average(const std::vector<Evaluation>& evaluations);

struct Outliers {
  std::optional<double> median, mad;              ///< absent for no scores
  std::vector<std::optional<double>> modified_z;  ///< absent where the MAD is 0 (T1)
  std::vector<std::size_t> indices;               ///< |z| strictly above the threshold
  bool undetermined = false;                      ///< the MAD is 0 or there are no scores: nobody is flagged
};
/// "Outlier Detection". Scores may be negative.
Outliers outliers(std::span<const double> scores, double threshold);

struct Validated {
  std::optional<double> score;  ///< absent: not admitted, or no stake
  Outliers outliers;
};
/// All validators count for the admission, outliers not for the average (T2).
Validated validated_score(const std::vector<Evaluation>& evaluations, const Admission& rule,
                          double threshold);

/// "Weight Normalization": weights that sum to 1; all 0 where all scores are 0 (T3).
std::vector<double> normalise(std::span<const double> scores);
/// To 0..65535, one by one, half away from zero: they need not sum to 65535 (T4). Weights in [0, 1].
std::vector<std::int64_t> scale(std::span<const double> weights);

struct Capped {
  double limit = 0;  ///< cap * sum of the weights
  std::vector<double> capped;
};
/// "Weight Cap": the plain minimum (T5). Weights in any unit, cap in [0, 1].
Capped cap(std::span<const double> weights, double cap);
/// T5: the excess goes to those below the limit in proportion to what they have, until nobody is above.
/// What nobody can take stays unassigned.
Capped cap_redistribute(std::span<const double> shares, double cap);

enum class Strategy { linear, winner_takes_all, quadratic, ranked };
/// "Weight Strategies". All 0 where all scores are 0 (T3). `top_n` >= 1 counts for winner_takes_all only;
/// ties go to the earlier submission (T9).
std::vector<double> strategy(Strategy kind, const std::vector<Submission>& submissions, std::int64_t top_n);

/// "Multi-Competition Allocation": share * total each.
std::vector<double> emission(double total, std::span<const double> alphas);

/// max(0, current - last - grace) without wrapping (T6). All >= 0.
std::int64_t epochs_stale(std::int64_t current, std::int64_t last_improvement, std::int64_t grace);

enum class Curve { linear, exponential };
/// "Decay Curves", percent. rate in [0, 1] an epoch, tau >= 0 epochs, max_burn in [0, 100].
double burn_percent(Curve curve, double rate, double tau, double max_burn);
/// "Burn Application": percent of 65535, unrounded; `scale` rounds it. Percent in [0, 100].
double burn_weight(double burn_percent);

struct UidWeight {
  std::int64_t uid = 0;
  double weight = 0;
};
/// T8: the others are scaled by 1 - percent / 100, uid 0 gets what is left of the sum. With `whole` the
/// others are rounded half away from zero. The result has uid 0 first; the others keep their order.
std::vector<UidWeight> apply_burn(const std::vector<UidWeight>& weights, double burn_percent, bool whole);

/// "Decay Reset" (T7): at least threshold above the previous top, relative to it, inclusive up to a tolerance
/// of 1e-12; any score where there was none, and any above 0 where the top was 0.
bool is_improvement(std::optional<double> top_score, double new_score, double threshold);

}  // namespace hydra::scoring::term
