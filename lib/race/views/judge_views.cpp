// Votes of judges and people on a result (docs/api.md, "Judges").
#include "race/state/judging.hpp"
#include "race/views/view_parts.hpp"

#include <algorithm>

namespace hydra::race::detail {

std::optional<wire::Judges> judges_view(const State& state, const AgentState& agent) {
  const auto found = judged(state, agent);
  if (!found) return std::nullopt;
  const auto votes = votes_of(state, agent);
  wire::Judges out;
  out.status = found->state;
  out.score = found->score;
  if (found->score) out.points = *found->score * 100;
  out.text = found->text;
  out.judges = found->valid;
  out.asked = votes.size();
  out.stake = found->stake;
  out.all_stake = found->all_stake;
  out.median = found->median;
  out.mad = found->mad;
  out.weight = state.spec.config.scoring.weights.judges;
  out.seed = state.judging ? state.judging->seed : "";
  for (std::size_t i = 0; i < votes.size(); ++i) {
    const auto& given = votes[i];
    const auto& outliers = found->outliers;
    out.votes.push_back({given.vote.judge, given.invalid, given.reason, given.attempt, given.person,
                         std::find(outliers.begin(), outliers.end(), i) != outliers.end(), given.vote.stake,
                         given.vote.score, found->z[i],
                         given.person ? std::optional(given.stars) : std::nullopt});
  }
  return out;
}

}  // namespace hydra::race::detail
