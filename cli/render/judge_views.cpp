#include "cli/render/judge_views.hpp"

#include "cli/json_fields.hpp"

namespace hydra::cli {
namespace {

std::optional<double> vote_number(const nlohmann::json& json, const char* key) {
  const auto& value = member(json, key);
  return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
}

std::int64_t vote_count(const nlohmann::json& json, const char* key) {
  const auto& value = member(json, key);
  return value.is_number_integer() ? value.get<std::int64_t>() : 0;
}

}  // namespace

OwnRacesView own_races_view(const nlohmann::json& confidence) {
  const auto share = vote_number(confidence, "probability");
  const auto& interval = member(confidence, "interval");
  if (!share || !interval.is_array() || interval.size() != 2 || !interval[0].is_number() ||
      !interval[1].is_number())
    return {};
  return {*share,
          interval[0].get<double>(),
          interval[1].get<double>(),
          vote_number(confidence, "brier").value_or(0),
          vote_count(confidence, "n"),
          vote_count(confidence, "outcome_races")};
}

JudgesView judges_view(const nlohmann::json& judges) {
  JudgesView v;
  if (!judges.is_object()) return v;
  v.status = text(judges, "status");
  v.text = text(judges, "text");
  v.score = vote_number(judges, "score");
  v.valid = vote_count(judges, "judges");
  v.asked = vote_count(judges, "asked");
  const auto& votes = member(judges, "votes");
  if (!votes.is_array()) return v;
  for (const auto& vote : votes)
    v.votes.push_back({text(vote, "judge"), text(vote, "invalid"), text(vote, "reason"),
                       member(vote, "person") == true, member(vote, "outlier") == true,
                       vote_number(vote, "score"), vote_number(vote, "stake").value_or(0)});
  return v;
}

JudgesView parse_judges(std::string_view explanation) {
  return judges_view(member(nlohmann::json::parse(explanation, nullptr, false), "judges"));
}

OwnRacesView parse_own_races(std::string_view explanation) {
  return own_races_view(member(nlohmann::json::parse(explanation, nullptr, false), "confidence"));
}

}  // namespace hydra::cli
