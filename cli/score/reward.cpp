// The functions of `hydra score reward` (docs/scoring.md, "Reward").
#include "scoring/reward.hpp"

#include "cli/score/functions.hpp"

#include <array>
#include <cmath>

namespace hydra::cli::score {
namespace {

namespace reward = scoring::reward;
using reward::Member;

Member member_of(const Document& document, std::uint32_t object, std::string_view name) {
  const auto i = document.find(object, name);
  if (i == 0) return reward::Missing{};
  const auto& value = document.at(i);
  if (value.kind == Kind::boolean) return value.flag;
  if (const auto number = number_of(document, value)) return *number;
  return reward::WrongType{};
}

bool same(const Member& a, const Member& b) {
  const auto nan = [](const Member& m) {
    const auto* v = std::get_if<double>(&m);
    return v != nullptr && std::isnan(*v);
  };
  return a == b || (nan(a) && nan(b));
}

/// Reads members of the result and of its `outcomes`; a name in both must have equal values.
reward::RawResult result_of(const Document& document, std::uint32_t index) {
  reward::RawResult r;
  r.is_object = document.at(index).kind == Kind::object;
  if (!r.is_object) return r;
  const auto outcomes = document.find(index, "outcomes");
  if (outcomes != 0 && document.at(outcomes).kind != Kind::object) {
    r.is_object = false;
    return r;
  }
  const auto read = [&](Member& out, std::string_view name) {
    out = member_of(document, index, name);
    if (outcomes == 0) return;
    const auto inner = member_of(document, outcomes, name);
    if (std::holds_alternative<reward::Missing>(inner)) return;
    if (!std::holds_alternative<reward::Missing>(out) && !same(out, inner)) r.contradictory = true;
    out = inner;
  };
  read(r.damage_dealt, "damage_dealt");
  read(r.damage_received, "damage_received");
  read(r.is_alive, "is_alive");
  read(r.action_wasted, "action_wasted");
  read(r.partial_execution, "partial_execution");
  return r;
}

/// Reads the given weights, defaults for the others; checks the invariants (R1).
reward::Weights score_reward_weights_of(Args& args) {
  reward::Weights w;
  const std::array<std::pair<std::string_view, double*>, 5> all{{{"damage_dealt", &w.damage_dealt},
                                                                 {"damage_received", &w.damage_received},
                                                                 {"survival", &w.survival},
                                                                 {"wasted_action", &w.wasted_action},
                                                                 {"death_penalty", &w.death_penalty}}};
  for (const auto& row : args.named("weights", {}, false)) {
    bool known = false;
    for (const auto& [name, target] : all) {
      if (name != row.name) continue;
      *target = row.value.value_or(0);
      known = true;
    }
    if (!known) args.fail("unknown_name", "weights." + shown(row.name), "is no weight of a reward");
  }
  if (args.failed()) return w;
  if (const auto good = reward::check_weights(w); !good)
    args.fail("invalid_weights", "weights." + good.error().where, good.error().message);
  return w;
}

void run_reward(Args& args, Writer& out) {
  if (!args.has("result")) args.fail("missing_argument", "result", "is missing");
  reward::Weights weights;
  if (args.has("weights") && !args.null("weights")) weights = score_reward_weights_of(args);
  if (args.failed()) return;
  const auto r = reward::compute(result_of(args.document(), args.index("result")), weights);
  out.number("reward", r.total);
  out.key("components");
  out.begin_object();
  out.number("damage_dealt_reward", r.components.damage_dealt_reward);
  out.number("damage_received_penalty", r.components.damage_received_penalty);
  out.number("survival_reward", r.components.survival_reward);
  out.number("death_penalty", r.components.death_penalty);
  out.number("efficiency_penalty", r.components.efficiency_penalty);
  out.end_object();
  if (r.violation) out.text("violation", "CRITICAL");
  if (!r.warning.empty()) out.text("warning", r.warning);
}

void run_validate_weights(Args& args, Writer& out) {
  score_reward_weights_of(args);
  if (args.failed()) return;
  out.flag("valid", true);
}

constexpr std::array kRewardFunctions{
    Function{"reward", run_reward},
    Function{"validate_weights", run_validate_weights},
};

}  // namespace

std::span<const Function> reward_functions() { return kRewardFunctions; }

}  // namespace hydra::cli::score
