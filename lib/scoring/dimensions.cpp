// The specification's formulas of the five dimensions, and the weighted mean of configured ones (H3). Counts
// are converted to double first, so they cannot overflow.
#include "scoring/engine.hpp"
#include "scoring/numeric.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace hydra::scoring {
namespace {

double count(std::int64_t n) { return static_cast<double>(std::max<std::int64_t>(n, 0)); }
double clamp_points(double points) { return std::clamp(points, 0.0, 100.0); }

double churn_points(double churn) {
  if (churn <= 100) return 100;
  if (churn <= 500) return 100 - (churn - 100) / 400 * 40;
  return std::max(20.0, 60 - (churn - 500) / 1000 * 40);
}

double file_points(double files) {
  if (files <= 5) return 100;
  if (files <= 15) return 100 - (files - 5) / 10 * 30;
  return std::max(30.0, 70 - (files - 15) / 20 * 40);
}

std::array<double, 6> in_order(const model::Weights& w) {
  return {w.build, w.tests, w.lint, w.diff_size, w.speed, w.judges};
}

/// The points and weights of all dimensions, and last of the judges.
struct Parts {
  std::array<double, 6> points{}, weights{};
};

Parts parts_of(const model::ScoreBreakdown& breakdown, const model::Weights& weights) {
  Parts out{{}, in_order(weights)};
  for (std::size_t i = 0; i < out.weights.size(); ++i) {
    const auto& d = i < breakdown.dimensions.size() ? breakdown.dimensions[i] : breakdown.judges;
    auto& weight = out.weights[i];
    if (!std::isfinite(weight) || weight < 0 || d.status == model::DimensionStatus::not_configured)
      weight = 0;
    if (d.status == model::DimensionStatus::scored) out.points[i] = d.points;
  }
  return out;
}

}  // namespace

BuildScore score_build(const CommandEnd& end) {
  const bool passed = end.exit_code == 0 && !end.signal && !end.timed_out && !end.spawn_error;
  return {passed ? 100.0 : 0.0, passed};
}

TestsScore score_tests(std::int64_t baseline_pass, std::int64_t baseline_total, std::int64_t agent_pass,
                       std::int64_t agent_total, std::optional<std::int64_t> regressions) {
  const double base_pass = count(baseline_pass);
  const double base_total = count(baseline_total);
  const double pass = count(agent_pass);
  const double total = count(agent_total);

  TestsScore out;
  if (total > 0) {  // H8: without tests the pass rate is 0
    out.pass_rate = std::min(1.0, pass / total);
    if (total > base_total) out.bonus = (total - base_total) / total * 10;
  }
  const double lost = regressions ? count(*regressions) : std::max(0.0, base_pass - pass);
  if (base_pass > 0) out.regression_penalty = std::min(1.0, lost / base_pass) * 50;  // H9: no division by 0
  out.score = clamp_points(out.pass_rate * 100 + out.bonus - out.regression_penalty);
  return out;
}

double score_lint(std::int64_t baseline_errors, std::int64_t baseline_warnings, std::int64_t agent_errors,
                  std::int64_t agent_warnings) {
  const double base_errors = count(baseline_errors);
  const double base_warnings = count(baseline_warnings);
  const double errors = count(agent_errors);
  const double warnings = count(agent_warnings);
  const double new_errors = std::max(0.0, errors - base_errors);
  const double new_warnings = std::max(0.0, warnings - base_warnings);
  const double resolved = std::max(0.0, (base_errors + base_warnings) - (errors + warnings));
  return clamp_points(100 - new_errors * 10 - new_warnings * 2 + resolved * 1);
}

DiffScore score_diff_size(std::int64_t lines_added, std::int64_t lines_removed, std::int64_t files_changed) {
  DiffScore out;
  out.churn_score = churn_points(count(lines_added) + count(lines_removed));
  out.file_score = file_points(count(files_changed));
  out.score = clamp_points(out.churn_score * 0.6 + out.file_score * 0.4);
  return out;
}

std::vector<double> score_speed(const std::vector<std::optional<double>>& durations, double least,
                                std::optional<double> pace) {
  if (!pace)
    for (const auto& d : durations)
      if (d) pace = std::min(pace.value_or(*d), *d);
  std::vector<double> points;
  points.reserve(durations.size());
  for (const auto& d : durations)
    points.push_back(d ? std::min(std::max(*pace, least) / std::max(*d, least), 1.0) * 100 : 0.0);
  return points;
}

std::vector<double> score_speed(const std::vector<std::optional<std::int64_t>>& durations_ms,
                                std::optional<std::int64_t> pace_ms) {
  const auto real = [](const std::optional<std::int64_t>& ms) {
    return ms ? std::optional(static_cast<double>(*ms)) : std::nullopt;
  };
  std::vector<std::optional<double>> durations;
  durations.reserve(durations_ms.size());
  for (const auto& d : durations_ms) durations.push_back(real(d));
  return score_speed(durations, 1, real(pace_ms));
}

double composite(const model::ScoreBreakdown& breakdown, const model::Weights& weights) {
  const auto parts = parts_of(breakdown, weights);
  return std::clamp(detail::weighted_mean(parts.points, parts.weights).value_or(0), 0.0, 100.0);
}

std::array<double, 6> contributions(const model::ScoreBreakdown& breakdown, const model::Weights& weights) {
  auto parts = parts_of(breakdown, weights);
  const auto shares = detail::shares(parts.weights);
  for (std::size_t i = 0; i < shares.size(); ++i) parts.points[i] *= shares[i];
  return parts.points;
}

}  // namespace hydra::scoring
