#include "cli/metrics_text.hpp"

#include <gmock/gmock.h>

namespace hydra::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(MetricsText, SumsOverPages) {
  MetricsText sums;
  for (int page = 0; page < 2; ++page)
    sums.add(R"({"races": [{"state": "done", "attempts": [
      {"agent": "codex", "outcome": "completed", "rank": 1, "eligible": true, "tokens": 10, "cost_usd": 0.5, "duration_seconds": 3},
      {"agent": "a\"\\\nb", "outcome": "failed", "rank": 2, "eligible": false, "tokens": null, "cost_usd": null}]}]})");
  const auto text = sums.text();
  EXPECT_THAT(text, HasSubstr("hydra_races{state=\"done\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("hydra_attempts{agent=\"codex\",outcome=\"completed\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("hydra_wins{agent=\"codex\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("hydra_cost_usd{agent=\"codex\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("hydra_attempt_duration_seconds_sum{agent=\"codex\"} 6\n"));
  EXPECT_THAT(text, HasSubstr("hydra_tokens{agent=\"a\\\"\\\\\\nb\"} 0\n"));
}

TEST(MetricsText, OfWhatIsNoHistoryIsEmpty) {
  MetricsText sums;
  for (const auto* page : {"", "[]", "{\"races\": 7}", "{\"races\": [7, {\"attempts\": {}}]}"})
    sums.add(page);
  EXPECT_THAT(sums.text(), Not(HasSubstr("agent=")));
}

}  // namespace
}  // namespace hydra::cli
