#include "league/leaderboard.hpp"

#include <gmock/gmock.h>

namespace hydra::league {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Attempt attempt(std::uint32_t entry, std::uint32_t task, std::uint32_t race, int rank, double composite,
                bool success = true) {
  Attempt made;
  made.entry = entry;
  made.task = task;
  made.race = race;
  made.rank = rank;
  made.composite = composite;
  made.eligible = true;
  made.success = made.solved = success;
  made.seconds = 10;
  return made;
}

std::vector<std::string> order(const Table& table) {
  std::vector<std::string> names;
  for (const auto& row : table.rows) names.push_back(row.entry);
  return names;
}

const Row& row_of(const Table& table, const std::string& entry) {
  for (const auto& row : table.rows)
    if (row.entry == entry) return row;
  throw std::runtime_error("no row " + entry);
}

// spec arena-scoring, "Multi-Episode Aggregation": the best of ten counts, three of them succeeded.
TEST(Leaderboard, TheArenasTenEpisodes) {
  League league{{"ppo"}, {}};
  for (std::uint32_t i = 0; i < 10; ++i) league.attempts.push_back(attempt(0, 0, i, 1, 50 + i, i < 3));
  const auto table = leaderboard(league, {1, 0});
  const auto& row = table.rows[0];
  EXPECT_EQ(row.attempts, 10);
  EXPECT_DOUBLE_EQ(*row.success_rate, 0.3);
  EXPECT_EQ(row.best, 59);
  EXPECT_DOUBLE_EQ(*row.mean, 54.5);
  EXPECT_NEAR(*row.deviation, 2.8722813232690143, 1e-12) << "population: sqrt(8.25)";
  EXPECT_EQ(row.rank, 1);
  EXPECT_FALSE(row.strength) << "it met nobody";
  EXPECT_EQ(table.tasks, 1u);
  EXPECT_EQ(table.races, 10u);
  EXPECT_EQ(table.k, 10);
  EXPECT_EQ(*row.pass_at_k, 1);
}

model::ArenaFigures played(std::int64_t episodes, double best, double success_rate) {
  model::ArenaFigures figures;
  figures.episodes = episodes;
  figures.best_score = best;
  figures.success_rate = success_rate;
  return figures;
}

TEST(Leaderboard, EpisodesOfEligibleAttempts) {
  League league{
      {"ppo", "idle", "one"},
      {attempt(0, 0, 0, 1, 50), attempt(0, 0, 1, 1, 50), attempt(0, 1, 2, 1, 50), attempt(1, 0, 0, 2, 40),
       attempt(1, 2, 3, 1, 40), attempt(2, 0, 0, 3, 30), attempt(2, 1, 2, 2, 30)}};
  league.attempts[0].arena = played(10, 100, 0.5);
  league.attempts[1].arena = played(30, 300, 1);
  league.attempts[2].arena = played(10, 50, 0);
  league.attempts[3].arena = played(10, 900, 1);
  league.attempts[3].eligible = false;
  league.attempts[5].arena = played(1, 80, 0);
  const auto table = leaderboard(league, {1, 0, false});
  const auto& row = row_of(table, "ppo");
  EXPECT_EQ(row.arena->episodes, 50);
  EXPECT_DOUBLE_EQ(row.arena->success_rate, 35.0 / 50);
  EXPECT_EQ(row.arena->best_score, (300 + 50) / 2.0) << "mean over tasks of the best episode";
  EXPECT_FALSE(row_of(table, "idle").arena) << "what is not eligible has played nothing";
  EXPECT_EQ(row_of(table, "one").arena->best_score, 40) << "a task that others played counts 0";
}

// Ruling A8: score, success rate, average score, fewer steps (here seconds); then the earlier submission.
TEST(Leaderboard, TieBreakersInTheirOrder) {
  const auto two = [](double second, bool success, double seconds) {
    League league{{"a", "b"}, {attempt(0, 0, 0, 1, 90), attempt(0, 0, 1, 1, 80)}};
    league.attempts.push_back(attempt(1, 0, 0, 1, 90));
    league.attempts.push_back(attempt(1, 0, 1, 1, second, success));
    league.attempts.back().seconds = seconds;
    return leaderboard(league, {1, 0});
  };
  EXPECT_THAT(order(two(80, true, 5)), ElementsAre("b", "a")) << "quicker";
  EXPECT_THAT(order(two(81, true, 50)), ElementsAre("b", "a")) << "a better mean";
  EXPECT_THAT(order(two(89, false, 5)), ElementsAre("a", "b")) << "a worse success rate";
  const auto earlier = two(80, true, 10);
  EXPECT_THAT(order(earlier), ElementsAre("a", "b")) << "submitted first";
  EXPECT_EQ(earlier.rows[1].rank, 2);
}

// Ruling H29: a completion beats everything. The idle agent is quick, and so its composites are the better
// ones.
TEST(Leaderboard, WhoSolvesMoreStandsAboveWhoIsQuicker) {
  League league{{"idle", "slow"}, {}};
  for (std::uint32_t task = 0; task < 6; ++task) {
    league.attempts.push_back(attempt(0, task, task, 1, 45.5, false));
    league.attempts.push_back(attempt(1, task, task, 2, 36, task == 0));
    league.attempts.back().seconds = 500;
  }
  const auto table = leaderboard(league, {1, 0});
  EXPECT_THAT(order(table), ElementsAre("slow", "idle"));
  EXPECT_EQ(table.rows[0].solved, 1);
  EXPECT_EQ(table.rows[1].best, 45.5);
}

// 0.1 + 0.2 + 0.3 and 0.3 + 0.2 + 0.1 differ in their last bit, and are no difference.
TEST(Leaderboard, TheLastBitOfASumDecidesNothing) {
  League league{{"first", "second"}, {}};
  for (std::uint32_t task = 0; task < 3; ++task) {
    league.attempts.push_back(attempt(0, task, task, 1, 0.3 - 0.1 * task));
    league.attempts.push_back(attempt(1, task, task, 1, 0.1 + 0.1 * task));
  }
  EXPECT_THAT(order(leaderboard(league, {1, 0})), ElementsAre("first", "second"));
}

TEST(Leaderboard, WhatIsNotEligibleStandsBelowWhateverItsPoints) {
  League league{{"noop", "worker"}, {attempt(0, 0, 0, 2, 100, false), attempt(1, 0, 0, 1, 60)}};
  league.attempts[0].eligible = false;
  const auto table = leaderboard(league, {1, 0});
  EXPECT_THAT(order(table), ElementsAre("worker", "noop"));
  EXPECT_EQ(table.rows[1].rank, std::nullopt);
  EXPECT_EQ(table.rows[1].best, std::nullopt) << "no number for what changed nothing or crashed";
  EXPECT_THAT(table.notes.back(), HasSubstr("noop is not ranked: no attempt is eligible"));
}

TEST(Leaderboard, OfSeveralTasksTheBestIsAMean) {
  League league{{"a"}, {attempt(0, 0, 0, 1, 90), attempt(0, 0, 1, 1, 70), attempt(0, 1, 2, 1, 60)}};
  league.attempts.push_back(attempt(0, 2, 3, 1, 100, false));
  league.attempts.back().eligible = false;
  EXPECT_DOUBLE_EQ(*leaderboard(league, {1, 0}).rows[0].best, (90 + 60 + 0) / 3.0);
}

TEST(Leaderboard, WhatWasLostCountsNowhereElse) {
  League league{{"a"}, {attempt(0, 0, 0, 1, 90), attempt(0, 0, 1, 0, 0, false)}};
  league.attempts[1].lost = true;
  const auto table = leaderboard(league, {1, 0});
  EXPECT_EQ(table.rows[0].attempts, 1);
  EXPECT_EQ(table.rows[0].lost, 1);
  EXPECT_EQ(table.rows[0].success_rate, 1);
  EXPECT_EQ(*table.rows[0].mean, 90);
}

TEST(Leaderboard, TooLittleDataIsSaidAndNotRanked) {
  League league{{"a", "b"}, {}};
  for (std::uint32_t i = 0; i < 5; ++i) league.attempts.push_back(attempt(0, i, i, 2, 50));
  league.attempts.push_back(attempt(1, 0, 0, 1, 99));
  const auto table = leaderboard(league, {});
  EXPECT_THAT(order(table), ElementsAre("a", "b"));
  EXPECT_EQ(table.rows[0].rank, 1);
  EXPECT_EQ(table.rows[1].rank, std::nullopt);
  EXPECT_EQ(table.rows[1].tier, std::nullopt);
  ASSERT_EQ(table.notes.size(), 2u);
  EXPECT_THAT(table.notes[0], HasSubstr("too little data for tiers"));
  EXPECT_THAT(table.notes[1], HasSubstr("too little data to rank b: 1 attempt, 5 are needed"));
}

TEST(Leaderboard, TiersPartWhoAlwaysWins) {
  League league{{"strong", "twin", "weak"}, {}};
  for (std::uint32_t i = 0; i < 40; ++i) {
    league.attempts.push_back(attempt(0, i, i, i % 2 == 0 ? 1 : 2, 90));
    league.attempts.push_back(attempt(1, i, i, i % 2 == 0 ? 2 : 1, 90));
    league.attempts.push_back(attempt(2, i, i, 3, 50));
  }
  const auto table = leaderboard(league, {});
  EXPECT_EQ(row_of(table, "strong").tier, 1);
  EXPECT_EQ(row_of(table, "twin").tier, 1);
  EXPECT_EQ(row_of(table, "weak").tier, 2);
  EXPECT_GT(*row_of(table, "twin").strength, *row_of(table, "weak").strength);
  ASSERT_TRUE(row_of(table, "weak").strength_interval);
  EXPECT_EQ(table.compared_tasks, 40u);
}

// Each entry in races of its own on the same tasks, as a suite runs them.
TEST(Leaderboard, EntriesThatRacedAloneMeetOnTheirTasks) {
  League league{{"a", "b"}, {}};
  for (std::uint32_t task = 0; task < 6; ++task) {
    league.attempts.push_back(attempt(0, task, 2 * task, 1, 80));
    league.attempts.push_back(attempt(1, task, 2 * task + 1, 1, 80, false));
  }
  const auto table = leaderboard(league, {});
  EXPECT_GT(*row_of(table, "a").strength, *row_of(table, "b").strength);
  EXPECT_EQ(table.compared_tasks, 6u);
}

TEST(Leaderboard, PassAtKIsAMeanOverTasks) {
  League league{{"a"}, {}};
  for (std::uint32_t i = 0; i < 4; ++i) league.attempts.push_back(attempt(0, 0, i, 1, 10 * i, i == 0));
  for (std::uint32_t i = 0; i < 2; ++i) league.attempts.push_back(attempt(0, 1, 4 + i, 1, 50, true));
  auto table = leaderboard(league, {1, 0});
  EXPECT_EQ(table.k, 2) << "the fewest";
  EXPECT_DOUBLE_EQ(*table.rows[0].pass_at_k, (0.5 + 1) / 2);
  EXPECT_DOUBLE_EQ(*table.rows[0].pass_all_k, (0.0 + 1) / 2);
  EXPECT_NEAR(*table.rows[0].best_at_k, ((10 + 20 + 30 + 20 + 30 + 30) / 6.0 + 50) / 2, 1e-12);
  table = leaderboard(league, {1, 3});
  EXPECT_EQ(table.rows[0].tasks_k, 1);
  EXPECT_DOUBLE_EQ(*table.rows[0].pass_at_k, 0.75);
}

TEST(Leaderboard, ASolvedTaskCostsAllAttemptsAtAllTasks) {
  League league{{"a"}, {attempt(0, 0, 0, 1, 90), attempt(0, 0, 1, 1, 90), attempt(0, 1, 2, 1, 20, false)}};
  for (auto& each : league.attempts) each.cost_usd = 0.5;
  auto table = leaderboard(league, {1, 0});
  EXPECT_DOUBLE_EQ(*table.rows[0].cost_usd, 1.5);
  EXPECT_EQ(table.rows[0].solved, 1);
  EXPECT_DOUBLE_EQ(*table.rows[0].cost_per_solved, 1.5);
  league.attempts[0].cost_usd.reset();
  table = leaderboard(league, {1, 0});
  EXPECT_DOUBLE_EQ(*table.rows[0].cost_usd, 1.0);
  EXPECT_FALSE(table.rows[0].cost_per_solved) << "a part of it is not known";
}

TEST(Leaderboard, OfNothing) {
  League league;
  const auto table = leaderboard(league, {});
  EXPECT_TRUE(table.rows.empty());
  EXPECT_TRUE(table.notes.empty());
}

TEST(Compare, OnTheTasksThatBothTried) {
  League league{{"a", "b"}, {}};
  const auto add = [&](std::uint32_t entry, std::uint32_t task, bool success, double composite) {
    league.attempts.push_back(attempt(entry, task, task, 1, composite, success));
  };
  for (std::uint32_t task = 0; task < 8; ++task) {  // only the first solves them
    add(0, task, true, 90);
    add(1, task, false, 70);
  }
  add(0, 8, false, 10);  // only the second
  add(1, 8, true, 90);
  add(0, 9, true, 90);  // both: more than half of the attempts
  add(1, 9, true, 80);
  add(1, 9, true, 100);
  add(1, 9, false, 0);
  add(0, 10, true, 90);  // neither: half is not more than half
  add(0, 10, false, 90);
  add(1, 10, false, 90);
  for (std::uint32_t entry : {0u, 1u}) add(entry, 10, false, 90);
  add(0, 11, true, 100);  // only one tried
  const auto found = compare(league, 0, 1);
  EXPECT_EQ(found.tasks, 11);
  EXPECT_EQ(found.only_a, 8);
  EXPECT_EQ(found.only_b, 1);
  EXPECT_EQ(found.both, 1);
  EXPECT_EQ(found.neither, 1);
  EXPECT_NEAR(found.p_value, 2 * (1 + 9) / 512.0, 1e-12);
  EXPECT_NEAR(*found.difference, (8 * 20.0 - 80 + 30 + 0) / 11, 1e-12);
  EXPECT_EQ(found.difference_tasks, 11u);
}

}  // namespace
}  // namespace hydra::league
