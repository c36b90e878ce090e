// league: what many results say together, pure: intervals, paired tests, pass@k. Every function says its
// method; docs/leaderboard.md gives the formulas. Random numbers have a fixed seed: the same data, the same
// answer.
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

/// 95 % Wilson score interval of a proportion, without continuity correction. 0 <= successes <= n; nothing
/// for n = 0.
std::optional<Interval> wilson(std::int64_t successes, std::int64_t n);

/// Exact McNemar test, two-sided: `only_a` tasks that only the one solved, `only_b` only the other. 1 where
/// both are 0.
double mcnemar_exact(std::int64_t only_a, std::int64_t only_b);

/// At least one of k attempts out of n with c successes solves the task: 1 - C(n-c,k) / C(n,k). Nothing for n
/// < k or k < 1.
std::optional<double> pass_at_k(std::int64_t n, std::int64_t c, std::int64_t k);
/// All k of them do: C(c,k) / C(n,k).
std::optional<double> pass_all_k(std::int64_t n, std::int64_t c, std::int64_t k);
/// Mean of the best score over all choices of k of these; nothing where there are fewer than k.
std::optional<double> best_at_k(std::vector<double> scores, std::size_t k);

/// Small, fast and the same everywhere (SplitMix64).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  /// Uniform in [0, n); n >= 1.
  std::size_t below(std::size_t n);
  double unit();  ///< uniform in [0, 1)

 private:
  std::uint64_t state_;
};

/// 95 % interval out of bootstrap results from `n` resampled units: expanded percentiles (Hesterberg 2015),
/// which are a little wider than the middle 95 %, since a sample varies less than what it was drawn from.
/// Nothing for fewer than two values or units. Reorders the values.
std::optional<Interval> percentile_interval(std::vector<double>& values, std::size_t n);

/// Mean difference a - b over paired tasks, and its percentile bootstrap over tasks.
struct PairedDifference {
  double mean = 0;
  std::optional<Interval> interval;  ///< absent for fewer than two tasks
  std::size_t n = 0, resamples = 0;
};
PairedDifference paired_bootstrap(std::span<const std::pair<double, double>> tasks, std::size_t resamples);

}  // namespace hydra::league
