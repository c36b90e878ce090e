#include "league/statistics.hpp"

#include <algorithm>
#include <cmath>

namespace hydra::league {
namespace {

constexpr double kZ = 1.959963984540054;  // two-sided 95 % quantile of the normal distribution
constexpr std::uint64_t kSeedOfPairs = 20260223;

double log_choose(double n, double k) {
  return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1);
}

/// Returns C(a, k) / C(b, k) for a <= b as a product, exact for small numbers.
double choose_ratio(std::int64_t a, std::int64_t b, std::int64_t k) {
  if (a < k) return 0;
  double ratio = 1;
  for (std::int64_t i = 0; i < k; ++i) ratio *= static_cast<double>(a - i) / static_cast<double>(b - i);
  return ratio;
}

/// Returns Student's t for 95 % by the Cornish-Fisher expansion: within 0.2 % from 5 degrees of freedom on.
double student_t(double freedom) {
  const double z3 = kZ * kZ * kZ, z5 = z3 * kZ * kZ, z7 = z5 * kZ * kZ;
  return kZ + (z3 + kZ) / (4 * freedom) + (5 * z5 + 16 * z3 + 3 * kZ) / (96 * freedom * freedom) +
         (3 * z7 + 19 * z5 + 17 * z3 - 15 * kZ) / (384 * freedom * freedom * freedom);
}

double quantile(const std::vector<double>& sorted, double at) {
  const double place = std::clamp(at * static_cast<double>(sorted.size() + 1) - 1, 0.0,
                                  static_cast<double>(sorted.size() - 1));
  const auto low = static_cast<std::size_t>(place);
  const auto high = std::min(low + 1, sorted.size() - 1);
  return sorted[low] + (place - static_cast<double>(low)) * (sorted[high] - sorted[low]);
}

}  // namespace

std::optional<Interval> wilson(std::int64_t successes, std::int64_t n) {
  if (n < 1) return std::nullopt;
  const auto count = static_cast<double>(n);
  const double p = static_cast<double>(successes) / count;
  const double z2 = kZ * kZ;
  const double centre = (p + z2 / (2 * count)) / (1 + z2 / count);
  const double half = kZ / (1 + z2 / count) * std::sqrt(p * (1 - p) / count + z2 / (4 * count * count));
  // For 0 or n successes the bound is exactly 0 or 1, without rounding error.
  return Interval{successes == 0 ? 0 : std::max(0.0, centre - half),
                  successes == n ? 1 : std::min(1.0, centre + half)};
}

double mcnemar_exact(std::int64_t only_a, std::int64_t only_b) {
  const auto n = only_a + only_b;
  if (n == 0) return 1;
  const auto fewer = std::min(only_a, only_b);
  double tail = 0;
  for (std::int64_t i = 0; i <= fewer; ++i)
    tail += std::exp(log_choose(static_cast<double>(n), static_cast<double>(i)) -
                     static_cast<double>(n) * std::log(2.0));
  return std::min(1.0, 2 * tail);
}

std::optional<double> pass_at_k(std::int64_t n, std::int64_t c, std::int64_t k) {
  if (k < 1 || n < k) return std::nullopt;
  return 1 - choose_ratio(n - c, n, k);
}

std::optional<double> pass_all_k(std::int64_t n, std::int64_t c, std::int64_t k) {
  if (k < 1 || n < k) return std::nullopt;
  return choose_ratio(c, n, k);
}

std::optional<double> best_at_k(std::vector<double> scores, std::size_t k) {
  const auto n = scores.size();
  if (k < 1 || n < k) return std::nullopt;
  std::sort(scores.begin(), scores.end());
  // The i-th smallest score (from 1) is the best in C(i-1, k-1) of the C(n, k) choices.
  double weight = static_cast<double>(k) / static_cast<double>(n), sum = 0;  // C(n-1, k-1) / C(n, k)
  for (auto i = n; i >= k; --i) {
    sum += weight * scores[i - 1];
    // C(i-2, k-1) / C(i-1, k-1) = (i - k) / (i - 1)
    if (i > 1) weight *= static_cast<double>(i - k) / static_cast<double>(i - 1);
  }
  return sum;
}

std::uint64_t Random::next() {
  state_ += 0x9e3779b97f4a7c15u;
  auto z = state_;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

std::size_t Random::below(std::size_t n) {
  // The high half of a product avoids a division; its bias is negligible.
  return static_cast<std::size_t>(((next() >> 32) * static_cast<std::uint64_t>(n)) >> 32);
}

double Random::unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

std::optional<Interval> percentile_interval(std::vector<double>& values, std::size_t n) {
  if (values.size() < 2 || n < 2) return std::nullopt;
  std::sort(values.begin(), values.end());
  const auto count = static_cast<double>(n);
  const double wide = std::sqrt(count / (count - 1)) * student_t(count - 1);
  const double tail = std::erfc(wide / std::sqrt(2.0)) / 2;
  return Interval{quantile(values, tail), quantile(values, 1 - tail)};
}

PairedDifference paired_bootstrap(std::span<const std::pair<double, double>> tasks, std::size_t resamples) {
  PairedDifference found;
  found.n = tasks.size();
  if (tasks.empty()) return found;
  const auto count = static_cast<double>(tasks.size());
  for (const auto& [a, b] : tasks) found.mean += (a - b) / count;
  if (tasks.size() < 2) return found;
  found.resamples = resamples;
  Random random(kSeedOfPairs);
  std::vector<double> means(resamples);
  for (auto& mean : means)
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      const auto& [a, b] = tasks[random.below(tasks.size())];
      mean += (a - b) / count;
    }
  found.interval = percentile_interval(means, tasks.size());
  return found;
}

}  // namespace hydra::league
