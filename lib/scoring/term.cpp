// Tasks, suites, validators (T1-T3, T10).
#include "scoring/term.hpp"

#include "scoring/numeric.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

namespace hydra::scoring::term {

double task_score(std::optional<std::int64_t> exit_code, bool timed_out) {
  return exit_code == 0 && !timed_out ? 1.0 : 0.0;
}

double benchmark_score(std::int64_t passed, std::int64_t total) {
  return total > 0 ? static_cast<double>(passed) / static_cast<double>(total) : 0.0;
}

std::vector<std::size_t> rank(const std::vector<Submission>& submissions) {
  std::vector<std::size_t> order(submissions.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto key = [&](std::size_t i) {
    return std::tuple(-submissions[i].score, submissions[i].submitted_at);
  };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
  return order;
}

bool admitted(std::int64_t validators, double stake, const Admission& rule) {
  // The quotient is the double nearest to the true fraction, so 30 of 100 equals 0.3.
  return validators >= rule.min_validators && rule.network_stake > 0 &&
         stake / rule.network_stake >= rule.min_stake_fraction;
}

std::optional<double> stake_weighted_average(const std::vector<Evaluation>& evaluations) {
  std::vector<double> scores, stakes;
  for (const auto& e : evaluations) {
    scores.push_back(e.score);
    stakes.push_back(e.stake);
  }
  return detail::weighted_mean(scores, stakes);
}

Outliers outliers(std::span<const double> scores, double threshold) {
  Outliers out;
  out.modified_z.resize(scores.size());
  out.undetermined = true;
  if (scores.empty()) return out;
  const auto s = detail::scaled(scores);
  const double middle = detail::median(s.values);
  std::vector<double> distances;
  for (const double v : s.values) distances.push_back(std::fabs(v - middle));
  const double mad = detail::median(distances);
  out.median = std::ldexp(middle, s.exponent);
  out.mad = std::ldexp(mad, s.exponent);
  if (mad <= 0) return out;
  out.undetermined = false;
  for (std::size_t i = 0; i < s.values.size(); ++i) {
    const double z = 0.6745 * (s.values[i] - middle) / mad;
    out.modified_z[i] = z;
    if (std::fabs(z) > threshold) out.indices.push_back(i);
  }
  return out;
}

Validated validated_score(const std::vector<Evaluation>& evaluations, const Admission& rule,
                          double threshold) {
  std::vector<double> scores, stakes;
  for (const auto& e : evaluations) {
    scores.push_back(e.score);
    stakes.push_back(e.stake);
  }
  Validated out;
  out.outliers = outliers(scores, threshold);
  const double stake = std::accumulate(stakes.begin(), stakes.end(), 0.0);
  if (!admitted(static_cast<std::int64_t>(evaluations.size()), stake, rule)) return out;
  for (const auto i : out.outliers.indices) stakes[i] = 0;
  out.score = detail::weighted_mean(scores, stakes);
  return out;
}

}  // namespace hydra::scoring::term
