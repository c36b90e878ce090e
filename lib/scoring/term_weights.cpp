// Weights: normalisation, scaling, cap, strategy, burn; decay of an unimproved reward (T3-T9).
#include "scoring/numeric.hpp"
#include "scoring/term.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace hydra::scoring::term {
namespace {

double sum(std::span<const double> values) { return std::accumulate(values.begin(), values.end(), 0.0); }

std::vector<double> top(const std::vector<Submission>& submissions, std::int64_t top_n) {
  const auto order = rank(submissions);
  const auto winners =
      static_cast<std::size_t>(std::clamp<std::int64_t>(top_n, 1, static_cast<std::int64_t>(order.size())));
  std::vector<double> out(submissions.size(), 0.0);
  for (std::size_t i = 0; i < winners; ++i) out[order[i]] = 1 / static_cast<double>(winners);
  return out;
}

std::vector<double> by_rank(const std::vector<Submission>& submissions) {
  const auto order = rank(submissions);
  const auto n = static_cast<double>(order.size());
  std::vector<double> out(submissions.size(), 0.0);
  for (std::size_t i = 0; i < order.size(); ++i)
    out[order[i]] = (n - static_cast<double>(i)) / (n * (n + 1) / 2);
  return out;
}

}  // namespace

std::vector<double> normalise(std::span<const double> scores) { return detail::shares(scores); }

std::vector<std::int64_t> scale(std::span<const double> weights) {
  std::vector<std::int64_t> out;
  for (const double w : weights)
    out.push_back(static_cast<std::int64_t>(detail::round_half_away(w * kFullWeight)));
  return out;
}

Capped cap(std::span<const double> weights, double cap) {
  Capped out;
  out.limit = cap * sum(weights);
  for (const double w : weights) out.capped.push_back(std::min(w, out.limit));
  return out;
}

Capped cap_redistribute(std::span<const double> shares, double cap) {
  Capped out;
  const double total = sum(shares);
  out.limit = cap * total;
  std::vector<double> falling(shares.begin(), shares.end());
  std::sort(falling.begin(), falling.end(), std::greater<>());
  std::vector<double> rest(falling.size() + 1, 0.0);  // sum of falling[i] and all later ones
  for (std::size_t i = falling.size(); i-- > 0;) rest[i] = rest[i + 1] + falling[i];
  // The largest shares take the limit and the others split the rest in proportion, until the next share stays
  // below the limit.
  std::size_t full = 0;
  double factor = 1;
  for (; full < falling.size(); ++full) {
    factor = rest[full] > 0 ? (total - static_cast<double>(full) * out.limit) / rest[full] : 0;
    if (falling[full] * factor <= out.limit) break;
  }
  for (const double s : shares) {
    const bool is_full = full > 0 && s >= falling[full - 1];
    out.capped.push_back(is_full ? out.limit : std::min(s * factor, out.limit));
  }
  return out;
}

std::vector<double> strategy(Strategy kind, const std::vector<Submission>& submissions, std::int64_t top_n) {
  std::vector<double> scores;
  for (const auto& s : submissions) scores.push_back(s.score);
  if (std::all_of(scores.begin(), scores.end(), [](double s) { return s <= 0; }))
    return std::vector<double>(scores.size(), 0.0);
  switch (kind) {
    case Strategy::linear:
      break;
    case Strategy::winner_takes_all:
      return top(submissions, top_n);
    case Strategy::quadratic:
      scores = detail::scaled(scores).values;
      for (double& s : scores) s *= s;
      break;
    case Strategy::ranked:
      return by_rank(submissions);
  }
  return normalise(scores);
}

std::vector<double> emission(double total, std::span<const double> alphas) {
  std::vector<double> out;
  for (const double a : alphas) out.push_back(a * total);
  return out;
}

std::int64_t epochs_stale(std::int64_t current, std::int64_t last_improvement, std::int64_t grace) {
  // In this order neither difference of non-negative numbers can overflow.
  return std::max<std::int64_t>(std::max<std::int64_t>(current - last_improvement, 0) - grace, 0);
}

double burn_percent(Curve curve, double rate, double tau, double max_burn) {
  if (tau <= 0) return 0;
  // 1 - (1 - rate)^tau without the cancellation in 1 - rate.
  const double share = curve == Curve::linear ? rate * tau : -std::expm1(tau * std::log1p(-rate));
  return std::min(share * 100, max_burn);
}

bool is_improvement(std::optional<double> top_score, double new_score, double threshold) {
  if (!top_score) return true;
  if (*top_score <= 0) return new_score > 0;
  constexpr double kTolerance = 1e-12;
  return new_score / *top_score >= (1 + threshold) * (1 - kTolerance);
}

double burn_weight(double burn_percent) { return burn_percent / 100 * kFullWeight; }

std::vector<UidWeight> apply_burn(const std::vector<UidWeight>& weights, double burn_percent, bool whole) {
  std::vector<UidWeight> out{{0, 0}};
  double total = 0, kept = 0;
  for (const auto& w : weights) {
    total += w.weight;
    if (w.uid == 0) continue;
    const double left = w.weight * (1 - burn_percent / 100);
    out.push_back({w.uid, whole ? detail::round_half_away(left) : left});
    kept += out.back().weight;
  }
  out.front().weight = std::max(total - kept, 0.0);
  return out;
}

}  // namespace hydra::scoring::term
