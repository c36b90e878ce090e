// The arena's leaderboard: order (A8), text, and display of totals (A2).
#include "base/strings.hpp"
#include "scoring/arena.hpp"
#include "scoring/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

namespace hydra::scoring::arena {
namespace {

auto order_key(const Model& m) { return std::tuple(-m.score, -m.success_rate, -m.avg_score, m.avg_steps); }

std::string padded(const std::string& text, std::size_t columns, bool right) {
  const std::string blanks(columns - std::min(columns, display_width(text)), ' ');
  return right ? blanks + text : text + blanks;
}

}  // namespace

std::vector<std::size_t> leaderboard_order(const std::vector<Model>& models) {
  std::vector<std::size_t> order(models.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return order_key(models[a]) < order_key(models[b]); });
  return order;
}

std::string leaderboard_table(const std::vector<Model>& models) {
  constexpr std::size_t kWidth = 60;
  std::size_t name_width = 20;
  for (const auto& m : models) name_width = std::max(name_width, display_width(sanitize(m.name)));
  const std::string rule(kWidth + name_width - 20, '=');
  std::string out = rule + "\n        MARIO ARENA LEADERBOARD\n" + rule + "\n";
  const auto row = [&](const std::string& rank, const std::string& name, const std::string& score,
                       const std::string& success, const std::string& steps) {
    out += padded(rank, 4, false) + "  " + padded(name, name_width, false) + "  " + padded(score, 12, true) +
           "  " + padded(success, 7, true) + "  " + padded(steps, 9, true) + "\n";
  };
  row("Rank", "Model Name", "Score", "Success", "Avg Steps");
  out += std::string(rule.size(), '-') + "\n";
  const auto order = leaderboard_order(models);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto& m = models[order[i]];
    row(std::to_string(i + 1), sanitize(m.name), format_total(m.score),
        format_points(m.success_rate * 100) + "%", format_total(m.avg_steps));
  }
  return out + rule + "\n";
}

std::string format_total(double total) {
  if (!std::isfinite(total)) return "--";
  // fmt prints exactly and breaks ties to even, as IEEE 754 does.
  std::string digits = fmt::format("{:.0f}", std::fabs(total));
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, 1, ',');
  if (total < 0 && digits != "0") digits.insert(digits.begin(), '-');
  return digits;
}

}  // namespace hydra::scoring::arena
