// The weighted mean of the configured dimensions (H3).
#include "scoring/engine.hpp"

#include <algorithm>
#include <cmath>

namespace hydra::scoring {
namespace {

std::array<double, 5> in_order(const model::Weights& w) {
  return {w.build, w.tests, w.lint, w.diff_size, w.speed};
}

}  // namespace

double composite(const model::ScoreBreakdown& breakdown, const model::Weights& weights) {
  auto w = in_order(weights);
  double largest = 0;
  for (std::size_t i = 0; i < w.size(); ++i) {
    if (!std::isfinite(w[i]) || w[i] < 0 ||
        breakdown.dimensions[i].status == model::DimensionStatus::not_configured)
      w[i] = 0;
    largest = std::max(largest, w[i]);
  }
  if (largest <= 0) return 0;

  // A power of two keeps every weight exact and its sums finite, however large or small the weights are.
  int exponent = 0;
  std::frexp(largest, &exponent);
  double sum = 0;
  double total = 0;
  for (std::size_t i = 0; i < w.size(); ++i) {
    const auto& d = breakdown.dimensions[i];
    const double weight = std::ldexp(w[i], -exponent);
    total += weight;
    if (d.status == model::DimensionStatus::scored) sum += d.points * weight;
  }
  return std::clamp(sum / total, 0.0, 100.0);
}

}  // namespace hydra::scoring
