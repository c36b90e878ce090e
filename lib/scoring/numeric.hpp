// scoring, inside: sums that neither overflow nor leave their bounds, and order statistics. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace hydra::scoring::detail {

/// The values times one power of two that brings the largest magnitude into [0.5, 1): exact but for
/// denormals, and no sum, product or square of the result overflows. `exponent` brings them back by ldexp.
struct Scaled {
  std::vector<double> values;
  int exponent = 0;
};
Scaled scaled(std::span<const double> finite_values);

/// sum(value * weight) / sum(weight); nothing where no weight is above 0. Weights >= 0, all finite. Never
/// outside the smallest and the largest value that has a weight.
std::optional<double> weighted_mean(std::span<const double> values, std::span<const double> weights);

/// The plain mean; of at least one finite value. Never overflows.
double mean(std::span<const double> values);
/// Population standard deviation around the mean (ruling A5); of at least one finite value.
double deviation(std::span<const double> values);

/// Each value over the sum of all; all zero where the sum is 0. Values >= 0, finite.
std::vector<double> shares(std::span<const double> values);

/// The middle value, or the mean of the two middle ones. At least one value; all finite.
double median(std::vector<double> values);

/// Points on a grid of a billionth: two sums of the same terms may differ in their last bit, and are a tie.
std::int64_t on_grid(double points);

/// Rounded half away from zero (ruling T4).
double round_half_away(double value);

}  // namespace hydra::scoring::detail
