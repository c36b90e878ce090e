// scoring, inside: sums that neither overflow nor leave their bounds, and order statistics. Every function is
// pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

namespace hydra::scoring::detail {

/// Values times a power of two that puts the largest magnitude into [0.5, 1): exact except for denormals,
/// without overflow in sums, products and squares. ldexp with `exponent` restores them.
struct Scaled {
  std::vector<double> values;
  int exponent = 0;
};
Scaled scaled(std::span<const double> finite_values);

/// Returns sum(value * weight) / sum(weight), never outside the range of weighted values; nullopt if no
/// weight is above 0. Weights >= 0, all finite.
std::optional<double> weighted_mean(std::span<const double> values, std::span<const double> weights);

/// Returns the mean of at least one finite value; never overflows.
double mean(std::span<const double> values);
/// Returns the population standard deviation (ruling A5) of at least one finite value.
double deviation(std::span<const double> values);

/// Returns each value divided by the sum; all zero if the sum is 0. Values >= 0, finite.
std::vector<double> shares(std::span<const double> values);

/// Returns the middle value, or the mean of the two middle values. At least one value; all finite.
double median(std::vector<double> values);

/// Rounds points to a grid of a billionth, so that sums of equal terms tie although their last bit differs.
std::int64_t on_grid(double points);

/// Returns the index of the first element that differs; the number of elements if none does.
template <class... T>
std::size_t differs_at(const std::tuple<T...>& a, const std::tuple<T...>& b) {
  std::size_t at = 0;
  const auto count = [&at](const auto& x, const auto& y) { return x == y && ++at > 0; };
  std::apply([&](const auto&... x) { std::apply([&](const auto&... y) { (count(x, y) && ...); }, b); }, a);
  return at;
}

/// Rounds half away from zero (ruling T4).
double round_half_away(double value);

}  // namespace hydra::scoring::detail
