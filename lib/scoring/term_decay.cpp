// Decay of a reward that nobody earns anew (T6, T7).
#include "scoring/term.hpp"

#include <algorithm>
#include <cmath>

namespace hydra::scoring::term {

std::int64_t epochs_stale(std::int64_t current, std::int64_t last_improvement, std::int64_t grace) {
  // Both differences are of numbers >= 0 and can't overflow, in this order.
  return std::max<std::int64_t>(std::max<std::int64_t>(current - last_improvement, 0) - grace, 0);
}

double burn_percent(Curve curve, double rate, double tau, double max_burn) {
  if (tau <= 0) return 0;
  // 1 - (1 - rate)^tau, without the digits that 1 - rate would lose.
  const double share = curve == Curve::linear ? rate * tau : -std::expm1(tau * std::log1p(-rate));
  return std::min(share * 100, max_burn);
}

bool is_improvement(std::optional<double> top_score, double new_score, double threshold) {
  if (!top_score) return true;
  if (*top_score <= 0) return new_score > 0;
  constexpr double kTolerance = 1e-12;
  return new_score / *top_score >= (1 + threshold) * (1 - kTolerance);
}

}  // namespace hydra::scoring::term
