// What judges and people say of a result, as JSON (docs/results.md, "Judges").
#include "race/judging.hpp"
#include "race/view_parts.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace hydra::race::detail {

using nlohmann::json;

namespace {

template <class T>
json or_null(const std::optional<T>& value) {
  return value ? json(*value) : json(nullptr);
}

json vote_json(const GivenVote& given, const scoring::JudgesScore& found, std::size_t i) {
  const bool out = std::find(found.outliers.begin(), found.outliers.end(), i) != found.outliers.end();
  return {{"judge", given.vote.judge},
          {"person", given.person},
          {"stake", given.vote.stake},
          {"score", or_null(given.vote.score)},
          {"rating", given.person ? json(given.stars) : json(nullptr)},
          {"invalid", given.invalid},
          {"reason", given.reason},
          {"outlier", out},
          {"modified_z", or_null(found.z[i])},
          {"attempt", given.attempt}};
}

}  // namespace

json judges_json(const State& state, const AgentState& agent) {
  const auto found = judged(state, agent);
  if (!found) return nullptr;
  const auto votes = votes_of(state, agent);
  json j{{"status", found->state},
         {"score", or_null(found->score)},
         {"points", found->score ? json(*found->score * 100) : json(nullptr)},
         {"text", found->text},
         {"judges", found->valid},
         {"asked", votes.size()},
         {"stake", found->stake},
         {"all_stake", found->all_stake},
         {"median", or_null(found->median)},
         {"mad", or_null(found->mad)},
         {"weight", state.spec.config.scoring.weights.judges},
         {"seed", state.judging ? state.judging->seed : ""},
         {"votes", json::array()}};
  for (std::size_t i = 0; i < votes.size(); ++i) j["votes"].push_back(vote_json(votes[i], *found, i));
  return j;
}

}  // namespace hydra::race::detail
