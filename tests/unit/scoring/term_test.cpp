// Every example, default and boundary of the term specification, and rulings T1-T10.
#include "scoring/term.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace hydra::scoring::term {
namespace {

using testing::DoubleEq;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::Eq;
using testing::IsEmpty;

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
using Scores = std::vector<double>;

TEST(Task, PassesOnlyWithExitCodeZeroInTime) {
  EXPECT_EQ(task_score(0, false), 1.0);
  EXPECT_EQ(task_score(1, false), 0.0);
  EXPECT_EQ(task_score(-1, false), 0.0);
  EXPECT_EQ(task_score(0, true), 0.0);  // T10
  EXPECT_EQ(task_score(std::nullopt, false), 0.0);
}

TEST(Benchmark, PassRate) {
  EXPECT_EQ(benchmark_score(8, 10), 0.8);
  EXPECT_EQ(benchmark_score(10, 10), 1.0);
  EXPECT_EQ(benchmark_score(0, 10), 0.0);
  EXPECT_EQ(benchmark_score(1, 1), 1.0);
  EXPECT_EQ(benchmark_score(0, 0), 0.0);  // T10
}

TEST(Ranking, ScoreThenEarlierSubmissionThenInput) {
  EXPECT_THAT(rank({{0.8, 30}, {0.9, 40}, {0.8, 10}, {0.8, 30}}), ElementsAre(1, 2, 0, 3));
  EXPECT_TRUE(rank({}).empty());
}

TEST(Admission, BothMinimaAreInclusive) {
  const Admission rule{100, 3, 0.3};
  EXPECT_TRUE(admitted(3, 30, rule));
  EXPECT_FALSE(admitted(2, 30, rule));
  EXPECT_FALSE(admitted(3, 29.999, rule));
  EXPECT_TRUE(admitted(4, 100, rule));
  // 0.07 * 100 is above 7 in binary.
  EXPECT_TRUE(admitted(3, 7, {100, 3, 0.07}));
  EXPECT_FALSE(admitted(3, 0, {0, 3, 0}));
  EXPECT_FALSE(admitted(3, 0, {0, 3, 0.3}));
  // The defaults of the document.
  EXPECT_EQ(Admission{}.min_validators, 3);
  EXPECT_EQ(Admission{}.min_stake_fraction, 0.3);
}

TEST(Average, WeightedByStake) {
  EXPECT_DOUBLE_EQ(*stake_weighted_average({{100, 0.8}, {300, 0.6}}), 0.65);
  EXPECT_DOUBLE_EQ(*stake_weighted_average({{1, 0.5}}), 0.5);
  EXPECT_DOUBLE_EQ(*stake_weighted_average({{0, 1}, {5, 0.25}}), 0.25);
  EXPECT_FALSE(stake_weighted_average({{0, 0.8}, {0, 0.6}}));  // T3
  EXPECT_FALSE(stake_weighted_average({}));
  EXPECT_DOUBLE_EQ(*stake_weighted_average({{1e308, 1e308}, {1e308, -1e308}, {1e308, 1e308}}), 1e308 / 3);
  EXPECT_DOUBLE_EQ(*stake_weighted_average({{3e-320, 2}, {3e-320, 4}}), 3);
}

TEST(Average, OfOneScoreIsThatScore) {
  // Rounding would leave it by a bit; somebody without stake must not widen the bounds.
  for (int i = 1; i < 60; ++i) {
    const double stake = i;
    EXPECT_EQ(*stake_weighted_average({{stake, 0.7}, {stake * 3 + 1, 0.7}, {7, 0.7}, {0, 0.1}, {0, 0.9}}),
              0.7);
  }
}

TEST(Admission, NoStakeAdmitsNothingAndAnyUnitWill) {
  EXPECT_FALSE(admitted(3, 5, {0, 3, 0}));
  EXPECT_TRUE(admitted(3, 0.5, {1, 3, 0.3}));
  const std::vector<Evaluation> almost{{9.995, 1}, {10, 1}, {10, 1}};
  EXPECT_FALSE(validated_score(almost, {100, 3, 0.3}, 3.5).score);
}

TEST(Outlier, MedianMadAndModifiedZ) {
  // Median 3, distances 2 1 0 1 97, MAD 1.
  const auto o = outliers(Scores{1, 2, 3, 4, 100}, 3.5);
  EXPECT_EQ(*o.median, 3);
  EXPECT_EQ(*o.mad, 1);
  EXPECT_THAT(*o.modified_z[0], DoubleEq(-1.349));
  EXPECT_THAT(*o.modified_z[2], DoubleEq(0));
  EXPECT_THAT(*o.modified_z[4], DoubleEq(0.6745 * 97));
  EXPECT_THAT(o.indices, ElementsAre(4));
  EXPECT_FALSE(o.undetermined);
  // Even: the mean of the middle two. 1 2 4 10: median 3, distances 2 1 1 7, MAD 1.5.
  const auto even = outliers(Scores{10, 1, 4, 2}, 3.5);
  EXPECT_EQ(*even.median, 3);
  EXPECT_EQ(*even.mad, 1.5);
}

TEST(Outlier, TheThresholdItselfIsNoOutlier) {
  // Median 0, MAD 1; z of 10 is 6.745.
  const Scores scores{-10, -1, 0, 1, 10};
  EXPECT_THAT(outliers(scores, 6.745).indices, IsEmpty());
  EXPECT_THAT(outliers(scores, std::nextafter(6.745, 0.0)).indices, ElementsAre(0, 4));
  // With the default threshold: 0.6745 * 5 = 3.3725 stays, 0.6745 * 6 = 4.047 goes.
  EXPECT_THAT(outliers(Scores{-1, -1, 0, 1, 5}, 3.5).indices, IsEmpty());
  EXPECT_THAT(outliers(Scores{-1, -1, 0, 1, 6}, 3.5).indices, ElementsAre(4));
  // Reached exactly: distance / MAD = 3.5 / 0.6745.
  const double edge = 3.5 / 0.6745;
  const auto o = outliers(Scores{-1, -1, 0, 1, edge}, 3.5);
  EXPECT_THAT(*o.modified_z[4], DoubleEq(3.5));
}

TEST(Outlier, ZeroMadIsUndetermined) {
  const auto o = outliers(Scores{0.8, 0.8, 0.8, 0.1}, 3.5);  // T1
  EXPECT_EQ(*o.mad, 0);
  EXPECT_TRUE(o.undetermined);
  EXPECT_THAT(o.indices, IsEmpty());
  EXPECT_THAT(o.modified_z,
              ElementsAre(Eq(std::nullopt), Eq(std::nullopt), Eq(std::nullopt), Eq(std::nullopt)));
  EXPECT_TRUE(outliers(Scores{0.5}, 3.5).undetermined);
  const auto none = outliers(Scores{}, 3.5);
  EXPECT_FALSE(none.median);
  EXPECT_TRUE(none.undetermined);
}

TEST(Outlier, ExtremeScoresStayFinite) {
  const auto o = outliers(Scores{-1.7e308, 0, 1.7e308, 1, -1}, 3.5);
  EXPECT_EQ(*o.median, 0);
  EXPECT_EQ(*o.mad, 1);
  EXPECT_THAT(o.indices, ElementsAre(0, 2));
}

TEST(Validated, AdmissionCountsAllOutliersAreLeftOut) {
  const std::vector<Evaluation> evaluations{{10, 0.80}, {10, 0.82}, {20, 0.79}, {10, 0.81}, {50, 0.05}};
  const auto v = validated_score(evaluations, {100, 3, 0.3}, 3.5);
  EXPECT_THAT(v.outliers.indices, ElementsAre(4));
  EXPECT_DOUBLE_EQ(*v.score, (0.80 * 10 + 0.82 * 10 + 0.79 * 20 + 0.81 * 10) / 50);
  // The outlier's stake and place count for the admission.
  EXPECT_TRUE(validated_score(evaluations, {100, 5, 1.0}, 3.5).score);
  EXPECT_FALSE(validated_score(evaluations, {100, 6, 0.3}, 3.5).score);
  EXPECT_FALSE(validated_score(evaluations, {1000, 3, 0.3}, 3.5).score);
  EXPECT_THAT(validated_score(evaluations, {1000, 3, 0.3}, 3.5).outliers.indices, ElementsAre(4));
  EXPECT_FALSE(validated_score({}, {100, 0, 0}, 3.5).score);
}

TEST(Normalise, SharesAndScaledShares) {
  EXPECT_THAT(normalise(Scores{1, 1, 2}), ElementsAre(0.25, 0.25, 0.5));
  EXPECT_THAT(normalise(Scores{0, 0}), ElementsAre(0, 0));  // T3
  EXPECT_THAT(normalise(Scores{}), IsEmpty());
  EXPECT_THAT(normalise(Scores{1.5e308, 1.5e308}), ElementsAre(0.5, 0.5));
  EXPECT_THAT(scale(Scores{0.25, 0.25, 0.5}), ElementsAre(16384, 16384, 32768));  // T4: sums to 65536
  EXPECT_THAT(scale(Scores{0, 1}), ElementsAre(0, 65535));
  EXPECT_THAT(scale(Scores{0.1}), ElementsAre(6554));  // 6553.5: half away from zero
}

TEST(Cap, PlainMinimum) {
  const auto c = cap(Scores{70, 20, 10}, 0.5);
  EXPECT_EQ(c.limit, 50);
  EXPECT_THAT(c.capped, ElementsAre(50, 20, 10));
  EXPECT_THAT(cap(Scores{50, 50}, 0.5).capped, ElementsAre(50, 50));
  EXPECT_THAT(cap(Scores{}, 0.5).capped, IsEmpty());
  EXPECT_EQ(cap(Scores{}, 0.5).limit, 0);
  EXPECT_THAT(cap(Scores{3}, 1).capped, ElementsAre(3));
}

TEST(CapRedistribute, TheExcessGoesToTheOthersInProportion) {
  const auto c = cap_redistribute(Scores{0.7, 0.2, 0.1}, 0.5);
  EXPECT_THAT(c.capped,
              ElementsAre(DoubleNear(0.5, 1e-15), DoubleNear(1.0 / 3, 1e-15), DoubleNear(1.0 / 6, 1e-15)));
  // Excess that overflows again is passed on: 0.6 0.3 0.1 under 0.4 -> 0.4 0.45 0.15 -> 0.4 0.4 0.2.
  EXPECT_THAT(cap_redistribute(Scores{0.1, 0.6, 0.3}, 0.4).capped,
              ElementsAre(DoubleNear(0.2, 1e-15), DoubleNear(0.4, 1e-15), DoubleNear(0.4, 1e-15)));
  // Nobody is above: nothing changes.
  EXPECT_THAT(cap_redistribute(Scores{0.5, 0.25, 0.25}, 0.5).capped, ElementsAre(0.5, 0.25, 0.25));
  EXPECT_THAT(cap_redistribute(Scores{0.375, 0.375, 0.25}, 0.5).capped, ElementsAre(0.375, 0.375, 0.25));
  // Nobody can take it: it stays unassigned.
  EXPECT_THAT(cap_redistribute(Scores{1, 0}, 0.5).capped, ElementsAre(0.5, 0));
  EXPECT_THAT(cap_redistribute(Scores{0.5, 0.5}, 0.25).capped, ElementsAre(0.25, 0.25));
  EXPECT_THAT(cap_redistribute(Scores{0, 0}, 0.5).capped, ElementsAre(0, 0));
  EXPECT_THAT(cap_redistribute(Scores{}, 0.5).capped, IsEmpty());
}

TEST(Strategies, Linear) {
  EXPECT_THAT(strategy(Strategy::linear, {{1, 0}, {3, 0}}, 1), ElementsAre(0.25, 0.75));
}

TEST(Strategies, WinnerTakesAll) {
  const std::vector<Submission> field{{0.5, 9}, {0.9, 9}, {0.5, 3}, {0.1, 1}};
  EXPECT_THAT(strategy(Strategy::winner_takes_all, field, 1), ElementsAre(0, 1, 0, 0));
  EXPECT_THAT(strategy(Strategy::winner_takes_all, field, 2), ElementsAre(0, 0.5, 0.5, 0));  // T9: earlier
  EXPECT_THAT(strategy(Strategy::winner_takes_all, field, 3),
              ElementsAre(DoubleEq(1.0 / 3), DoubleEq(1.0 / 3), DoubleEq(1.0 / 3), 0));
  EXPECT_THAT(strategy(Strategy::winner_takes_all, field, 9), ElementsAre(0.25, 0.25, 0.25, 0.25));  // T9
}

TEST(Strategies, Quadratic) {
  EXPECT_THAT(strategy(Strategy::quadratic, {{1, 0}, {3, 0}}, 1), ElementsAre(0.1, 0.9));
  EXPECT_THAT(strategy(Strategy::quadratic, {{1e200, 0}, {3e200, 0}}, 1),
              ElementsAre(DoubleNear(0.1, 1e-12), DoubleNear(0.9, 1e-12)));
}

TEST(Strategies, Ranked) {
  EXPECT_THAT(strategy(Strategy::ranked, {{0.2, 0}, {0.9, 0}, {0.5, 0}}, 1),
              ElementsAre(DoubleEq(1.0 / 6), DoubleEq(3.0 / 6), DoubleEq(2.0 / 6)));
  EXPECT_THAT(strategy(Strategy::ranked, {{0.5, 2}, {0.5, 1}}, 1),
              ElementsAre(DoubleEq(1.0 / 3), DoubleEq(2.0 / 3)));
  EXPECT_THAT(strategy(Strategy::ranked, {{0.5, 0}}, 1), ElementsAre(1));
}

TEST(Strategies, AllZeroScoresGetAllZeroWeights) {
  for (const auto kind :
       {Strategy::linear, Strategy::winner_takes_all, Strategy::quadratic, Strategy::ranked}) {
    EXPECT_THAT(strategy(kind, {{0, 1}, {0, 2}}, 1), ElementsAre(0, 0));
    EXPECT_THAT(strategy(kind, {}, 1), IsEmpty());
  }
}

TEST(Emission, SharesOfTheTotal) {
  EXPECT_THAT(emission(1000, Scores{0.6, 0.4}), ElementsAre(600, 400));
  EXPECT_THAT(emission(0, Scores{0.6}), ElementsAre(0));
}

TEST(Stale, GraceIsReachedExactly) {
  EXPECT_EQ(epochs_stale(110, 100, 10), 0);
  EXPECT_EQ(epochs_stale(111, 100, 10), 1);
  EXPECT_EQ(epochs_stale(109, 100, 10), 0);
  EXPECT_EQ(epochs_stale(5, 100, 10), 0);  // T6: no wrap
  EXPECT_EQ(epochs_stale(5, 100, 0), 0);
  EXPECT_EQ(epochs_stale(0, kMost, kMost), 0);
  EXPECT_EQ(epochs_stale(kMost, 0, 0), kMost);
}

TEST(Burn, Curves) {
  EXPECT_DOUBLE_EQ(burn_percent(Curve::linear, 0.05, 0, 80), 0);
  EXPECT_DOUBLE_EQ(burn_percent(Curve::linear, 0.05, 3, 80), 15);
  EXPECT_DOUBLE_EQ(burn_percent(Curve::linear, 0.05, 16, 80), 80);
  EXPECT_DOUBLE_EQ(burn_percent(Curve::linear, 0.05, 17, 80), 80);
  EXPECT_DOUBLE_EQ(burn_percent(Curve::exponential, 0.05, 0, 80), 0);
  EXPECT_DOUBLE_EQ(burn_percent(Curve::exponential, 0.05, 1, 80), 5);
  EXPECT_DOUBLE_EQ(burn_percent(Curve::exponential, 0.05, 2, 80), 9.75);
  EXPECT_DOUBLE_EQ(burn_percent(Curve::exponential, 0.05, 1000, 80), 80);
  EXPECT_DOUBLE_EQ(burn_percent(Curve::exponential, 1, 0, 80), 0);
  EXPECT_DOUBLE_EQ(burn_percent(Curve::linear, 1, 1e308, 100), 100);
}

TEST(Burn, WeightOfUidZero) {
  EXPECT_DOUBLE_EQ(burn_weight(80), 52428);
  EXPECT_DOUBLE_EQ(burn_weight(0), 0);
  EXPECT_DOUBLE_EQ(burn_weight(100), 65535);
  EXPECT_DOUBLE_EQ(burn_weight(15), 9830.25);
}

std::vector<double> weights(const std::vector<UidWeight>& rows) {
  std::vector<double> out;
  for (const auto& r : rows) out.push_back(r.weight);
  return out;
}

TEST(Burn, AppliedToWholeWeightsKeepsTheSum) {
  const auto out = apply_burn({{1, 40000}, {2, 25535}}, 15, true);
  EXPECT_EQ(out[0].uid, 0);
  EXPECT_EQ(out[1].uid, 1);
  EXPECT_THAT(weights(out), ElementsAre(65535 - 34000 - 21705, 34000, 21705));  // 21704.75 is rounded
  // Uid 0 keeps what it had already.
  EXPECT_THAT(weights(apply_burn({{0, 10}, {1, 90}}, 50, true)), ElementsAre(55, 45));
  EXPECT_THAT(weights(apply_burn({{1, 7}}, 0, true)), ElementsAre(0, 7));
  EXPECT_THAT(weights(apply_burn({{1, 7}}, 100, true)), ElementsAre(7, 0));
  EXPECT_THAT(weights(apply_burn({{1, 1}, {2, 1}}, 50, true)), ElementsAre(0, 1, 1));  // half away from zero
  EXPECT_THAT(weights(apply_burn({}, 50, true)), ElementsAre(0));
}

TEST(Burn, AppliedToFractionsRoundsNothing) {
  EXPECT_THAT(weights(apply_burn({{1, 0.5}, {2, 0.5}}, 20, false)),
              ElementsAre(DoubleNear(0.2, 1e-15), DoubleNear(0.4, 1e-15), DoubleNear(0.4, 1e-15)));
}

TEST(Improvement, TwoPercentInclusive) {
  EXPECT_TRUE(is_improvement(0.5, 0.51, 0.02));
  EXPECT_FALSE(is_improvement(0.5, 0.5099, 0.02));
  EXPECT_TRUE(is_improvement(0.7, 0.714, 0.02));  // 0.7 * 1.02 is above 0.714 in binary
  EXPECT_TRUE(is_improvement(0.1, 0.102, 0.02));
  EXPECT_FALSE(is_improvement(0.5, 0.51 - 1e-9, 0.02));
  EXPECT_TRUE(is_improvement(std::nullopt, 0, 0.02));
  EXPECT_TRUE(is_improvement(0, 1e-9, 0.02));
  EXPECT_FALSE(is_improvement(0, 0, 0.02));
  EXPECT_FALSE(is_improvement(1, 1, 0.02));
  EXPECT_TRUE(is_improvement(1, 1, 0));
  // The tolerance, to the last bit.
  EXPECT_TRUE(is_improvement(1, 1 - 1e-12, 0));
  EXPECT_FALSE(is_improvement(1, 1 - 1.005e-12, 0));
}

}  // namespace
}  // namespace hydra::scoring::term
