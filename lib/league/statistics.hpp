// league: statistics of many results: intervals, paired tests, pass@k; docs/suites.md gives the
// formulas. Every function is pure; random seeds are fixed, so equal data give equal answers.
#pragma once

#include "model/leaderboard.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace hydra::league {

using model::Interval;

/// Returns the 95 % Wilson score interval of a proportion, without continuity correction; nullopt for n = 0.
/// 0 <= successes <= n.
std::optional<Interval> wilson(std::int64_t successes, std::int64_t n);

/// Returns p of the exact two-sided McNemar test; `only_a`, `only_b`: tasks that only this side solved. 1 if
/// both are 0.
double mcnemar_exact(std::int64_t only_a, std::int64_t only_b);

/// Returns the probability that at least one of k attempts solves the task, 1 - C(n-c,k) / C(n,k); n
/// attempts, c successes. nullopt for n < k or k < 1.
std::optional<double> pass_at_k(std::int64_t n, std::int64_t c, std::int64_t k);
/// Returns the probability that all k attempts solve the task: C(c,k) / C(n,k).
std::optional<double> pass_all_k(std::int64_t n, std::int64_t c, std::int64_t k);
/// Returns the mean of the best score over all choices of k scores; nullopt for fewer than k.
std::optional<double> best_at_k(std::vector<double> scores, std::size_t k);

/// SplitMix64: small, fast, identical on every platform.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  /// Returns a uniform number in [0, n); n >= 1.
  std::size_t below(std::size_t n);
  double unit();  ///< uniform in [0, 1)

 private:
  std::uint64_t state_;
};

/// Returns the 95 % interval of bootstrap values from `n` resampled units; reorders `values`. Percentiles are
/// expanded (Hesterberg 2015), since a sample varies less than its population. nullopt for fewer than two.
std::optional<Interval> percentile_interval(std::vector<double>& values, std::size_t n);

/// Mean difference a - b over paired tasks, with percentile bootstrap over tasks.
struct PairedDifference {
  double mean = 0;
  std::optional<Interval> interval;  ///< absent for fewer than two tasks
  std::size_t n = 0, resamples = 0;
};
PairedDifference paired_bootstrap(std::span<const std::pair<double, double>> tasks, std::size_t resamples);

}  // namespace hydra::league
