// The weighted mean of the configured dimensions (H3).
#include "scoring/engine.hpp"
#include "scoring/numeric.hpp"

#include <algorithm>
#include <cmath>

namespace hydra::scoring {
namespace {

std::array<double, 6> in_order(const model::Weights& w) {
  return {w.build, w.tests, w.lint, w.diff_size, w.speed, w.judges};
}

}  // namespace

double composite(const model::ScoreBreakdown& breakdown, const model::Weights& weights) {
  auto w = in_order(weights);
  std::array<double, 6> points{};
  for (std::size_t i = 0; i < w.size(); ++i) {
    const auto& d = i < breakdown.dimensions.size() ? breakdown.dimensions[i] : breakdown.judges;
    if (!std::isfinite(w[i]) || w[i] < 0 || d.status == model::DimensionStatus::not_configured) w[i] = 0;
    if (d.status == model::DimensionStatus::scored) points[i] = d.points;
  }
  return std::clamp(detail::weighted_mean(points, w).value_or(0), 0.0, 100.0);
}

}  // namespace hydra::scoring
