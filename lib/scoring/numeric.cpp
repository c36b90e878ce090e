#include "scoring/numeric.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hydra::scoring::detail {

Scaled scaled(std::span<const double> finite_values) {
  double largest = 0;
  for (const double v : finite_values) largest = std::max(largest, std::fabs(v));
  Scaled out;
  if (largest > 0) std::frexp(largest, &out.exponent);
  out.values.reserve(finite_values.size());
  for (const double v : finite_values) out.values.push_back(std::ldexp(v, -out.exponent));
  return out;
}

std::optional<double> weighted_mean(std::span<const double> values, std::span<const double> weights) {
  const Scaled v = scaled(values);
  const Scaled w = scaled(weights);
  double sum = 0, total = 0;
  // The bounds come from unscaled values, since scaling beside a far larger value may lose digits.
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (weights[i] <= 0) continue;
    sum += v.values[i] * w.values[i];
    total += w.values[i];
    low = std::min(low, values[i]);
    high = std::max(high, values[i]);
  }
  if (total <= 0) return std::nullopt;
  return std::clamp(std::ldexp(sum / total, v.exponent), low, high);
}

double mean(std::span<const double> values) {
  const Scaled v = scaled(values);
  double sum = 0;
  for (const double x : v.values) sum += x;
  return std::ldexp(sum / static_cast<double>(values.size()), v.exponent);
}

double deviation(std::span<const double> values) {
  Scaled v = scaled(values);
  const double centre = mean(v.values);
  for (double& x : v.values) x = (x - centre) * (x - centre);
  return std::ldexp(std::sqrt(mean(v.values)), v.exponent);
}

std::vector<double> shares(std::span<const double> values) {
  std::vector<double> out = scaled(values).values;
  double total = 0;
  for (const double v : out) total += v;
  if (total > 0)
    for (double& v : out) v /= total;
  return out;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

std::int64_t on_grid(double points) { return std::llround(points * 1e9); }

double round_half_away(double value) { return std::round(value); }

}  // namespace hydra::scoring::detail
