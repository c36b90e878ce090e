// The wanted commands of a race: of each agent, and of the race as a whole. After an event, only agents that
// it can affect are asked again.
#include "race/state/cross.hpp"
#include "race/state/green.hpp"
#include "race/state/judging.hpp"
#include "race/state/rounds.hpp"
#include "race/state/state.hpp"
#include "race/state/twins.hpp"
#include "race/state/watch.hpp"

#include <algorithm>
#include <iterator>

namespace hydra::race {

using model::Dimension;

namespace {

using Commands = std::set<Command>;

// A tester's tree is never checked, but its tests run on other results: its tamper findings must be known.
bool inspection_wanted(const State& state, const AgentState& agent) {
  return agent.origin == Origin::tester && !agent.integrity && agent.changed() && !agent.cancelled &&
         !state.cancelled;
}

// Returns whether the due attempt is over without having begun.
bool unrun(const AgentState& agent) { return !agent.workspace_error.empty() || agent.never_runs(); }

bool settled(const State& state, const AgentState& agent) {
  if (unrun(agent) ? !left_work(agent) : !agent.ended) return unrun(agent);
  if (!agent.capture && agent.capture_error.empty()) return false;
  if (agent.origin == Origin::tester) return !inspection_wanted(state, agent);
  if (!needs_checks(state, agent)) return true;
  return fully_checked(state, check_owner(state, agent));
}

bool capture_settled(const AgentState& agent) {
  return (unrun(agent) && !left_work(agent)) || agent.capture || !agent.capture_error.empty();
}

/// Agents begin once the base's checks are known to work here: they have ended, or have run for a while.
bool may_begin(const State& state) {
  return !state.spec.preflight || state.baseline_works || checks_done(state, Subject::baseline());
}

/// Agents that wait for the baseline's checks leave the machine to its checkout.
bool baseline_placed(const State& state) {
  const auto* baseline = state.subject(Subject::baseline());
  return checks_done(state, Subject::baseline()) || (baseline && !baseline->path.empty());
}

void want_agent(const State& state, const AgentState& agent, Commands& commands) {
  const auto name = Subject::of(agent.entry.name);
  if (agent.never_runs() && agent.workspace_error.empty())
    commands.insert({Verb::stop_agent, name, Dimension::build});  // the agent may be queued
  if (unrun(agent)) {
    if (!left_work(agent)) return;
  } else if (agent.lacks_workspace()) {
    if (!state.spec.preflight || baseline_placed(state) || agent.cancelled || state.cancelled)
      commands.insert({Verb::prepare_workspace, name, Dimension::build});
    return;
  } else if (!agent.ended) {
    if (!agent.begun() && !agent.cancelled && !may_begin(state)) return;
    commands.insert({Verb::run_agent, name, Dimension::build});
    if (agent.cancelled || agent.stop) commands.insert({Verb::stop_agent, name, Dimension::build});
    return;
  }
  if (retry_due(state, agent)) {
    commands.insert({Verb::retry_agent, name, Dimension::build});
    return;
  }
  if (!agent.capture && agent.capture_error.empty()) {
    commands.insert({Verb::capture, name, Dimension::build});
    return;
  }
  if (!needs_checks(state, agent)) {
    if (inspection_wanted(state, agent)) commands.insert({Verb::inspect, name, Dimension::build});
    return;
  }
  want_checks(state, check_owner(state, agent), commands);
}

/// The race waits for agents, not for the baseline: the baseline's checkout must not compete with theirs.
bool under_way(const AgentState& agent) {
  return !agent.lacks_workspace() || !agent.workspace_error.empty() || agent.cancelled;
}

/// Agents have no commands before the race is prepared, or after its end.
bool asks_agents(const State& state) {
  return !state.ended && state.prepared && (state.failure.empty() || agents_began(state));
}

/// Commands of a race that is not prepared, has failed, or has ended.
Commands want_around(const State& state) {
  if (state.ended) return {};
  if (!state.failure.empty() || state.cancelled) return {{Verb::finish, {}, Dimension::build}};
  return {{Verb::prepare_race, {}, Dimension::build}};
}

void want_baseline(const State& state, const Wants& wants, Commands& commands) {
  const bool due = state.spec.preflight || wants.under_way == state.agents.size();
  if (!any_check(state.spec.config) || !due) return;
  const auto baseline = Subject::baseline();
  want_checks(state, baseline, commands);
  const auto* base = state.subject(baseline);
  if (!may_begin(state) && state.spec.config.preflight != model::Preflight::always && base &&
      !base->path.empty()) {
    // The clock starts again when the build has passed.
    const auto built = static_cast<std::size_t>(base->checks.build ? 1 : 0);
    commands.insert({Verb::preflight_clock, {}, Dimension::build, built});
  }
  const auto cold = baseline.as(Kind::cold);
  if (state.spec.check_only && checks_done(state, baseline) && began_warm(state, baseline))
    want_checks(state, cold, commands);
}

/// Adds the commands that follow all agents and their checks.
void want_decision(const State& state, Commands& commands) {
  if (state.cancelled) {
    commands.insert({Verb::finish, {}, Dimension::build});
    return;
  }
  const auto baseline = Subject::baseline();
  if (!fully_checked(state, baseline)) return;
  if (state.spec.check_only && began_warm(state, baseline) && !checks_done(state, baseline.as(Kind::cold)))
    return;
  if (cross_open(state)) {
    want_cross(state, commands);
  } else if (twins_open(state)) {
    want_twins(state, commands);
  } else if (judging_open(state)) {
    want_judges(state, commands);
  } else if (!state.ranking) {
    commands.insert({Verb::rank, {}, Dimension::build});
  } else if (round_due(state)) {
    commands.insert({Verb::next_round, {}, Dimension::build});
  } else if (state.spec.config.merge.automatic && state.spec.verifies.empty() && state.ranking->auto_merge &&
             !state.merged() && !state.merge_refused) {
    // No person looks at an automatic merge: a cold run confirms evidence from incremental build results.
    const auto* winner = state.agent(state.ranking->winner);
    const auto owner = winner ? check_owner(state, *winner) : Subject{};
    const auto cold = owner.as(Kind::cold);
    if (winner && began_warm(state, owner) && !checks_done(state, cold))
      want_checks(state, cold, commands);
    else
      commands.insert({Verb::auto_merge, Subject::of(state.ranking->winner), Dimension::build});
  } else {
    commands.insert({Verb::finish, {}, Dimension::build});
  }
}

/// Whether all configured checks of all results have ended although the ranking has to wait for verification.
bool first_ranking_due(const State& state, const Wants& wants, const Commands& commands) {
  if (state.ranking || state.first_ranking || state.cancelled || state.spec.check_only) return false;
  if (wants.captured < state.agents.size() || !any_check(state.spec.config)) return false;
  if (commands.contains({Verb::rank, {}, Dimension::build})) return false;
  return checks_done(state, Subject::baseline()) &&
         std::all_of(state.agents.begin(), state.agents.end(), [&](const auto& agent) {
           return agent.origin == Origin::tester || !needs_checks(state, agent) ||
                  checks_done(state, check_owner(state, agent));
         });
}

/// Returns the commands of the race itself; `wants` has the state of each agent.
Commands want_race(const State& state, const Wants& wants) {
  Commands commands;
  if (state.cancelled) {
    for (const auto& command : state.issued)
      if (command.verb == Verb::run_check || command.verb == Verb::repeat_tests ||
          command.verb == Verb::prepare_subject)
        commands.insert({Verb::stop_checks, command.subject, Dimension::build});
  } else {
    want_baseline(state, wants, commands);
  }
  const bool published = state.published || !state.spec.verifies.empty();
  if (wants.captured == state.agents.size() && !published)
    commands.insert({Verb::publish, {}, Dimension::build});
  if (!published || wants.settled < state.agents.size())
    want_green(state, commands);
  else
    want_decision(state, commands);
  if (published && first_ranking_due(state, wants, commands))
    commands.insert({Verb::rank_first, {}, Dimension::build});
  return commands;
}

Wants::OfAgent ask(const State& state, const AgentState& agent) {
  Commands commands;
  want_agent(state, agent, commands);
  return {
      {commands.begin(), commands.end()}, under_way(agent), capture_settled(agent), settled(state, agent)};
}

void count(Wants& wants, const Wants::OfAgent& agent, int one) {
  wants.under_way += static_cast<std::size_t>(agent.under_way ? one : 0);
  wants.captured += static_cast<std::size_t>(agent.captured ? one : 0);
  wants.settled += static_cast<std::size_t>(agent.settled ? one : 0);
}

/// Asks all agents.
Commands want_all(const State& state, Wants& wants) {
  wants = {{}, {}, 0, 0, 0, wants.asked};
  if (!asks_agents(state)) return want_around(state);
  Commands commands;
  for (const auto& agent : state.agents) {
    wants.agents.push_back(ask(state, agent));
    count(wants, wants.agents.back(), 1);
    ++wants.asked;
    commands.insert(wants.agents.back().commands.begin(), wants.agents.back().commands.end());
  }
  wants.of_race = want_race(state, wants);
  commands.insert(wants.of_race.begin(), wants.of_race.end());
  return commands;
}

/// Returns the only agent that an event changes, apart from those with the same result; else empty.
std::string changes_one(const State& state, const model::EventBody& body) {
  if (const auto* e = std::get_if<model::WorkspaceReady>(&body)) return e->agent;
  if (const auto* e = std::get_if<model::AgentStarting>(&body)) return e->agent;
  if (const auto* e = std::get_if<model::Captured>(&body)) return e->agent;
  if (const auto* e = std::get_if<model::Inspected>(&body)) return e->agent;
  if (const auto* e = std::get_if<model::SubjectReady>(&body)) return e->subject.agent;
  if (const auto* e = std::get_if<model::CheckEnded>(&body)) return e->subject.agent;
  // The agent's usage reduces the race's budget, which other agents' retries depend on.
  if (const auto* e = std::get_if<model::AgentEnded>(&body))
    return race_budget_of(state).usd > 0 || race_budget_of(state).tokens > 0 ? std::string() : e->agent;
  return {};
}

/// Returns indices of the agents whose commands may have changed. Nullopt: all.
std::optional<std::vector<std::size_t>> touched(const State& state, const model::EventBody& body) {
  const auto& wants = state.wants;
  if (wants.agents.empty() || wants.agents.size() != state.agents.size()) return std::nullopt;
  if (!asks_agents(state) || state.cancelled) return std::nullopt;
  const auto name = changes_one(state, body);
  const auto* one = name.empty() ? nullptr : state.agent(name);
  if (one == nullptr) return std::nullopt;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < state.agents.size(); ++i) {
    const auto& other = state.agents[i];
    if (&other == one || (one->capture && other.capture && other.capture->tree == one->capture->tree))
      places.push_back(i);
  }
  return places;
}

bool wanted_still(const Wants& wants, const Command& command) {
  return wants.of_race.contains(command) ||
         std::any_of(wants.agents.begin(), wants.agents.end(), [&](const auto& agent) {
           return std::find(agent.commands.begin(), agent.commands.end(), command) != agent.commands.end();
         });
}

template <class A, class B>
void add_difference(const A& from, const B& without, std::vector<Command>& to) {
  std::set_difference(from.begin(), from.end(), without.begin(), without.end(), std::back_inserter(to));
}

/// As resume(), if only these agents' commands may have changed.
std::vector<Command> ask_again(State& state, const std::vector<std::size_t>& places) {
  auto& wants = state.wants;
  std::vector<Command> more, less, fresh;
  for (const auto place : places) {
    auto now = ask(state, state.agents[place]);
    auto& before = wants.agents[place];
    add_difference(now.commands, before.commands, more);
    add_difference(before.commands, now.commands, less);
    count(wants, before, -1);
    count(wants, now, 1);
    before = std::move(now);
    ++wants.asked;
  }
  auto of_race = want_race(state, wants);
  add_difference(of_race, wants.of_race, more);
  add_difference(wants.of_race, of_race, less);
  wants.of_race = std::move(of_race);
  for (const auto& command : less)
    if (!wanted_still(wants, command)) state.issued.erase(command);
  for (const auto& command : more)
    if (state.issued.insert(command).second) fresh.push_back(command);
  std::sort(fresh.begin(), fresh.end());
  return fresh;
}

}  // namespace

std::set<Command> wanted(const State& state) {
  Wants wants;
  return want_all(state, wants);
}

std::vector<Command> resume(State& state) {
  auto commands = want_all(state, state.wants);
  std::vector<Command> fresh;
  // run_agent sorts before stop_agent, so that an agent is adopted before it is stopped.
  add_difference(commands, state.issued, fresh);
  state.issued = std::move(commands);
  return fresh;
}

std::vector<Command> reduce(State& state, const model::Event& event) {
  const bool doubted = state.base_doubted;
  apply(state, event);
  const auto places = state.base_doubted == doubted ? touched(state, event.body) : std::nullopt;
  return places ? ask_again(state, *places) : resume(state);
}

}  // namespace hydra::race
