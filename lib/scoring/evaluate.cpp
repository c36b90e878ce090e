// The evaluation of a race: points, eligibility, order, winner, thresholds.
#include "scoring/evaluate.hpp"

#include <algorithm>

namespace hydra::scoring {
namespace {

using model::AgentEvidence;
using model::Dimension;
using model::RankedAgent;

// The fastest eligible result sets the pace; where none is eligible, the fastest completed change does (H12,
// H30).
void add_speed(const model::ScoringConfig& config, const std::vector<AgentEvidence>& agents,
               std::vector<RankedAgent>& ranked) {
  std::vector<std::optional<std::int64_t>> durations;
  std::optional<std::int64_t> pace;
  const bool any = std::any_of(ranked.begin(), ranked.end(), [](const auto& row) { return row.eligible; });
  for (std::size_t i = 0; i < agents.size(); ++i) {
    const auto& a = agents[i];
    durations.push_back(detail::completed(a) && detail::has_change(config, a) ? std::optional(a.duration_ms)
                                                                              : std::nullopt);
    if (durations[i] && (ranked[i].eligible || !any))
      pace = std::min(pace.value_or(*durations[i]), *durations[i]);
  }
  const auto points = score_speed(durations, pace);
  for (std::size_t i = 0; i < agents.size(); ++i) {
    auto& d = ranked[i].score.dimensions[model::index(Dimension::speed)];
    d.status = model::DimensionStatus::scored;
    d.points = points[i];
    d.terms.push_back({"duration_ms", static_cast<double>(std::max<std::int64_t>(agents[i].duration_ms, 1))});
    if (pace) d.terms.push_back({"fastest_ms", static_cast<double>(std::max<std::int64_t>(*pace, 1))});
    if (!durations[i])
      d.reason =
          detail::completed(agents[i]) ? model::ScoreReason::no_change : model::ScoreReason::not_completed;
  }
}

void add_ranks(std::vector<RankedAgent>& ordered, const std::vector<model::OrderReason>& reasons) {
  for (std::size_t i = 0; i < ordered.size(); ++i) {
    ordered[i].rank = static_cast<int>(i) + 1;
    ordered[i].reason = reasons[i];
    if (!reasons[i].tied) continue;
    ordered[i].rank = ordered[i - 1].rank;
    ordered[i].tied = ordered[i - 1].tied = true;
  }
}

/// Returns the agent that points alone would put first; empty if that is the winner or a result with the same
/// tree.
std::string points_winner(const detail::Race& race, const detail::Placed& chosen) {
  const auto plain = detail::order_by_composite(race);
  if (plain.empty() || !race.ranked[plain.front()].eligible || plain.front() == chosen.order.front())
    return {};
  const auto& a = race.agents[plain.front()];
  const auto& b = race.agents[chosen.order.front()];
  const bool same_tree = !a.code.empty() && a.code == b.code;
  const bool same_points = tied({.composite = race.ranked[plain.front()].score.composite},
                                {.composite = race.ranked[chosen.order.front()].score.composite});
  return same_tree || same_points ? std::string() : a.agent;
}

}  // namespace

model::Ranking evaluate(const model::ScoringConfig& config, const model::BaselineEvidence& baseline,
                        const std::vector<AgentEvidence>& agents, const model::Matrix& matrix) {
  std::vector<RankedAgent> ranked;
  for (const auto& a : agents) {
    RankedAgent r;
    r.agent = a.agent;
    r.score = score_agent(config, baseline, a);
    ranked.push_back(std::move(r));
  }
  for (std::size_t i = 0; i < agents.size(); ++i) {
    ranked[i].ineligible_reasons = detail::ineligible_reasons(config, baseline, agents[i], ranked[i].score);
    ranked[i].eligible = ranked[i].ineligible_reasons.empty();
  }
  add_speed(config, agents, ranked);
  for (auto& row : ranked) row.score.composite = composite(row.score, config.weights);

  const auto classified = classify(matrix);
  const Selection selection(classified);
  const detail::Race race{config, baseline, agents, selection, ranked};
  model::Ranking out;
  out.notes = detail::baseline_notes(config, baseline);
  detail::add_evidence(race, out);
  const bool by_evidence = config.order == model::Order::evidence;
  out.order = config.order;
  const auto placed = detail::place_rows(race, out.evidence);
  out.decision = placed.decision;
  for (const auto i : placed.with) out.decision_with.push_back(agents[i].agent);
  if (by_evidence && !placed.order.empty() && ranked[placed.order.front()].eligible)
    out.points_winner = points_winner(race, placed);
  for (const auto i : placed.order) out.agents.push_back(std::move(ranked[i]));
  add_ranks(out.agents, placed.reasons);
  std::optional<double> best;
  for (const auto& row : out.agents)
    if (row.eligible) best = std::max(best.value_or(0), row.score.composite);
  if (best && out.decision != model::RaceDecision::undecided) out.winner = out.agents.front().agent;
  const Verdict verdict = judge(best, config.thresholds);
  const bool above = best && judge(out.agents.front().score.composite, config.thresholds).auto_merge;
  const auto winner = std::find_if(agents.begin(), agents.end(),
                                   [&](const auto& agent) { return agent.agent == out.winner; });
  out.auto_merge = above && !verdict.all_failed && winner != agents.end() && !winner->hold_merge;
  out.all_failed = verdict.all_failed;
  return out;
}

}  // namespace hydra::scoring
