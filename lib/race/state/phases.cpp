// States of a race and its agents in the words of the API. Pure.
#include "race/state/state.hpp"

namespace hydra::race {

using model::AgentPhase;
using model::BasePhase;
using model::CheckPhase;
using model::CheckStatus;
using model::Dimension;
using model::RacePhase;

bool any_check(const model::Config& config) {
  return config.scoring.build_command || config.scoring.test_command || config.scoring.lint_command;
}

// A combination or a retry resumes a cancelled race; `ended` keeps the state of an ended one.
bool was_cancelled(const State& state) { return state.cancelled || state.ended == model::RaceEnd::cancelled; }

namespace {

// Checks ended by a cancel are stored like checks that could not start.
bool cut_short(const State& state, const Subject& subject) {
  if (!was_cancelled(state) && state.ended != model::RaceEnd::failed) return false;
  const auto* found = state.subject(subject);
  if (!found) return true;
  if (!found->error.empty()) return found->cancelled;
  for (const auto dimension : {Dimension::build, Dimension::tests, Dimension::lint}) {
    const auto& check = evidence(found->checks, dimension);
    if (was_cancelled(state) && check && check->status == CheckStatus::not_started) return true;
  }
  return !checks_done(state, subject);
}

}  // namespace

bool unchecked(const State& state, const AgentState& agent) {
  if (!any_check(state.spec.config) || !agent.changed()) return false;
  if (state.ranking && !agent.cancelled) return false;
  const auto owner = check_owner(state, agent);
  const auto own = owner.as(Kind::own_tests);
  const bool own_cut = state.subjects.contains(own) && cut_short(state, own);
  return cut_short(state, owner) || own_cut || !fully_checked(state, owner);
}

// A cancelled agent's work is unfinished, so it is not checked again; other agents' work is.
std::string why_unchecked(const State& state, const AgentState& agent) {
  const auto& name = agent.entry.name;
  const auto& race = state.spec.id;
  if (agent.cancelled)
    return name + " was cancelled before it was checked; `hydra retry " + race + "/" + name + "` resumes it";
  if (!state.ended) return "the checks of " + name + " are not done yet; `hydra watch " + race + "`";
  return "the race of " + name + " was cancelled before it was checked; `hydra verify " + race +
         "` checks it";
}

BasePhase baseline_phase(const State& state) {
  if (!any_check(state.spec.config)) return BasePhase::not_configured;
  const auto baseline = Subject::baseline();
  if (cut_short(state, baseline)) return was_cancelled(state) ? BasePhase::cancelled : BasePhase::not_checked;
  const auto* found = state.subject(baseline);
  if (found && !found->error.empty()) return BasePhase::failed;
  return checks_done(state, baseline) ? BasePhase::checked : BasePhase::checking;
}

CheckPhase check_phase(const State& state, const Subject& subject, Dimension dimension, bool next) {
  const auto* found = state.subject(subject);
  const bool ran = found && evidence(found->checks, dimension);
  const auto status = evidence(effective_checks(state, subject), dimension)->status;
  if (cut_short(state, subject) && (!ran || status == CheckStatus::not_started))
    return was_cancelled(state) ? CheckPhase::cancelled : CheckPhase::not_started;
  if (ran || checks_done(state, subject)) return model::phase_of(status);
  // Without a workspace, the workspace is being made.
  return next && found && !found->path.empty() ? CheckPhase::running : CheckPhase::waiting;
}

RacePhase race_phase(const State& state) {
  if (state.ended) return model::phase_of(*state.ended);
  if (!state.prepared) return RacePhase::preparing;
  if (state.cancelled) return RacePhase::cancelling;
  return state.ranking ? RacePhase::ranking : RacePhase::running;
}

AgentPhase agent_phase(const State& state, const AgentState& agent) {
  if (!agent.workspace_error.empty()) return AgentPhase::launch_error;
  if (agent.cancelled && (!agent.begun() || agent.capture || !agent.capture_error.empty()))
    return AgentPhase::cancelled;
  if (agent.never_runs()) return model::phase_of(final_outcome(agent));
  if (agent.lacks_workspace()) return state.prepared ? AgentPhase::preparing : AgentPhase::queued;
  if (!agent.begun()) return AgentPhase::queued;
  if (!agent.ended) return agent.cancelled ? AgentPhase::cancelling : AgentPhase::running;
  if (!state.ended && retry_due(state, agent)) return AgentPhase::queued;
  if (!agent.capture && agent.capture_error.empty()) return AgentPhase::capturing;
  if (!state.ranking && needs_checks(state, agent) && !fully_checked(state, check_owner(state, agent)))
    return AgentPhase::checking;
  const auto outcome = final_outcome(agent);
  const bool finished = ended_well(outcome);
  if (finished && !agent.capture_error.empty()) return AgentPhase::failed;
  if (finished && agent.capture && !agent.capture->changed) return AgentPhase::no_changes;
  if (finished && was_cancelled(state) && !state.ranking)
    return unchecked(state, agent) ? AgentPhase::not_checked : AgentPhase::not_ranked;
  if (finished) return state.ranking ? AgentPhase::completed : AgentPhase::ranked;
  return model::phase_of(outcome);
}

std::int64_t duration_ms(const State& state, const Moment& now) {
  const Moment ended{state.ended_ms, state.ended_up};
  return elapsed_ms({state.spec.created_ms, state.created_up}, !state.ended ? now : ended);
}

}  // namespace hydra::race
