#include "race/state/history.hpp"

#include "adapters/adapters.hpp"
#include "race/state/judging.hpp"
#include "race/state/success.hpp"
#include "scoring/engine.hpp"
#include "scoring/task_kind.hpp"

#include <algorithm>

namespace hydra::race {
namespace {

using model::Outcome;

/// Returns whether the machine, a provider or the user ended the attempt, so that its result is no evidence
/// about the agent.
bool is_lost(const AgentState& agent, const model::HistoryAttempt& row) {
  if (row.rank == 0) return true;
  if (row.eligible) return false;
  switch (row.outcome) {
    case Outcome::unknown:
    case Outcome::cancelled:
    case Outcome::launch_error:
    case Outcome::misconfigured:
    case Outcome::lost:
    case Outcome::stopped:
      return true;
    default:
      break;
  }
  using model::ErrorClass;
  const auto error = agent.ended ? agent.ended->verdict.error_class : ErrorClass::none;
  return !agent.ended || error == ErrorClass::auth || error == ErrorClass::rate_limit ||
         error == ErrorClass::provider || !agent.capture_error.empty();
}

void add_points(const model::RankedAgent& ranked, model::HistoryAttempt& row) {
  row.rank = ranked.rank;
  row.tied = ranked.tied;
  row.eligible = ranked.eligible;
  row.composite = ranked.score.composite;
  row.confidence = name(ranked.confidence.word);
  for (std::size_t i = 0; i < row.points.size(); ++i) {
    const auto& score = ranked.score.dimensions[i];
    if (score.status != model::DimensionStatus::not_configured) row.points[i] = score.points;
  }
}

void add_judgements(const State& state, const AgentState& agent, model::HistoryAttempt& row) {
  row.rating = rating_of(state, agent);
  if (const auto found = judged(state, agent)) row.judged = found->score;
  for (const auto& given : votes_of(state, agent))
    if (given.vote.score) row.votes.push_back({given.vote.judge, given.vote.stake, *given.vote.score});
}

double share(std::int64_t part, std::int64_t whole) {
  return whole > 0 ? std::min(static_cast<double>(part) / static_cast<double>(whole), 1.0) : 0;
}

model::HistoryAttempt attempt_of(const State& state, const model::BaselineEvidence& base,
                                 const AgentState& agent, const model::AgentEvidence& found) {
  model::HistoryAttempt row;
  row.name = agent.entry.name;
  row.entry = agent.entry.entry_name();
  row.agent = agent.entry.id;
  row.asked = agent.entry.model;
  row.model = agent.ended ? agent.ended->verdict.model : "";
  if (row.model.empty()) row.model = row.asked;
  if (const auto version = state.spec.versions.find(row.agent); version != state.spec.versions.end())
    row.version = version->second;
  row.attempt = agent.entry.attempt;
  row.outcome = found.outcome;
  if (const auto* ranked = state.ranked(row.name)) add_points(*ranked, row);
  row.changed = agent.changed();
  row.lost = is_lost(agent, row);
  const auto tests = scoring::compare_tests(base, found);
  const Beside beside{base, found, tests, row.eligible};
  row.success = is_success(state, beside);
  row.solved = is_solved(state, beside);
  row.merged = std::any_of(state.merges.begin(), state.merges.end(),
                           [&](const auto& merged) { return merged.agent == row.name; });
  for (const auto& merged : state.merges)
    if (const auto at = state.merged_ms.find(merged.commit);
        merged.agent == row.name && at != state.merged_ms.end())
      row.merged_ms = at->second;
  row.undone = !row.merged && state.undone.contains(row.name);
  add_judgements(state, agent, row);
  if (tests.by_name()) {
    row.fixed = static_cast<std::int64_t>(tests.fixed.size());
    row.broken = static_cast<std::int64_t>(tests.broken.size());
  }
  // A red command without a comparison says nothing about how much is lost.
  const bool red = tests.by == scoring::ComparedBy::exit_code && tests.gained == 0 &&
                   found.checks.tests->status != model::CheckStatus::passed;
  if (!state.spec.config.scoring.test_command || (tests.by != scoring::ComparedBy::nothing && !red)) {
    row.gained = share(tests.gained, tests.could_gain);
    row.damaged = share(tests.lost, tests.could_lose);
  }
  if (found.checks.tests) row.arena = found.checks.tests->arena;
  const auto usage = usage_of(agent);
  row.tokens = adapters::counted_tokens(usage);
  row.cost_usd = usage.cost_usd;
  row.wall_ms = found.duration_ms;
  return row;
}

}  // namespace

std::vector<model::HistoryAttempt> attempts_of(const State& state) {
  std::vector<model::HistoryAttempt> attempts;
  const auto base = baseline_evidence(state);
  for (const auto& row : agent_evidence(state))
    if (const auto* agent = state.agent(row.agent); agent->origin == Origin::agent)
      attempts.push_back(attempt_of(state, base, *agent, row));
  return attempts;
}

std::optional<model::HistoryRace> history_of(const State& state) {
  const auto& spec = state.spec;
  if (!state.ended) return std::nullopt;
  model::HistoryRace race;
  race.race = spec.id;
  race.state = name(*state.ended);
  race.task = spec.task;
  race.kind = spec.kind.empty() ? scoring::task_kind(spec.task) : spec.kind;
  race.labels.assign(spec.labels.begin(), spec.labels.end());
  race.root = spec.repository.root;
  race.repository = spec.repository.common_dir;
  race.base = spec.repository.base;
  race.created_ms = spec.created_ms;
  race.ended_ms = state.ended_ms;
  race.through = state.last_event;
  race.forgotten = state.forgotten || spec.check_only || !spec.verifies.empty();
  if (race.forgotten) return race;
  race.attempts = attempts_of(state);
  return race;
}

}  // namespace hydra::race
