// The number beside a word of confidence: only from enough races, and right about simulated leagues.
#include "league/calibration.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

namespace {

using namespace hydra::league;

/// Races in which a result of each word is good with the probability that belongs to it.
std::vector<KnownOutcome> simulated(std::uint32_t races, const std::map<std::string, double>& truth,
                                    std::uint64_t seed) {
  Random random(seed);
  std::vector<KnownOutcome> outcomes;
  for (std::uint32_t race = 0; race < races; ++race)
    for (const auto& [word, chance] : truth) outcomes.push_back({race, word, random.unit() < chance});
  return outcomes;
}

TEST(Calibration, SaysNothingBelowThirtyRaces) {
  std::vector<KnownOutcome> outcomes;
  for (std::uint32_t race = 0; race < 29; ++race)
    for (int i = 0; i < 4; ++i) outcomes.push_back({race, "good", true});  // many results of few races
  EXPECT_FALSE(calibrate(outcomes).enough);
  EXPECT_EQ(calibrate(outcomes).races, 29);
  EXPECT_EQ(calibrate(outcomes).of("good"), nullptr);
  outcomes.push_back({29, "good", false});
  const auto found = calibrate(outcomes);
  ASSERT_NE(found.of("good"), nullptr);
  EXPECT_EQ(found.of("good")->n, 117);
  EXPECT_EQ(found.of("good")->good, 116);
  EXPECT_EQ(found.of("some"), nullptr) << "a word that was never seen has no number";
  EXPECT_FALSE(calibrate({}).enough);
  EXPECT_EQ(calibrate({}).brier, 0);
}

TEST(Calibration, PeopleKnowBeforeMergesDo) {
  constexpr std::int64_t kDay = 86'400'000;
  EXPECT_EQ(known_outcome({0.75, {}, true}, 0, 14), true);
  EXPECT_EQ(known_outcome({0.25, std::int64_t{0}, false}, 100 * kDay, 14), false);
  EXPECT_EQ(known_outcome({0.5, {}, true}, 0, 14), false) << "three of five says nothing";
  EXPECT_EQ(known_outcome({{}, std::int64_t{0}, false}, 14 * kDay, 14), true);
  EXPECT_EQ(known_outcome({{}, std::int64_t{0}, false}, 14 * kDay - 1, 14), std::nullopt);
  EXPECT_EQ(known_outcome({}, 100 * kDay, 14), std::nullopt);
}

TEST(Calibration, AForecastDoesNotKnowItsOwnRace) {
  // Two races of one result each: the other one alone makes the forecast, (1 + 1) / (1 + 2) and (0 + 1) / 3.
  const auto found = calibrate({{0, "some", true}, {1, "some", false}});
  const double wrong_way = 1.0 / 3, other = 2.0 / 3;
  EXPECT_NEAR(found.brier, (std::pow(wrong_way - 1, 2) + std::pow(other - 0, 2)) / 2, 1e-12);
}

TEST(Calibration, FindsTheSharesOfSimulatedLeagues) {
  const std::map<std::string, double> truth{
      {"confirmed", 0.95}, {"good", 0.8}, {"some", 0.55}, {"no evidence", 0.2}};
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    constexpr std::uint32_t kRaces = 4000;
    const auto found = calibrate(simulated(kRaces, truth, seed));
    ASSERT_TRUE(found.enough);
    double expected = 0;
    for (const auto& [word, chance] : truth) {
      const auto* word_found = found.of(word);
      ASSERT_NE(word_found, nullptr);
      const double sigma = std::sqrt(chance * (1 - chance) / kRaces);
      EXPECT_NEAR(word_found->share, chance, 5 * sigma) << word << " seed " << seed;
      EXPECT_LE(word_found->interval.front(), word_found->share);
      EXPECT_GE(word_found->interval.back(), word_found->share);
      expected += chance * (1 - chance) / static_cast<double>(truth.size());
    }
    // The rest of the error is the coin in each result.
    EXPECT_NEAR(found.brier, expected, 0.01) << seed;
  }
}

// The interval that is shown holds as often as it says.
TEST(Calibration, IntervalsCoverTheTruth) {
  constexpr int kLeagues = 2000;
  int covered = 0;
  for (int i = 0; i < kLeagues; ++i) {
    const auto found = calibrate(simulated(60, {{"good", 0.7}}, static_cast<std::uint64_t>(i) + 1));
    const auto& interval = found.of("good")->interval;
    covered += interval.front() <= 0.7 && 0.7 <= interval.back() ? 1 : 0;
  }
  EXPECT_GE(covered, kLeagues * 93 / 100);
  EXPECT_LE(covered, kLeagues * 97 / 100);
}

}  // namespace
