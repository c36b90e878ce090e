// Judges' scores as one number: admission, outliers, stake; what is said where there is none.
#include "scoring/judges.hpp"

#include "evidence.hpp"
#include "scoring/engine.hpp"

#include <gtest/gtest.h>

namespace {

using namespace hydra;
using scoring::judges_score;
using scoring::Vote;

double stakes_of(const std::vector<Vote>& votes) {
  double sum = 0;
  for (const auto& vote : votes) sum += vote.stake;
  return sum;
}
scoring::JudgesScore of_votes(const std::vector<Vote>& votes, int fewest = 3) {
  return judges_score(votes, stakes_of(votes), fewest);
}

TEST(Judges, TheMeanIsWeightedByStake) {
  const auto found = of_votes({{"a", 1, 0.2}, {"b", 2, 0.8}, {"c", 1, 0.6}});
  ASSERT_TRUE(found.score);
  EXPECT_DOUBLE_EQ(*found.score, (0.2 + 1.6 + 0.6) / 4);
  EXPECT_EQ(found.state, model::JudgesState::scored);
  EXPECT_TRUE(found.outliers.empty());
}

TEST(Judges, AnOutlierIsNamedAndLeftOut) {
  const auto found = of_votes({{"a", 1, 0.80}, {"b", 1, 0.82}, {"c", 1, 0.78}, {"liar", 5, 0.0}});
  ASSERT_EQ(found.outliers, (std::vector<std::size_t>{3}));
  EXPECT_NEAR(found.score.value_or(-1), 0.8, 1e-12);
  EXPECT_NE(found.text.find("1 left out as an outlier"), std::string::npos) << found.text;
}

TEST(Judges, TooFewOrTooLittleStakeIsNoScoreAndSaysSo) {
  EXPECT_EQ(of_votes({{"a", 1, 0.5}, {"b", 1, 0.5}}).state, model::JudgesState::too_few_judges);
  EXPECT_EQ(of_votes({{"a", 1, 0.5}, {"b", 1, 0.5}, {"c", 1, {}}}).state, model::JudgesState::too_few_judges)
      << "no answer counts not";
  EXPECT_EQ(of_votes({{"a", 1, {}}, {"b", 1, {}}}).state, model::JudgesState::no_votes);
  const std::vector<Vote> poor{{"a", 1, 0.5}, {"b", 1, 0.5}, {"c", 1, 0.5}, {"rich", 8, {}}};
  EXPECT_EQ(of_votes(poor).state, model::JudgesState::too_little_stake);
  EXPECT_NE(of_votes(poor).text.find("27 % of the stake, 30 % are needed"), std::string::npos)
      << of_votes(poor).text;
  // Exactly 30 % is enough (spec, "Min Stake %").
  EXPECT_TRUE(of_votes({{"a", 1, 0.5}, {"b", 1, 0.5}, {"c", 1, 0.5}, {"rich", 7, {}}}).score);
  EXPECT_TRUE(of_votes({{"a", 1, 0.5}}, 1).score);
  EXPECT_EQ(of_votes({{"a", 0, 0.5}}, 1).state, model::JudgesState::no_stake);
}

TEST(Judges, WhereAllButOneAgreeNobodyIsAnOutlier) {
  const auto found = of_votes({{"a", 1, 0.5}, {"b", 1, 0.5}, {"c", 1, 1.0}});  // ruling T1: the MAD is 0
  EXPECT_TRUE(found.undetermined);
  EXPECT_TRUE(found.outliers.empty());
  EXPECT_DOUBLE_EQ(found.score.value_or(-1), 2.0 / 3);
}

TEST(Judges, TheDimensionCountsOnlyWithAWeight) {
  model::ScoreBreakdown score;
  score.dimensions[0] = {model::DimensionStatus::scored, 100, {}, {}};
  score.judges = {model::DimensionStatus::scored, 50, {}, {}};
  model::Weights weights;
  EXPECT_DOUBLE_EQ(scoring::composite(score, weights), 100);
  weights.judges = 30;
  EXPECT_DOUBLE_EQ(scoring::composite(score, weights), 75);
  score.judges = scoring::judges_dimension(of_votes({{"a", 1, {}}}), false);
  EXPECT_DOUBLE_EQ(scoring::composite(score, weights), 100) << "nobody in the race has one: left out";
  score.judges = scoring::judges_dimension(of_votes({{"a", 1, {}}}), true);
  EXPECT_DOUBLE_EQ(scoring::composite(score, weights), 50) << "others have one: 0 points, its weight stays";
}

TEST(Judges, WhoIsToldApartByThemStandsAboveBecauseOfThem) {
  namespace fixture = scoring::fixture;
  auto config = fixture::config();
  config.order = model::Order::evidence;
  const auto judged = [](const char* name, double points) {
    auto a = fixture::agent(name);
    a.judges = {model::DimensionStatus::scored, points, {}, {}};
    return a;
  };
  const auto reason = [&](double first, double second) {
    const auto r = scoring::evaluate(config, fixture::baseline(), {judged("a", first), judged("b", second)});
    return r.agents[1].reason;
  };
  EXPECT_EQ(reason(100, 50).by, model::OrderBy::listed) << "without a weight they say nothing";
  // The other weights are 25, 35, 15, 15 and 10, and all of their points equal.
  config.weights.judges = 100;
  EXPECT_EQ(reason(100, 50).by, model::OrderBy::judges);
  EXPECT_DOUBLE_EQ(reason(100, 50).points, 25);
  EXPECT_FALSE(reason(100, 50).tied);
  EXPECT_TRUE(reason(50, 50).tied);
}

}  // namespace
