#include "telemetry/metrics_text.hpp"

#include <gmock/gmock.h>

namespace hydra::telemetry {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

model::HistoryAttempt attempt(const std::string& agent, model::Outcome outcome, int rank) {
  model::HistoryAttempt row;
  row.agent = agent;
  row.outcome = outcome;
  row.rank = rank;
  row.eligible = rank == 1;
  return row;
}

TEST(MetricsText, SumsOverRaces) {
  model::HistoryRace race;
  race.state = "done";
  race.task = "secret plan";
  race.root = "/home/me/app";
  race.attempts = {attempt("codex", model::Outcome::completed, 1),
                   attempt("a\"\\\nb", model::Outcome::failed, 2)};
  race.attempts[0].tokens = 10;
  race.attempts[0].cost_usd = 0.5;
  race.attempts[0].wall_ms = 3000;
  MetricsText sums;
  for (int i = 0; i < 2; ++i) sums.add(race);
  const auto text = sums.text("1.2.3", 4);
  EXPECT_THAT(text, HasSubstr("hydra_build_info{version=\"1.2.3\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("hydra_races_running 4\n"));
  EXPECT_THAT(text, HasSubstr("hydra_races{state=\"done\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("hydra_attempts{agent=\"codex\",outcome=\"completed\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("hydra_wins{agent=\"codex\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("hydra_cost_usd{agent=\"codex\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("hydra_attempt_duration_seconds_sum{agent=\"codex\"} 6\n"));
  EXPECT_THAT(text, HasSubstr("hydra_tokens{agent=\"a\\\"\\\\\\nb\"} 0\n"));
  EXPECT_THAT(text, Not(HasSubstr("secret"))) << "no titles";
  EXPECT_THAT(text, Not(HasSubstr("/home"))) << "no places";
}

TEST(MetricsText, WithoutRacesThereIsNoAgent) {
  EXPECT_THAT(MetricsText().text("1", 0), Not(HasSubstr("agent=")));
}

}  // namespace
}  // namespace hydra::telemetry
