// Lines of another machine's export: what a history can hold is read, and all else is named with its line.
#include "wire/history.hpp"
#include "wire/json.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace hydra::wire::import_test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

json line_of(const std::string& name) {
  return {{"race", "01jx4k0000"},
          {"number", 3},
          {"state", "done"},
          {"task", "fix it"},
          {"kind", "bugfix"},
          {"labels", {{"prompt", "v2"}}},
          {"root", "/home/ada/app"},
          {"repository", "/home/ada/app/.git"},
          {"base", "c0ffee"},
          {"created_ms", 5},
          {"ended_ms", 9},
          {"name", name},
          {"entry", "codex"},
          {"agent", "codex"},
          {"attempt", 2},
          {"outcome", "completed"},
          {"lost", false},
          {"eligible", true},
          {"solved", true},
          {"rank", 1},
          {"composite", 93.25},
          {"points", {{"build", 100}, {"lint", nullptr}}},
          {"gained_share", 0.5},
          {"tokens", 1234},
          {"cost_usd", nullptr},
          {"duration_seconds", 61.5},
          {"votes", {{{"judge", "ann"}, {"stake", 2}, {"score", 0.5}}}},
          {"arena", {{"episodes", 10}, {"best_score", 1018181.8}, {"success_rate", 0.3}}}};
}

std::string refusal(const json& line) {
  const auto read = exported_races(line_of("a").dump() + "\n\n" + line.dump() + "\n", 7);
  EXPECT_FALSE(read.ok()) << line.dump();
  return read.ok() ? "" : describe(read.error());
}

TEST(Import, LinesOfARaceAreOneRace) {
  auto elsewhere = line_of("b");
  elsewhere["race"] = "01jx4k0001";
  const auto read =
      exported_races(line_of("a").dump() + "\n" + elsewhere.dump() + "\r\n" + line_of("b").dump(), 1);
  ASSERT_TRUE(read.ok()) << describe(read.error());
  ASSERT_EQ(read->size(), 2u);
  const auto& race = read->front();
  EXPECT_TRUE(race.imported());
  EXPECT_EQ(race.race, "01jx4k0000");
  EXPECT_EQ(race.labels.front().second, "v2");
  ASSERT_EQ(race.attempts.size(), 2u);
  const auto& attempt = race.attempts.front();
  EXPECT_EQ(attempt.name, "a");
  EXPECT_EQ(attempt.outcome, model::Outcome::completed);
  EXPECT_TRUE(attempt.eligible && attempt.solved && !attempt.lost);
  EXPECT_EQ(attempt.composite, 93.25);
  EXPECT_EQ(attempt.points[0], 100);
  EXPECT_EQ(attempt.points[2], std::nullopt);
  EXPECT_EQ(attempt.gained, 0.5);
  EXPECT_EQ(attempt.tokens, 1234);
  EXPECT_EQ(attempt.cost_usd, std::nullopt);
  EXPECT_EQ(attempt.wall_ms, 61500);
  EXPECT_EQ(attempt.votes.front().judge, "ann");
  EXPECT_EQ(attempt.arena->episodes, 10);
}

TEST(Import, WhatWasWrittenIsReadBack) {
  History history;
  auto& race = history.races.emplace_back();
  race.race = "01jx4k0000";
  race.state = "done";
  auto& attempt = race.attempts.emplace_back();
  attempt.name = "codex#2";
  attempt.entry = "codex";
  auto flat = json::parse(to_json(history))["races"][0];
  flat.update(flat["attempts"][0]);
  flat.erase("attempts");
  const auto read = exported_races(flat.dump(), 1);
  ASSERT_TRUE(read.ok()) << describe(read.error());
  EXPECT_EQ(to_json(History{1, *read, {}}), to_json(history)) << "every member of an export has its place";
}

TEST(Import, FiguresOutOfTheirRangeAreNamedWithTheLine) {
  const std::vector<std::pair<const char*, json>> wrong{{"composite", 100.5},
                                                        {"composite", -1},
                                                        {"composite", "93"},
                                                        {"points", {{"build", 101}}},
                                                        {"gained_share", 1.5},
                                                        {"lost_share", -0.1},
                                                        {"rating", 2},
                                                        {"judges", -1},
                                                        {"tokens", -5},
                                                        {"tokens", 1.5},
                                                        {"cost_usd", -0.01},
                                                        {"cost_usd", 1e300},
                                                        {"duration_seconds", -1},
                                                        {"duration_seconds", 1e300},
                                                        {"rank", -1},
                                                        {"attempt", -1},
                                                        {"tests_fixed", -1},
                                                        {"ended_ms", -1},
                                                        {"race", "../../etc"},
                                                        {"race", ""},
                                                        {"name", ""},
                                                        {"eligible", 1},
                                                        {"labels", {{"a=b", "1"}}},
                                                        {"labels", {{"a", "1\nsuite=x"}}},
                                                        {"votes", {{{"judge", "a\n9 1 b"}, {"score", 1}}}},
                                                        {"votes", {{{"judge", "a"}, {"score", 1.5}}}},
                                                        {"arena", {{"episodes", -1}}},
                                                        {"arena", {{"episodes", 1}, {"success_rate", 2}}},
                                                        {"colour", "red"},
                                                        {"attempts", json::array({json::object()})}};
  for (const auto& [member, value] : wrong) {
    auto line = line_of("b");
    line[member] = value;
    EXPECT_THAT(refusal(line), HasSubstr("line 9")) << member << " " << value;
  }
  EXPECT_THAT(refusal(line_of("a")), HasSubstr("the attempt a is given twice"));
  EXPECT_THAT(describe(exported_races("[1]", 4).error()), HasSubstr("line 4"));
  EXPECT_THAT(describe(exported_races("{\"race\":1,\"race\":2}", 4).error()), HasSubstr("line 4"));
  EXPECT_TRUE(exported_races("", 1)->empty());
}

}  // namespace
}  // namespace hydra::wire::import_test
