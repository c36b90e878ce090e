// A running race as the API shows it.
#include "race/state/cross.hpp"
#include "race/state/judging.hpp"
#include "race/state/watch.hpp"
#include "race/views/view_parts.hpp"
#include "race/views/views.hpp"

#include <algorithm>
#include <array>

namespace hydra::race {

using model::Dimension;

namespace {

constexpr std::size_t kShownLeftOut = 4;  // limit of paths; results have all of them

wire::CheckStates check_states(const State& state, const Subject& subject, bool running) {
  wire::CheckStates states;
  const auto found = state.subjects.find(subject);
  bool next = running;
  for (const auto dimension : {Dimension::build, Dimension::tests, Dimension::lint}) {
    if (!check_command(state.spec.config, dimension)) continue;
    states[std::string(model::name(dimension))] = check_phase(state, subject, dimension, next);
    const bool over = found != state.subjects.end() && evidence(found->second.checks, dimension);
    next = next && over;
  }
  return states;
}

wire::AgentStatus agent_status(const State& state, const AgentState& agent, const Moment& now,
                               const LiveView& live) {
  wire::AgentStatus a;
  detail::add_agent(state, agent, usage_of(agent, live.stream.usage), a);
  a.tester = agent.origin == Origin::tester;
  if (!live.waits.empty()) a.message = live.waits;
  a.elapsed_ms = agent.ended     ? agent.ended->job.wall_ms
                 : agent.begun() ? hydra::elapsed_ms({agent.started_ms, agent.started_up}, now)
                                 : 0;
  if (live.known) {
    a.last_line = live.stream.last_line;
    a.tool = live.stream.tool;
    a.progress_ms = live.silent_ms;
  }
  const auto rules = state.spec.config.agents.find(agent.entry.id);
  const auto idle =
      rules == state.spec.config.agents.end() ? 0 : idle_limit(state.spec.config.limits, rules->second);
  if (idle > 0) a.idle_limit_ms = static_cast<std::int64_t>(idle * 1000);
  a.growth = live.growth;
  a.diff = agent.capture ? agent.capture->diff : live.diff;
  const bool checking = a.state == model::AgentPhase::checking;
  if (needs_checks(state, agent) || (agent.capture && agent.capture->changed && state.cancelled))
    a.checks = check_states(state, check_owner(state, agent), checking && live.checks_wait.empty());
  if (checking) a.waits = live.checks_wait;
  a.dependencies = agent.dependencies;
  if (agent.capture) a.left_out = detail::left_out_view(agent.capture->left_out, kShownLeftOut);
  return a;
}

wire::BaselineStatus baseline_status(const State& state, const Moment& now, const WorkspaceStep& step) {
  wire::BaselineStatus out;
  const auto baseline = Subject::baseline();
  const auto found = state.subjects.find(baseline);
  const bool made = found != state.subjects.end() && !found->second.path.empty();
  out.state = baseline_phase(state);
  if (out.state == model::BasePhase::checking && !made && !state.ended) {
    out.state = model::BasePhase::preparing;
    out.step = step.kind;
    out.command = step.command;
    if (step.started_ms > 0) out.step_ms = std::max<std::int64_t>(0, now.at_ms - step.started_ms);
    out.last_line = step.last_line;
  }
  if (!state.ended) out.waits = step.waits;
  out.checks = check_states(state, baseline, !state.ended && step.waits.empty());
  return out;
}

}  // namespace

wire::Status status_view(const State& state, const Moment& now, const LiveOf& live_of,
                         const WorkspaceStep& step, const std::string& problem) {
  wire::Status out;
  const auto& spec = state.spec;
  out.race = spec.id;
  out.task = spec.task;
  out.state = race_phase(state);
  out.reason = !state.ended && !problem.empty() ? problem : state.failure;
  out.created_ms = spec.created_ms;
  out.elapsed_ms = duration_ms(state, now);
  out.repository = spec.repository.root;
  out.base = spec.repository.base;
  out.sandbox = spec.isolation;
  out.image = spec.image;
  out.placement = spec.config.execution.placement;
  out.final = state.ranking.has_value();
  if (const auto* ranking = state.newest_ranking()) {
    out.winner = ranking->winner;
    out.verdict = detail::verdict_view(state);
    out.order_reasons = detail::order_reasons(*ranking);
  }
  out.notes = state.notes;
  out.repository_changes = state.repository;
  out.last_event = state.last_event;
  out.server_ms = now.at_ms;
  for (const auto& agent : state.agents)
    out.agents.push_back(agent_status(state, agent, now, live_of(agent)));
  out.cross_tests = cross_progress(state);
  out.judging = judging_progress(state);
  out.baseline = baseline_status(state, now, step);
  return out;
}

}  // namespace hydra::race
