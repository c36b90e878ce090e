#include "race/state/green.hpp"

#include "race/state/cross.hpp"
#include "race/state/selection.hpp"
#include "race/state/success.hpp"
#include "scoring/selection.hpp"

#include <algorithm>

namespace hydra::race {

using model::CheckStatus;
using model::Dimension;

namespace {

bool wanted_green(const State& state) {
  // After a manual retry that agent must work, whatever the other results are.
  return state.spec.until_green && state.spec.verifies.empty() && state.retried.empty() && !state.cancelled;
}

bool base_is_green(const State& state) {
  const auto* base = state.checks(Subject::baseline());
  return base && base->tests && base->tests->status == CheckStatus::passed;
}

// Returns whether cross tests will run: without a budget they are allowed, and named as left out.
bool cross_runs(const State& state) {
  return cross_configured(state) && asks_further(state.spec.config.evaluation);
}

// Returns whether a test can fail without the change: of an author, of the base, or a hidden one.
bool evidence_possible(const State& state) {
  if (!state.spec.hidden_tests.empty() || !state.spec.config.scoring.test_command)
    return !state.spec.hidden_tests.empty();
  return cross_runs(state) || !base_is_green(state);
}

bool is_judged(const State& state, const AgentState& agent) {
  if (!agent.ended || !agent.capture || agent.cancelled || agent.origin == Origin::tester) return false;
  if (!needs_checks(state, agent)) return true;
  const auto owner = check_owner(state, agent);
  return state.subjects.contains(owner) && fully_checked(state, owner) &&
         (owner.of_baseline() || agent.integrity || owner.agent != agent.entry.name);
}

std::vector<const model::RankedAgent*> green_but_for_evidence(const State& state,
                                                              const model::Ranking& ranking) {
  std::vector<const model::RankedAgent*> found;
  const auto base = baseline_evidence(state);
  const auto& results = agent_evidence(state);
  for (const auto& ranked : ranking.agents) {
    const auto* agent = state.agent(ranked.agent);
    if (!agent || !is_judged(state, *agent)) continue;
    const auto result = std::find_if(results.begin(), results.end(),
                                     [&](const auto& row) { return row.agent == ranked.agent; });
    if (result == results.end()) continue;
    if (is_success(state, {base, *result, scoring::compare_tests(base, *result), ranked.eligible}))
      found.push_back(&ranked);
  }
  return found;
}

bool base_judged(const State& state) {
  return !any_check(state.spec.config) || fully_checked(state, Subject::baseline());
}

std::string shown_green(const State& state, const model::Ranking& ranking) {
  const bool possible = evidence_possible(state);
  for (const auto* ranked : green_but_for_evidence(state, ranking))
    if (!possible || ranked->confidence.word > model::Belief::no_evidence) return ranked->agent;
  return {};
}

std::vector<std::string> owners_of(const CrossInputs& inputs) {
  std::vector<std::string> owners;
  for (const auto& result : inputs.results) owners.push_back(result.owner.agent);
  return owners;
}

}  // namespace

bool agents_under_way(const State& state) {
  return std::any_of(state.agents.begin(), state.agents.end(), [&](const AgentState& agent) {
    if (!agent.ended) return agent.workspace_error.empty() && !agent.never_runs();
    return retry_due(state, agent);
  });
}

std::string green_result(const State& state) {
  if (!wanted_green(state) || !base_judged(state)) return {};
  return shown_green(state, state.ranking ? *state.ranking : ranking_of(state));
}

std::int64_t green_grace_ms(const State& state, const std::string& first, std::int64_t now_ms) {
  constexpr std::int64_t kMost = 60'000;
  const auto* agent = state.agent(first);
  const auto all = agent ? std::min(kMost, work_ms(*agent)) : kMost;
  if (!state.green || state.green->agent != first) return all;
  return std::clamp<std::int64_t>(state.green->at_ms + all - now_ms, 0, all);
}

bool rest_stopped(const State& state) {
  return std::any_of(state.agents.begin(), state.agents.end(), [](const auto& agent) {
    return agent.stop && agent.stop->reason == model::StopReason::green;
  });
}

void want_green(const State& state, std::set<Command>& commands) {
  if (!wanted_green(state) || state.ranking || !base_judged(state) || !agents_under_way(state)) return;
  const bool judged = std::any_of(state.agents.begin(), state.agents.end(),
                                  [&](const auto& agent) { return is_judged(state, agent); });
  if (!judged) return;
  const auto ranking = ranking_of(state);
  if (!shown_green(state, ranking).empty()) {
    commands.insert({Verb::stop_rest, {}, Dimension::build});
    return;
  }
  if (!cross_runs(state)) return;
  if (state.cross && !state.matrix) return want_cross(state, commands);
  if (green_but_for_evidence(state, ranking).empty()) return;
  // Plan cross tests for the results that have ended; plan again when another one has.
  const auto owners = owners_of(cross_inputs(state));
  if (!owners.empty() && (!state.cross || state.cross->early_of != owners))
    commands.insert({Verb::plan_cross, {}, Dimension::build});
}

}  // namespace hydra::race
