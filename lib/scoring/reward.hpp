// scoring: the bounded reward (spec reward-protocol with rulings R1-R7), pure. A result of any shape gives a
// reward in [-2, 2]; a broken contract gives 0 and says so.
#pragma once

#include "base/result.hpp"

#include <string>
#include <variant>

namespace hydra::scoring::reward {

/// R1. See check_weights for the ranges.
struct Weights {
  double damage_dealt = 0.5;
  double damage_received = -0.7;
  double survival = 0.1;
  double wasted_action = -0.02;
  double death_penalty = -1.0;
};
/// Refuses what could break an invariant: death outside [-2, -1], survival outside [-2, 2], dealt < 0,
/// received > 0, wasted > 0, anything not finite. `usage`, where = the member's name.
Result<void> check_weights(const Weights& weights);

/// A member as it was found. NaN and infinities are numbers (R5).
struct Missing {
  bool operator==(const Missing&) const = default;
};
struct WrongType {
  bool operator==(const WrongType&) const = default;
};
using Member = std::variant<Missing, bool, double, WrongType>;

/// A result as it was received, before anybody trusts it.
struct RawResult {
  bool is_object = true;       ///< and so are its `outcomes`, where it has them
  bool contradictory = false;  ///< a member is there twice, with different values
  Member damage_dealt, damage_received, is_alive, action_wasted, partial_execution;
};

/// Each one finite; the reward is their sum, brought into [-2, 2]. A dead one has no positive component (R3).
struct Components {
  double damage_dealt_reward = 0;      ///< >= 0
  double damage_received_penalty = 0;  ///< <= 0
  double survival_reward = 0;
  double death_penalty = 0;       ///< <= 0
  double efficiency_penalty = 0;  ///< <= 0
};
struct Reward {
  double total = 0;  ///< [-2, 2]; [-2, -1] for the dead
  Components components;
  bool violation = false;  ///< CRITICAL: the result broke its contract; total and components are 0
  std::string warning;     ///< what was wrong or replaced; may be empty
};
/// Section 1 to 5. `weights` have passed check_weights. A pure function: whoever owns the episode sends one
/// terminal result (R7).
Reward compute(const RawResult& result, const Weights& weights = {});

}  // namespace hydra::scoring::reward
