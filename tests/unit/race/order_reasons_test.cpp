// Why a row stands above the next, in each answer that has the order.
#include "race/views/views.hpp"
#include "race_spec.hpp"
#include "wire/json_value.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace hydra::race {
namespace {

TEST(OrderReasons, AreInResultsStatusAndExplanations) {
  State state;
  apply(state, {1, "r", 10, model::RaceCreated{race_spec({"a", "b", "c"})}});
  const LiveOf nothing = [](const AgentState&) { return LiveView{}; };
  EXPECT_TRUE(results_view(state, {}).order_reasons.empty()) << "before the ranking";
  model::Ranking ranking;
  for (const auto* name : {"b", "c", "a"}) {
    ranking.agents.emplace_back();
    ranking.agents.back().agent = name;
  }
  ranking.agents[1].ineligible_reasons =
      ranking.agents[2].ineligible_reasons = {model::Ineligible::no_changes};
  ranking.agents[1].reason = {model::OrderBy::fixed_tests, false, 2, 50};
  ranking.agents[2].reason = {model::OrderBy::speed, true, 0, 8};
  apply(state, {2, "r", 20, model::ScoringResult{ranking}});
  const auto expected = nlohmann::json::parse(R"([
    {"above": "b", "below": "c", "by": "fixed_tests", "tied": false, "count": 2, "points": 50.0,
     "text": "b above c: fixes 2 more failing tests"},
    {"above": "c", "below": "a", "by": "speed", "tied": true, "count": 0, "points": 8.0,
     "text": "c tied with a, listed first: faster, 8.0 more points"}])");
  EXPECT_EQ(wire::json_value(results_view(state, {}))["order_reasons"], expected);
  EXPECT_EQ(wire::json_value(status_view(state, {}, nothing, {}, ""))["order_reasons"], expected);
  EXPECT_EQ(results_view(state, {}).verdict, "No winner: b is not eligible; 2 results change nothing.");
  EXPECT_EQ(status_view(state, {}, nothing, {}, "").verdict, results_view(state, {}).verdict);
  EXPECT_EQ(wire::json_value(explain(state, "c", nullptr))["order_reasons"], expected);
}

}  // namespace
}  // namespace hydra::race
