// The whole evaluation: points, eligibility, order, winner, thresholds.
#include "scoring/evaluate.hpp"

#include <algorithm>

namespace hydra::scoring {
namespace {

using model::AgentEvidence;
using model::Dimension;
using model::RankedAgent;

Contender contender(const RankedAgent& r, const AgentEvidence& a) {
  const auto points = [&r](Dimension d) { return r.score.dimensions[model::index(d)].points; };
  return {r.eligible,
          r.score.composite,
          points(Dimension::tests),
          points(Dimension::build),
          points(Dimension::diff_size),
          static_cast<double>(a.duration_ms)};
}

void add_speed(const model::ScoringConfig& config, const std::vector<AgentEvidence>& agents,
               std::vector<RankedAgent>& ranked) {
  std::vector<std::optional<std::int64_t>> durations;
  for (const auto& a : agents)
    durations.push_back(detail::completed(a) && detail::has_change(config, a) ? std::optional(a.duration_ms)
                                                                              : std::nullopt);
  const auto points = score_speed(durations);
  std::optional<std::int64_t> fastest;
  for (const auto& d : durations)
    if (d) fastest = std::min(fastest.value_or(*d), *d);
  for (std::size_t i = 0; i < agents.size(); ++i) {
    auto& d = ranked[i].score.dimensions[model::index(Dimension::speed)];
    d.status = model::DimensionStatus::scored;
    d.points = points[i];
    d.terms.push_back({"duration_ms", static_cast<double>(std::max<std::int64_t>(agents[i].duration_ms, 1))});
    if (fastest) d.terms.push_back({"fastest_ms", static_cast<double>(std::max<std::int64_t>(*fastest, 1))});
    if (!durations[i]) d.reason = detail::completed(agents[i]) ? "no_change" : "not_completed";
  }
}

void add_ranks(std::vector<RankedAgent>& ordered, const std::vector<Contender>& contenders,
               const std::vector<std::size_t>& order) {
  for (std::size_t i = 0; i < ordered.size(); ++i) {
    ordered[i].rank = static_cast<int>(i) + 1;
    if (i == 0 || !tied(contenders[order[i]], contenders[order[i - 1]])) continue;
    ordered[i].rank = ordered[i - 1].rank;
    ordered[i].tied = ordered[i - 1].tied = true;
  }
}

}  // namespace

model::Ranking evaluate(const model::ScoringConfig& config, const model::BaselineEvidence& baseline,
                        const std::vector<AgentEvidence>& agents) {
  std::vector<RankedAgent> ranked;
  for (const auto& a : agents) {
    RankedAgent r;
    r.agent = a.agent;
    r.score = score_agent(config, baseline, a);
    ranked.push_back(std::move(r));
  }
  add_speed(config, agents, ranked);
  for (std::size_t i = 0; i < agents.size(); ++i) {
    ranked[i].score.composite = composite(ranked[i].score, config.weights);
    ranked[i].ineligible_reasons = detail::ineligible_reasons(config, baseline, agents[i], ranked[i].score);
    ranked[i].eligible = ranked[i].ineligible_reasons.empty();
  }

  std::vector<Contender> contenders;
  for (std::size_t i = 0; i < agents.size(); ++i) contenders.push_back(contender(ranked[i], agents[i]));
  const auto order = rank_order(contenders);

  model::Ranking out;
  out.notes = detail::baseline_notes(config, baseline);
  for (const auto i : order) out.agents.push_back(std::move(ranked[i]));
  add_ranks(out.agents, contenders, order);
  std::optional<double> best;
  if (!out.agents.empty() && out.agents.front().eligible) {
    best = out.agents.front().score.composite;
    out.winner = out.agents.front().agent;
  }
  const Verdict verdict = judge(best, config.thresholds);
  const auto winner = std::find_if(agents.begin(), agents.end(),
                                   [&](const auto& agent) { return agent.agent == out.winner; });
  out.auto_merge = verdict.auto_merge && winner != agents.end() && !winner->hold_merge;
  out.all_failed = verdict.all_failed;
  return out;
}

}  // namespace hydra::scoring
