// A running competition out of the history's JSON.
#include "cli/score/standings_input.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace hydra::cli {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

constexpr std::int64_t kWeekMs = 7 * 86'400'000LL;

json race(const char* validator, std::int64_t ended_ms, int passed, const char* kind = "bugfix") {
  json made{{"race", "r"},
            {"kind", kind},
            {"ended_ms", ended_ms},
            {"repository", "/repo"},
            {"labels", {{"validator", validator}}},
            {"attempts", json::array()}};
  for (int i = 0; i < 10; ++i)
    made["attempts"].push_back(
        {{"agent", "codex"}, {"asked_model", "o9"}, {"lost", false}, {"success", i < passed}});
  made["attempts"].push_back({{"agent", "codex"}, {"asked_model", "o9"}, {"lost", true}, {"success", false}});
  return made;
}

json standings_of(const model::StandingsConfig& config, const json& races, std::int64_t now_ms) {
  auto input = StandingsInput::make(config);
  EXPECT_TRUE(input.ok());
  std::optional<std::int64_t> next = 0;
  EXPECT_TRUE(input->add(json{{"races", races}, {"next", nullptr}}.dump(), next).ok());
  EXPECT_FALSE(next);
  return json::parse(input->json(now_ms, 100));
}

TEST(StandingsInput, ValidatorsAreLabelsAndEpochsAreWeeks) {
  const json races{race("ada", 10 * kWeekMs, 8), race("bob", 10 * kWeekMs + 5, 8),
                   race("eve", 10 * kWeekMs + 9, 8)};
  const auto made = standings_of({}, races, 11 * kWeekMs);
  EXPECT_EQ(made["schema"], 1);
  ASSERT_EQ(made["epochs"].size(), 2u);
  const auto& row = made["epochs"][0]["rows"][0];
  EXPECT_EQ(made["epochs"][0]["begins_ms"], 10 * kWeekMs);
  EXPECT_EQ(row["entry"], "codex=o9");
  EXPECT_EQ(row["uid"], 1);
  EXPECT_DOUBLE_EQ(row["score"], 0.8) << "8 of the 10 that count";
  EXPECT_EQ(made["epochs"][1]["rows"][0]["score"], row["score"]) << "carried on";
  EXPECT_EQ(made["uids"]["1"], "codex=o9");
  EXPECT_EQ(made["weights"]["1"], 32768) << "capped at a half";
  EXPECT_TRUE(made["notes"].empty());
  EXPECT_THAT(standings_text(made.dump()), HasSubstr("score 0.800  validators 3"));
}

TEST(StandingsInput, OneValidatorAdmitsNothingAndSaysSo) {
  const auto made = standings_of({}, json::array({race("", kWeekMs, 8)}), kWeekMs);
  EXPECT_EQ(made["validators"][0]["validator"], "/repo");
  EXPECT_EQ(made["epochs"][0]["rows"][0]["score"], nullptr);
  EXPECT_THAT(made["notes"][0].get<std::string>(), HasSubstr("too few validators"));
  EXPECT_THAT(standings_text(made.dump()), HasSubstr("score    --"));
}

TEST(StandingsInput, CompetitionsByKind) {
  model::StandingsConfig config;
  config.competitions = {"bugfix=0.6", "docs=0.4"};
  config.min_validators = 1;
  config.cap = 1;
  const auto made =
      standings_of(config, {race("ada", kWeekMs, 8), race("ada", kWeekMs, 1, "feature")}, kWeekMs);
  EXPECT_EQ(made["weights"]["1"], 39321);
  EXPECT_DOUBLE_EQ(made["epochs"][0]["rows"][0]["score"], 0.8) << "features are in no competition";
}

TEST(StandingsInput, WrongConfigurations) {
  for (const char* bad : {"bugfix", "=1", "bugfix=1.5", "bugfix=-1", "bugfix=nan", "bugfix="}) {
    model::StandingsConfig config;
    config.competitions = {bad};
    EXPECT_FALSE(StandingsInput::make(config).ok()) << bad;
  }
  EXPECT_THAT(standings_text("{}"), HasSubstr("Nothing"));
  auto input = StandingsInput::make({});
  std::optional<std::int64_t> next;
  EXPECT_FALSE(input->add("[]", next).ok());
}

TEST(StandingsInput, EpochsSinceAWrongClockStayFew) {
  const auto made = standings_of({}, json::array({race("ada", -1'000'000 * kWeekMs, 8)}), 100 * kWeekMs);
  EXPECT_EQ(made["epochs"].size(), 100u);
}

}  // namespace
}  // namespace hydra::cli
