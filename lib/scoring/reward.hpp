// scoring: the bounded reward (docs/scoring.md, "Reward", rulings R1-R7). Any result gives a reward in [-2,
// 2]; a broken contract gives 0 and is reported. Every function is pure.
#pragma once

#include "base/result.hpp"
#include "model/config.hpp"

#include <string>
#include <variant>

namespace hydra::scoring::reward {

using Weights = model::RewardWeights;
/// Refuses weights that break an invariant: death outside [-2, -1], survival outside [-2, 2], dealt < 0,
/// received > 0, wasted > 0, not finite. `usage`, where = the member's name.
Result<void> check_weights(const Weights& weights);

/// An absent member. NaN and infinities are numbers (R5).
struct Missing {
  bool operator==(const Missing&) const = default;
};
struct WrongType {
  bool operator==(const WrongType&) const = default;
};
using Member = std::variant<Missing, bool, double, WrongType>;

/// A result before validation.
struct RawResult {
  bool is_object = true;       ///< whether the result, and its `outcomes` if present, are objects
  bool contradictory = false;  ///< whether a member occurs twice with different values
  Member damage_dealt, damage_received, is_alive, action_wasted, partial_execution;
};

/// Finite components, whose sum is clamped to [-2, 2]. A dead agent has no positive component (R3).
struct Components {
  double damage_dealt_reward = 0;      ///< >= 0
  double damage_received_penalty = 0;  ///< <= 0
  double survival_reward = 0;
  double death_penalty = 0;       ///< <= 0
  double efficiency_penalty = 0;  ///< <= 0
};
struct Reward {
  double total = 0;  ///< [-2, 2]; [-2, -1] if dead
  Components components;
  bool violation = false;  ///< CRITICAL: the result broke its contract; total and components are 0
  std::string warning;     ///< text about wrong or replaced members; may be empty
};
/// Computes the reward; `weights` must satisfy check_weights(). Stateless: the caller must send one terminal
/// result per episode (R7).
Reward compute(const RawResult& result, const Weights& weights = {});

}  // namespace hydra::scoring::reward
