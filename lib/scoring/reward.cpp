#include "scoring/reward.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>

namespace hydra::scoring::reward {
namespace {

constexpr double kBound = 2.0;

/// Returns the reason of a broken contract (R5); nullopt: none. Checked before everything else, death
/// included (R6).
std::optional<std::string> violation_of(const RawResult& r) {
  if (!r.is_object) return "the result (or its outcomes) is no object";
  if (r.contradictory) return "a member is given twice with different values";
  if (!std::holds_alternative<bool>(r.is_alive)) return "is_alive is no boolean";
  const auto number = [](const Member& m) {
    return std::holds_alternative<double>(m) || std::holds_alternative<Missing>(m);
  };
  const auto flag = [](const Member& m) {
    return std::holds_alternative<bool>(m) || std::holds_alternative<Missing>(m);
  };
  if (!number(r.damage_dealt)) return "damage_dealt is no number";
  if (!number(r.damage_received)) return "damage_received is no number";
  if (!flag(r.action_wasted)) return "action_wasted is no boolean";
  if (!flag(r.partial_execution)) return "partial_execution is no boolean";
  return std::nullopt;
}

/// Returns the damage that counts; missing, negative and non-finite values are 0, the last with a warning.
double damage(const Member& member, std::string_view name, std::string& warning) {
  const double* value = std::get_if<double>(&member);
  if (value == nullptr) return 0;
  if (!std::isfinite(*value)) {
    warning += (warning.empty() ? "" : "; ") + std::string(name) + " is not finite and counts as 0";
    return 0;
  }
  return std::max(*value, 0.0);
}

/// Returns a finite product without negative zero (R4).
double product(double amount, double weight) {
  constexpr double kMost = std::numeric_limits<double>::max();
  return std::clamp(amount * weight, -kMost, kMost) + 0.0;
}

bool inside(double value, double low, double high) { return value >= low && value <= high; }

}  // namespace

Result<void> check_weights(const Weights& w) {
  constexpr double kMost = std::numeric_limits<double>::max();
  const auto refuse = [](const char* where, const char* what) {
    return Error{Errc::usage, std::string("must be ") + what, where, {}};
  };
  if (!inside(w.damage_dealt, 0, kMost)) return refuse("damage_dealt", "a finite number of at least 0");
  if (!inside(w.damage_received, -kMost, 0)) return refuse("damage_received", "a finite number of at most 0");
  if (!inside(w.survival, -kBound, kBound)) return refuse("survival", "a number from -2 to 2");
  if (!inside(w.wasted_action, -kMost, 0)) return refuse("wasted_action", "a finite number of at most 0");
  if (!inside(w.death_penalty, -kBound, -1)) return refuse("death_penalty", "a number from -2 to -1");
  return {};
}

Reward compute(const RawResult& result, const Weights& weights) {
  Reward out;
  if (auto why = violation_of(result)) {
    out.violation = true;
    out.warning = std::move(*why);
    return out;
  }
  const bool alive = std::get<bool>(result.is_alive);
  const bool* wasted = std::get_if<bool>(&result.action_wasted);
  const double dealt = damage(result.damage_dealt, "damage_dealt", out.warning);
  const double received = damage(result.damage_received, "damage_received", out.warning);

  auto& c = out.components;
  if (alive) {
    c.damage_dealt_reward = product(dealt, weights.damage_dealt);
    c.survival_reward = product(1, weights.survival);
  } else {
    c.death_penalty = product(1, weights.death_penalty);
  }
  c.damage_received_penalty = product(received, weights.damage_received);
  if (wasted != nullptr && *wasted) c.efficiency_penalty = product(1, weights.wasted_action);

  // Every component is finite, and at most two of one sign are huge, so no sum is NaN.
  const double sum = c.damage_dealt_reward + c.damage_received_penalty + c.survival_reward + c.death_penalty +
                     c.efficiency_penalty;
  out.total = std::clamp(sum, -kBound, kBound) + 0.0;
  return out;
}

}  // namespace hydra::scoring::reward
