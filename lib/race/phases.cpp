// What a race and its agents are doing, in the words of the API. Pure.
#include "race/state.hpp"

namespace hydra::race {

using model::CheckStatus;
using model::Dimension;

std::string baseline_problem(const State& state) {
  const auto found = state.subjects.find(std::string(model::kBaseline));
  if (found == state.subjects.end()) return {};
  const auto& subject = found->second;
  const auto with = [](std::string text, const std::optional<model::Advice>& advice) {
    return advice ? std::move(text) + ". " + advice->text : text;
  };
  if (!subject.error.empty()) return with(subject.error, subject.advice);
  for (const auto dimension : {Dimension::build, Dimension::tests, Dimension::lint}) {
    const auto& check = evidence(subject.checks, dimension);
    if (check && check->status != CheckStatus::passed && check->advice && check->advice->environment)
      return with(
          "the baseline's " + std::string(model::name(dimension)) + " (" + check->command + ") failed",
          check->advice);
  }
  return {};
}

std::string race_phase(const State& state) {
  if (!state.ended.empty()) return state.ended;
  if (!state.prepared) return "preparing";
  return state.ranking ? "ranking" : "running";
}

std::string agent_phase(const State& state, const AgentState& agent) {
  if (!agent.workspace_error.empty()) return "launch_error";
  if (agent.cancelled && (!agent.begun() || agent.capture || !agent.capture_error.empty()))
    return "cancelled";
  if (agent.never_runs()) return "over_budget";
  if (agent.workspace.empty()) return state.prepared ? "preparing" : "queued";
  if (!agent.begun()) return "queued";
  if (!agent.ended) return "running";
  if (state.ended.empty() && retry_due(state, agent)) return "queued";
  if (!agent.capture && agent.capture_error.empty()) return "capturing";
  if (!state.ranking && needs_checks(state, agent) && !fully_checked(state, check_owner(state, agent)))
    return "checking";
  const auto outcome = final_outcome(agent);
  const bool finished =
      outcome == model::Outcome::completed || outcome == model::Outcome::completed_with_warning;
  if (finished && !agent.capture_error.empty()) return "failed";
  if (finished && agent.capture && !agent.capture->changed) return "no_changes";
  if (finished) return state.ranking ? "completed" : "ranked";
  if (outcome == model::Outcome::crashed || outcome == model::Outcome::misconfigured) return "failed";
  return std::string(model::name(outcome));
}

}  // namespace hydra::race
