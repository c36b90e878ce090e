// The reward's invariants, its adversarial matrix, and rulings R1-R6.
#include "scoring/reward.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace hydra::scoring::reward {
namespace {

using testing::HasSubstr;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kMost = std::numeric_limits<double>::max();

RawResult result(double dealt, double received, bool alive = true, bool wasted = false) {
  RawResult r;
  r.damage_dealt = dealt;
  r.damage_received = received;
  r.is_alive = alive;
  r.action_wasted = wasted;
  return r;
}

TEST(Reward, DefaultWeightsOneByOne) {
  EXPECT_EQ(compute(result(1, 0)).components.damage_dealt_reward, 0.5);
  EXPECT_EQ(compute(result(0, 1)).components.damage_received_penalty, -0.7);
  EXPECT_EQ(compute(result(0, 0)).components.survival_reward, 0.1);
  EXPECT_EQ(compute(result(0, 0, true, true)).components.efficiency_penalty, -0.02);
  EXPECT_EQ(compute(result(0, 0, false)).components.death_penalty, -1.0);
  EXPECT_DOUBLE_EQ(compute(result(2, 1, true, true)).total, 1.0 - 0.7 + 0.1 - 0.02);
}

TEST(Reward, AdversarialMatrix) {
  EXPECT_EQ(compute(result(0, 0)).total, 0.1);            // zero damage loop
  EXPECT_EQ(compute(result(100, 0, false)).total, -1.0);  // kamikaze
  EXPECT_EQ(compute(result(1e10, 0)).total, 2.0);         // damage overflow
  EXPECT_EQ(compute(result(-5, 0)).total, 0.1);           // negative damage
  EXPECT_EQ(compute(result(-5, 0)).components.damage_dealt_reward, 0);
  EXPECT_EQ(compute(result(0, -5)).total, 0.1);
  EXPECT_EQ(compute(result(0, kNaN)).total, 0.1);  // NaN injection
  auto partial = result(1, 0);
  partial.partial_execution = true;
  EXPECT_EQ(compute(partial).total, compute(result(1, 0)).total);
}

TEST(Reward, NothingHappenedIsExactlySurvival) {
  for (const double survival : {0.1, -0.3, 0.0, 2.0, -2.0, 1e-300}) {
    Weights w;
    w.survival = survival;
    EXPECT_EQ(compute(result(0, 0), w).total, survival);
    EXPECT_EQ(compute(result(-1, -1), w).total, survival);
    EXPECT_EQ(compute(result(-0.0, -0.0), w).total, survival);
  }
}

TEST(Reward, NoNegativeZero) {
  Weights w;
  w.survival = -0.0;
  const auto r = compute(result(0, 0), w);
  for (const double v :
       {r.total, r.components.damage_dealt_reward, r.components.damage_received_penalty,
        r.components.survival_reward, r.components.death_penalty, r.components.efficiency_penalty})
    EXPECT_FALSE(std::signbit(v));
}

TEST(Reward, DeathDominates) {
  const auto r = compute(result(100, 1, false, true));
  EXPECT_EQ(r.components.damage_dealt_reward, 0);
  EXPECT_EQ(r.components.survival_reward, 0);
  EXPECT_DOUBLE_EQ(r.total, -1.0 - 0.7 - 0.02);
  EXPECT_EQ(compute(result(0, 100, false)).total, -2.0);
  Weights w;
  w.death_penalty = -2;
  EXPECT_EQ(compute(result(100, 0, false), w).total, -2.0);
}

TEST(Reward, BothBounds) {
  EXPECT_EQ(compute(result(0, 1e10)).total, -2.0);
  EXPECT_EQ(compute(result(kMost, kMost)).total, 0.5 * kMost > 0.7 * kMost ? 2.0 : -2.0);
  EXPECT_DOUBLE_EQ(compute(result(3.7, 0)).total, 1.95);
  EXPECT_DOUBLE_EQ(compute(result(3.8, 0)).total, 2.0);
  Weights w;
  w.damage_dealt = kMost;
  w.damage_received = -kMost;
  w.wasted_action = -kMost;
  for (const double dealt : {0.0, kMost})
    for (const double received : {0.0, kMost})
      for (const bool alive : {true, false}) {
        const auto r = compute(result(dealt, received, alive, true), w);
        EXPECT_TRUE(r.total >= -2 && r.total <= 2) << r.total;
        EXPECT_TRUE(std::isfinite(r.components.damage_dealt_reward));
        EXPECT_TRUE(std::isfinite(r.components.damage_received_penalty));
      }
}

TEST(Reward, MissingNumbersAreZeroAndMissingFlagsAreFalse) {
  RawResult r;
  r.is_alive = true;
  EXPECT_FALSE(compute(r).violation);
  EXPECT_EQ(compute(r).total, 0.1);
  EXPECT_EQ(compute(r).warning, "");
}

TEST(Reward, InfinityCountsAsZeroWithAWarning) {
  const auto r = compute(result(kInfinity, -kInfinity));
  EXPECT_EQ(r.total, 0.1);
  EXPECT_FALSE(r.violation);
  EXPECT_EQ(r.warning,
            "damage_dealt is not finite and counts as 0; damage_received is not finite and counts as 0");
}

TEST(Reward, BrokenContractsAreCritical) {
  const auto broken = [](auto change) {
    RawResult r = result(1, 1, false, true);  // dead: malformed decides first (R6)
    r.partial_execution = false;
    change(r);
    const auto out = compute(r);
    EXPECT_TRUE(out.violation);
    EXPECT_EQ(out.total, 0);
    EXPECT_EQ(out.components.death_penalty, 0);
    EXPECT_EQ(out.components.damage_received_penalty, 0);
    return out.warning;
  };
  EXPECT_THAT(broken([](RawResult& r) { r.is_object = false; }), HasSubstr("object"));
  EXPECT_THAT(broken([](RawResult& r) { r.contradictory = true; }), HasSubstr("twice"));
  for (const Member& bad : {Member(Missing{}), Member(WrongType{}), Member(1.0)})
    EXPECT_THAT(broken([&](RawResult& r) { r.is_alive = bad; }), HasSubstr("is_alive"));
  for (const Member& bad : {Member(WrongType{}), Member(true)}) {
    EXPECT_THAT(broken([&](RawResult& r) { r.damage_dealt = bad; }), HasSubstr("damage_dealt"));
    EXPECT_THAT(broken([&](RawResult& r) { r.damage_received = bad; }), HasSubstr("damage_received"));
  }
  for (const Member& bad : {Member(WrongType{}), Member(1.0)}) {
    EXPECT_THAT(broken([&](RawResult& r) { r.action_wasted = bad; }), HasSubstr("action_wasted"));
    EXPECT_THAT(broken([&](RawResult& r) { r.partial_execution = bad; }), HasSubstr("partial_execution"));
  }
}

TEST(RewardWeights, EveryBoundaryOfTheInvariants) {
  const auto where = [](auto change) {
    Weights w;
    change(w);
    const auto r = check_weights(w);
    return r ? std::string("good") : r.error().where;
  };
  EXPECT_EQ(where([](Weights&) {}), "good");
  EXPECT_EQ(where([](Weights& w) { w.death_penalty = -2; }), "good");
  EXPECT_EQ(where([](Weights& w) { w.death_penalty = -2.0001; }), "death_penalty");
  EXPECT_EQ(where([](Weights& w) { w.death_penalty = -0.9999; }), "death_penalty");
  EXPECT_EQ(where([](Weights& w) { w.survival = 2, w.wasted_action = 0, w.damage_received = 0; }), "good");
  EXPECT_EQ(where([](Weights& w) { w.survival = -2, w.damage_dealt = 0; }), "good");
  EXPECT_EQ(where([](Weights& w) { w.survival = 2.0001; }), "survival");
  EXPECT_EQ(where([](Weights& w) { w.survival = -2.0001; }), "survival");
  EXPECT_EQ(where([](Weights& w) { w.damage_dealt = -1e-9; }), "damage_dealt");
  EXPECT_EQ(where([](Weights& w) { w.damage_received = 1e-9; }), "damage_received");
  EXPECT_EQ(where([](Weights& w) { w.wasted_action = 1e-9; }), "wasted_action");
  for (const double bad : {kNaN, kInfinity, -kInfinity}) {
    EXPECT_EQ(where([&](Weights& w) { w.damage_dealt = bad; }), "damage_dealt");
    EXPECT_EQ(where([&](Weights& w) { w.damage_received = bad; }), "damage_received");
    EXPECT_EQ(where([&](Weights& w) { w.survival = bad; }), "survival");
    EXPECT_EQ(where([&](Weights& w) { w.wasted_action = bad; }), "wasted_action");
    EXPECT_EQ(where([&](Weights& w) { w.death_penalty = bad; }), "death_penalty");
  }
}

}  // namespace
}  // namespace hydra::scoring::reward
