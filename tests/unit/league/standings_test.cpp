// The worked figures of spec term-challenge-scoring through a running competition.
#include "league/standings.hpp"

#include <gmock/gmock.h>

#include <numeric>

namespace hydra::league {
namespace {

using ::testing::ElementsAre;

/// `passed` of ten attempts of the entry, as each of `validators` saw them.
void add(std::vector<Tried>& tried, std::uint32_t entry, std::int64_t epoch, int passed,
         std::uint32_t validators = 3) {
  for (std::uint32_t validator = 0; validator < validators; ++validator)
    for (int i = 0; i < 10; ++i)
      tried.push_back({entry, validator, 0, epoch, 1000 * (entry + 1), i < passed ? 1.0 : 0.0});
}

const std::vector<double> kStakes{1, 1, 1};
const std::vector<Competition> kOne{{"all", 1}};

TEST(Standings, EightOfTenIsEightyPercent) {
  std::vector<Tried> tried;
  add(tried, 0, 0, 8);
  add(tried, 1, 0, 2);
  const auto found = standings(tried, 2, kStakes, kOne, 1, {});
  ASSERT_EQ(found.epochs.size(), 1u);
  const auto& rows = found.epochs[0].rows;
  EXPECT_DOUBLE_EQ(*rows[0].score, 0.8);
  EXPECT_DOUBLE_EQ(*rows[1].score, 0.2);
  // Linear shares 0.8 and 0.2, capped at a half of their sum: 0.5 * 65535 rounds half up.
  EXPECT_THAT(found.weights, ElementsAre(0, 32768, 13107));
}

TEST(Standings, FewerThanThreeValidatorsAdmitNothing) {
  std::vector<Tried> tried;
  add(tried, 0, 0, 8, 2);
  const auto found = standings(tried, 1, kStakes, kOne, 1, {});
  EXPECT_EQ(found.epochs[0].rows[0].score, std::nullopt);
  EXPECT_EQ(found.epochs[0].rows[0].validators, 2);
  EXPECT_THAT(found.weights, ElementsAre(0, 0));
}

TEST(Standings, StakesWeighAndWhoLiesIsLeftOut) {
  std::vector<Tried> tried;
  const std::vector<int> passed{8, 8, 7, 8, 0};
  for (std::uint32_t validator = 0; validator < 5; ++validator)
    for (int i = 0; i < 10; ++i) tried.push_back({0, validator, 0, 0, 1, i < passed[validator] ? 1.0 : 0.0});
  auto found = standings(tried, 1, {1, 1, 1, 1, 1}, kOne, 1, {});
  EXPECT_DOUBLE_EQ(*found.epochs[0].rows[0].score, 6.2 / 10) << "a MAD of 0 flags nobody (T1)";
  tried.clear();
  const std::vector<int> spread{8, 7, 9, 8, 0};
  for (std::uint32_t validator = 0; validator < 5; ++validator)
    for (int i = 0; i < 10; ++i) tried.push_back({0, validator, 0, 0, 1, i < spread[validator] ? 1.0 : 0.0});
  found = standings(tried, 1, {3, 1, 1, 1, 100}, kOne, 1, {});
  EXPECT_EQ(found.epochs[0].rows[0].outliers, 1);
  EXPECT_NEAR(*found.epochs[0].rows[0].score, (3 * 0.8 + 0.7 + 0.9 + 0.8) / 6, 1e-12);
}

TEST(Standings, DecayBeginsAfterTheGraceAndBurnsToUidZero) {
  std::vector<Tried> tried;
  add(tried, 0, 0, 8);
  model::StandingsConfig rules;
  rules.cap = 1;
  const auto found = standings(tried, 1, kStakes, kOne, 31, rules);
  EXPECT_TRUE(found.epochs[0].improved);
  EXPECT_EQ(found.epochs[10].stale, 0);
  EXPECT_EQ(found.epochs[10].burnt, 0);
  EXPECT_EQ(found.epochs[11].stale, 1);
  EXPECT_DOUBLE_EQ(found.epochs[11].burn_percent, 5);
  EXPECT_EQ(found.epochs[11].burnt, 65535 - 62258) << "round(65535 * 0.95) = 62258";
  EXPECT_DOUBLE_EQ(found.epochs[30].burn_percent, 80) << "at most";
  EXPECT_EQ(std::accumulate(found.weights.begin(), found.weights.end(), std::int64_t{0}), 65535);
}

TEST(Standings, AnImprovementOfTwoPercentResetsIt) {
  std::vector<Tried> tried;
  add(tried, 0, 0, 8);
  add(tried, 1, 12, 8);  // as good: no improvement
  add(tried, 1, 13, 9);
  const auto found = standings(tried, 2, kStakes, kOne, 14, {});
  EXPECT_EQ(found.epochs[12].stale, 2);
  EXPECT_FALSE(found.epochs[12].improved);
  EXPECT_TRUE(found.epochs[13].improved);
  EXPECT_EQ(found.epochs[13].stale, 0);
}

TEST(Standings, CompetitionsShareTheEmission) {
  std::vector<Tried> tried;
  add(tried, 0, 0, 10);
  for (std::uint32_t validator = 0; validator < 3; ++validator)
    tried.push_back({1, validator, 1, 0, 1, true});
  model::StandingsConfig rules;
  rules.cap = 1;
  const auto found = standings(tried, 2, kStakes, {{"a", 0.6}, {"b", 0.4}}, 1, rules);
  EXPECT_THAT(found.weights, ElementsAre(0, 39321, 26214));
}

}  // namespace
}  // namespace hydra::league
