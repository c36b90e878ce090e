// Intervals keep their promise: in 2,000 leagues made up with known strengths and rates, 95 % intervals hold
// the truth in 93 to 97 % of the cases, and estimates lie around it.
#include "league/bradley_terry.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace hydra::league {
namespace {

constexpr int kLeagues = 2000;
constexpr std::uint32_t kEntries = 3;

/// Races in which entry i is above j with probability 1 / (1 + exp(s_j - s_i)): the order of noisy strengths.
TaskMeetings races(const std::vector<double>& strength, int count, Random& random) {
  TaskMeetings made;
  for (int race = 0; race < count; ++race) {
    std::vector<double> drawn;
    for (const auto each : strength) drawn.push_back(each - std::log(-std::log(random.unit() + 1e-300)));
    std::vector<Meeting> meetings;
    for (std::uint32_t a = 0; a < drawn.size(); ++a)
      for (auto b = a + 1; b < drawn.size(); ++b)
        meetings.push_back({a, b, drawn[a] > drawn[b] ? 1.0 : 0.0, drawn[a] > drawn[b] ? 0.0 : 1.0});
    made.push_back(std::move(meetings));
  }
  return made;
}

std::vector<double> some_strengths(Random& random) {
  std::vector<double> strength(kEntries);
  double mean = 0;
  for (auto& each : strength) mean += (each = 2 * random.unit() - 1) / kEntries;
  for (auto& each : strength) each -= mean;
  return strength;
}

TEST(Coverage, IntervalsOfStrengthsHoldTheTruth) {
  Random random(20260223);
  int held = 0, asked = 0;
  double error = 0;
  for (int league = 0; league < kLeagues; ++league) {
    const auto truth = some_strengths(random);
    const auto found = strengths(kEntries, races(truth, 30, random), 100);
    for (std::size_t i = 0; i < kEntries; ++i) {
      ASSERT_TRUE(found.interval[i]);
      ++asked;
      held += found.interval[i]->front() <= truth[i] && truth[i] <= found.interval[i]->back() ? 1 : 0;
      error += (found.strength[i] - truth[i]) * (truth[i] > 0 ? 1 : -1);
    }
  }
  const double rate = static_cast<double>(held) / asked;
  EXPECT_GT(rate, 0.93);
  EXPECT_LT(rate, 0.97);
  EXPECT_LT(std::abs(error / asked), 0.05) << "no side is favoured by more than the prior's pull";
}

TEST(Coverage, StrengthsAreRecovered) {
  Random random(7);
  const std::vector<double> truth{1.2, 0.1, -1.3};
  const auto found = strengths(kEntries, races(truth, 20'000, random), 2);
  for (std::size_t i = 0; i < kEntries; ++i) EXPECT_NEAR(found.strength[i], truth[i], 0.05) << i;
}

TEST(Coverage, IntervalsOfRatesHoldTheTruth) {
  Random random(11);
  int held = 0;
  for (int league = 0; league < kLeagues; ++league) {
    const double rate = 0.1 + 0.8 * random.unit();
    const auto n = static_cast<std::int64_t>(20 + random.below(81));
    std::int64_t successes = 0;
    for (std::int64_t i = 0; i < n; ++i) successes += random.unit() < rate ? 1 : 0;
    const auto found = wilson(successes, n);
    held += found->front() <= rate && rate <= found->back() ? 1 : 0;
  }
  EXPECT_GT(held, kLeagues * 93 / 100);
  EXPECT_LT(held, kLeagues * 97 / 100);
}

TEST(Coverage, IntervalsOfPairedDifferencesHoldTheTruth) {
  Random random(13);
  int held = 0;
  for (int league = 0; league < kLeagues; ++league) {
    // Tasks differ far more from each other than two entries on one of them.
    std::vector<std::pair<double, double>> tasks;
    for (int i = 0; i < 25; ++i) {
      const double task = 100 * random.unit();
      tasks.emplace_back(task + 5 + 20 * (random.unit() - 0.5), task + 20 * (random.unit() - 0.5));
    }
    const auto found = paired_bootstrap(tasks, 200);
    held += found.interval->front() <= 5 && 5 <= found.interval->back() ? 1 : 0;
  }
  EXPECT_GT(held, kLeagues * 93 / 100);
  EXPECT_LT(held, kLeagues * 97 / 100);
}

}  // namespace
}  // namespace hydra::league
