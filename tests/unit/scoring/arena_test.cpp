// Every printed example of the arena's specification, its boundaries, and rulings A1-A8. Expected values are
// computed by hand.
#include "scoring/arena.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace hydra::scoring::arena {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// completed, world, stage, max_x, total_steps, coins, time_remaining
const Episode kExample1{true, 1, 1, 3266, 342, 15, 245};
const Episode kExample2{false, 1, 1, 1456, 892, 7, 0};
const Episode kExample3{true, 3, 2, 2888, 415, 22, 198};

TEST(Episode, FirstPrintedExample) {
  const auto s = score_episode(kExample1);
  ASSERT_TRUE(s);
  EXPECT_DOUBLE_EQ(s->completion_bonus, 1000000);
  EXPECT_DOUBLE_EQ(s->progress_score, 14266);
  EXPECT_DOUBLE_EQ(s->efficiency_penalty, 34.2);
  EXPECT_DOUBLE_EQ(s->coin_bonus, 1500);
  EXPECT_DOUBLE_EQ(s->time_bonus, 2450);
  EXPECT_DOUBLE_EQ(s->total, 1018181.8);
  EXPECT_EQ(format_total(s->total), "1,018,182");
  EXPECT_EQ(s->warning, "");
}

TEST(Episode, SecondPrintedExample) {
  const auto s = score_episode(kExample2);
  ASSERT_TRUE(s);
  EXPECT_DOUBLE_EQ(s->completion_bonus, 0);
  EXPECT_DOUBLE_EQ(s->progress_score, 12456);
  EXPECT_DOUBLE_EQ(s->efficiency_penalty, 89.2);
  EXPECT_DOUBLE_EQ(s->total, 13066.8);
  EXPECT_EQ(format_total(s->total), "13,067");
}

TEST(Episode, ThirdPrintedExampleIsAnExactTie) {
  const auto s = score_episode(kExample3);
  ASSERT_TRUE(s);
  EXPECT_EQ(s->total, 1039026.5);
  EXPECT_EQ(format_total(s->total), "1,039,026");  // A2: to even
}

TEST(Episode, TimeCountsOnlyWhenCompleted) {
  auto e = kExample2;
  e.time_remaining = 200;
  EXPECT_EQ(score_episode(e)->time_bonus, 0);
  EXPECT_DOUBLE_EQ(score_episode(e)->total, 13066.8);
}

TEST(Episode, PenaltiesAreTheNearestDoubles) {
  auto e = kExample2;
  e.total_steps = 3;
  EXPECT_EQ(score_episode(e)->efficiency_penalty, 0.3);  // 3 * 0.1 would be 0.30000000000000004
}

TEST(Episode, ImpossibleValuesNameTheirField) {
  const auto field = [](auto change) {
    Episode e = kExample1;
    change(e);
    const auto s = score_episode(e);
    return s ? std::string("no error") : s.error().where;
  };
  EXPECT_EQ(field([](Episode& e) { e.world = 0; }), "world");
  EXPECT_EQ(field([](Episode& e) { e.world = 9; }), "world");
  EXPECT_EQ(field([](Episode& e) { e.stage = 0; }), "stage");
  EXPECT_EQ(field([](Episode& e) { e.stage = 5; }), "stage");
  EXPECT_EQ(field([](Episode& e) { e.max_x = -1; }), "max_x");
  EXPECT_EQ(field([](Episode& e) { e.max_x = kNaN; }), "max_x");
  EXPECT_EQ(field([](Episode& e) { e.max_x = kInfinity; }), "max_x");
  EXPECT_EQ(field([](Episode& e) { e.total_steps = -1; }), "total_steps");
  EXPECT_EQ(field([](Episode& e) { e.coins = -1; }), "coins");
  EXPECT_EQ(field([](Episode& e) { e.time_remaining = -0.5; }), "time_remaining");
  EXPECT_EQ(field([](Episode& e) { e.time_remaining = kNaN; }), "time_remaining");
  EXPECT_EQ(field([](Episode& e) { e.time_remaining = 1e308; }), "time_remaining");
  EXPECT_EQ(field([](Episode& e) { e.world = 1, e.stage = 1, e.max_x = 0, e.total_steps = 0, e.coins = 0; }),
            "no error");
  EXPECT_EQ(field([](Episode& e) { e.world = 8, e.stage = 4, e.time_remaining = 0; }), "no error");
}

TEST(Episode, UnusualValuesAreComputedWithAWarning) {
  auto e = kExample1;
  e.max_x = 5000, e.total_steps = 9000000, e.coins = 99;
  EXPECT_EQ(score_episode(e)->warning, "");
  e.max_x = 5000.5;
  EXPECT_EQ(score_episode(e)->warning, "max_x is above the usual 5,000");
  e.max_x = 0, e.total_steps = 9000001;
  EXPECT_EQ(score_episode(e)->warning, "total_steps is above the usual 9,000,000");
  e.total_steps = 0, e.coins = 100;
  EXPECT_EQ(score_episode(e)->warning, "coins is above the usual 99");
  e.max_x = 1e308;
  EXPECT_EQ(score_episode(e)->warning, "max_x is above the usual 5,000; coins is above the usual 99");
  EXPECT_EQ(score_episode(e)->total, 1e308);
}

TEST(Aggregate, BestOfNAndItsStatistics) {
  const auto a = aggregate({kExample2, kExample1, kExample3});
  ASSERT_TRUE(a);
  EXPECT_EQ(a->best_index, 2U);
  EXPECT_EQ(a->best_score, 1039026.5);
  EXPECT_DOUBLE_EQ(a->success_rate, 2.0 / 3);
  EXPECT_DOUBLE_EQ(a->avg_steps, (892 + 342 + 415) / 3.0);
  EXPECT_DOUBLE_EQ(a->avg_max_x, (1456 + 3266 + 2888) / 3.0);
  EXPECT_DOUBLE_EQ(a->avg_score, (13066.8 + 1018181.8 + 1039026.5) / 3);
  EXPECT_EQ(a->warning, "");
}

TEST(Aggregate, PopulationDeviation) {
  // Totals 11,002, 11,004, 11,004, 11,004, 11,005, 11,005, 11,007, 11,009: mean 11,005, deviation 2.
  std::vector<Episode> episodes;
  for (const double x : {2, 4, 4, 4, 5, 5, 7, 9}) episodes.push_back({false, 1, 1, x, 0, 0, 0});
  const auto a = aggregate(episodes);
  EXPECT_DOUBLE_EQ(a->avg_score, 11005);
  EXPECT_DOUBLE_EQ(a->std_score_population, 2);
  EXPECT_EQ(a->success_rate, 0);
  EXPECT_EQ(aggregate({kExample1})->std_score_population, 0);
  // Squares of these would overflow.
  EXPECT_DOUBLE_EQ(
      aggregate({{false, 1, 1, 0, 0, 0, 0}, {false, 1, 1, 1.6e308, 0, 0, 0}})->std_score_population, 0.8e308);
}

TEST(Aggregate, FirstOfEqualOnesIsTheBest) {
  EXPECT_EQ(aggregate({kExample2, kExample1, kExample1})->best_index, 1U);
}

TEST(Aggregate, TenEpisodesWithThreeSuccesses) {
  std::vector<Episode> episodes(10, kExample2);
  for (const std::size_t i : {0U, 2U, 5U}) episodes[i] = kExample1;
  EXPECT_DOUBLE_EQ(aggregate(episodes)->success_rate, 0.3);
  EXPECT_EQ(format_total(aggregate(episodes)->best_score), "1,018,182");
}

TEST(Aggregate, EmptyAndImpossibleListsAreErrors) {
  EXPECT_EQ(aggregate({}).error().where, "episodes");
  auto bad = kExample1;
  bad.stage = 7;
  EXPECT_EQ(aggregate({kExample1, kExample2, bad}).error().where, "episodes[2].stage");
  auto odd = kExample1;
  odd.coins = 1000;
  EXPECT_THAT(aggregate({kExample1, odd})->warning, HasSubstr("episodes[1]: coins"));
}

const std::vector<Level> kWorldOneAndABit{
    {1, 1, 3266, true}, {1, 2, 3000, true}, {1, 3, 2500, true}, {1, 4, 2300, true}, {2, 1, 1200, false}};

TEST(FullGame, FurthestIsThePrintedExample) {
  const auto s = score_full_game(FullGameMode::furthest, false, kWorldOneAndABit, 2456);
  ASSERT_TRUE(s);
  EXPECT_DOUBLE_EQ(s->completion_bonus, 0);
  EXPECT_DOUBLE_EQ(s->progress_score, 22200);
  EXPECT_DOUBLE_EQ(s->efficiency_penalty, 245.6);
  EXPECT_DOUBLE_EQ(s->total, 21954.4);
  EXPECT_EQ(format_total(s->total), "21,954");
}

TEST(FullGame, SumAddsEveryLevelReached) {
  const auto s = score_full_game(FullGameMode::sum, false, kWorldOneAndABit, 2456);
  // 4 * 10,000 + 20,000, 1,000 + 2,000 + 3,000 + 4,000 + 1,000, and 12,266 units.
  EXPECT_DOUBLE_EQ(s->progress_score, 60000 + 11000 + 12266);
  EXPECT_DOUBLE_EQ(s->total, 83266 - 245.6);
}

TEST(FullGame, CompletionIsTenMillion) {
  const auto s = score_full_game(FullGameMode::furthest, true, {{8, 4, 4000, true}}, 0);
  EXPECT_DOUBLE_EQ(s->completion_bonus, 10000000);
  EXPECT_DOUBLE_EQ(s->total, 10000000 + 88000);
}

TEST(FullGame, FurthestGoesByPlaceAndNotByPoints) {
  EXPECT_DOUBLE_EQ(score_full_game(FullGameMode::furthest, false, {{1, 2, 10, false}, {1, 1, 3266, true}}, 0)
                       ->progress_score,
                   12010);
  EXPECT_DOUBLE_EQ(
      score_full_game(FullGameMode::furthest, false, {{1, 4, 9, true}, {2, 1, 3, false}, {2, 1, 8, false}}, 0)
          ->progress_score,
      21008);
}

TEST(FullGame, Errors) {
  EXPECT_EQ(score_full_game(FullGameMode::sum, false, {}, 0).error().where, "levels_reached");
  EXPECT_EQ(score_full_game(FullGameMode::sum, false, {{1, 1, 0, true}}, -1).error().where, "total_steps");
  EXPECT_EQ(score_full_game(FullGameMode::sum, false, {{1, 1, 0, true}, {1, 5, 0, false}}, 1).error().where,
            "levels_reached[1].stage");
  EXPECT_EQ(score_full_game(FullGameMode::sum, false, {{1, 1, 1.7e308, true}, {1, 1, 1.7e308, true}}, 1)
                .error()
                .where,
            "levels_reached");
  EXPECT_THAT(score_full_game(FullGameMode::sum, false, {{1, 1, 5001, true}}, 9000001)->warning,
              "max_x is above the usual 5,000; total_steps is above the usual 9,000,000");
  EXPECT_EQ(score_full_game(FullGameMode::sum, false, {{1, 1, 5000, true}}, 9000000)->warning, "");
  // A single unusual level is enough, at any position.
  EXPECT_NE(score_full_game(FullGameMode::sum, false, {{1, 1, 5001, true}, {1, 2, 1, true}}, 1)->warning, "");
}

TEST(LevelIds, ExactlyOneForm) {
  const auto level = parse_level_id("SuperMarioBros-8-4-v0");
  ASSERT_TRUE(level);
  EXPECT_EQ(level->world, 8);
  EXPECT_EQ(level->stage, 4);
  EXPECT_EQ(parse_level_id("SuperMarioBros-1-2-v0")->world, 1);
  EXPECT_EQ(parse_level_id("SuperMarioBros-1-2-v0")->stage, 2);
  for (const char* bad :
       {"", "1-1", "SuperMarioBros-0-1-v0", "SuperMarioBros-9-1-v0", "SuperMarioBros-1-0-v0",
        "SuperMarioBros-1-5-v0", "SuperMarioBros-1-1-v1", "SuperMarioBros-1-1", "SuperMarioBros-11-1-v0",
        "SuperMarioBros-1-1-v0 ", " SuperMarioBros-1-1-v0", "superMarioBros-1-1-v0", "SuperMarioBros-a-1-v0",
        "SuperMarioBros-1-1-v00", "SuperMarioBros--1-1-v", "WuperMarioBros-1-1-v0"})
    EXPECT_FALSE(parse_level_id(bad)) << bad;
  EXPECT_EQ(parse_level_id("x").error().where, "level_id");
}

TEST(Leaderboard, OrderAndItsTiebreakers) {
  //                                       name, score, success, avg score, avg steps
  const std::vector<Model> models{{"slow", 100, 0.5, 50, 400},    {"best", 101, 0.1, 10, 900},
                                  {"sure", 100, 0.6, 40, 900},    {"strong", 100, 0.5, 51, 900},
                                  {"quick", 100, 0.5, 50, 399.5}, {"slow again", 100, 0.5, 50, 400}};
  EXPECT_THAT(leaderboard_order(models), ElementsAre(1, 2, 3, 4, 0, 5));
  EXPECT_TRUE(leaderboard_order({}).empty());
}

TEST(Leaderboard, Table) {
  const auto text = leaderboard_table({{"PPO-v1-100k", 15234, 0.1, 0, 892},
                                       {"PPO-v3-1M", 1018182, 0.9, 0, 328},
                                       {"PPO-v2-500k", 1016450, 0.85, 0, 345}});
  EXPECT_EQ(text, R"(============================================================
        MARIO ARENA LEADERBOARD
============================================================
Rank  Model Name                   Score  Success  Avg Steps
------------------------------------------------------------
1     PPO-v3-1M                1,018,182      90%        328
2     PPO-v2-500k              1,016,450      85%        345
3     PPO-v1-100k                 15,234      10%        892
============================================================
)");
}

TEST(Leaderboard, LongAndHostileNamesStayInTheirColumn) {
  const auto text =
      leaderboard_table({{"a name of more than twenty columns", 1, 0, 0, 0}, {"\x1b[31mred", 2, 0, 0, 0}});
  EXPECT_THAT(text,
              HasSubstr("\n2     a name of more than twenty columns             1       0%          0\n"));
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
}

// Figures of parts are the figures of the whole, whatever the parts.
TEST(Pool, IsTheAggregateOfAllEpisodes) {
  const std::vector<Played> all{{1'018'181.8, true, 342, 3266},
                                {13'066.8, false, 892, 1456},
                                {12'456, false, 900, 1456},
                                {1'016'890, true, 350, 3266},
                                {-5, false, 110'050, 0}};
  const auto whole = figures_of(all);
  for (std::size_t cut = 0; cut <= all.size(); ++cut) {
    const auto at = all.begin() + static_cast<std::ptrdiff_t>(cut);
    model::ArenaFigures sum = figures_of(std::vector<Played>(all.begin(), at));
    pool(sum, figures_of(std::vector<Played>(at, all.end())));
    EXPECT_EQ(sum.episodes, 5);
    EXPECT_EQ(sum.best_score, 1'018'181.8);
    EXPECT_DOUBLE_EQ(sum.success_rate, 0.4);
    EXPECT_NEAR(sum.avg_score, whole.avg_score, 1e-6) << cut;
    EXPECT_NEAR(sum.std_score_population, whole.std_score_population, 1e-6) << cut;
    EXPECT_NEAR(sum.avg_steps, whole.avg_steps, 1e-6) << cut;
  }
  model::ArenaFigures worse = figures_of(std::vector<Played>{{-7, false, 0, 0}});
  EXPECT_EQ(worse.best_score, -7) << "no best of 0 is invented";
  pool(worse, figures_of(std::vector<Played>{}));
  EXPECT_EQ(worse.episodes, 1);
}

TEST(FormatTotal, TiesToEvenWithSeparators) {
  const std::pair<double, const char*> cases[] = {{0, "0"},
                                                  {-0.0, "0"},
                                                  {0.5, "0"},
                                                  {1.5, "2"},
                                                  {2.5, "2"},
                                                  {2.500001, "3"},
                                                  {999, "999"},
                                                  {999.5, "1,000"},
                                                  {1000, "1,000"},
                                                  {999999.4, "999,999"},
                                                  {1e6, "1,000,000"},
                                                  {-0.4, "0"},
                                                  {-1234.5, "-1,234"},
                                                  {-1235.5, "-1,236"},
                                                  {123456789, "123,456,789"},
                                                  {1e15, "1,000,000,000,000,000"}};
  for (const auto& [value, text] : cases) EXPECT_EQ(format_total(value), text) << value;
  EXPECT_EQ(format_total(kNaN), "--");
  EXPECT_EQ(format_total(1e308).size(), 309 + 102U);
}

}  // namespace
}  // namespace hydra::scoring::arena
