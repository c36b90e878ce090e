// Formulas against published values and values that a hand can compute.
#include "league/statistics.hpp"

#include "league/bradley_terry.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace hydra::league {
namespace {

// Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
TEST(Wilson, Newcombe) {
  struct Case {
    std::int64_t successes, n;
    double low, high;
  };
  for (const auto& [successes, n, low, high] : {Case{81, 263, 0.2553, 0.3662},
                                                {15, 148, 0.0624, 0.1605},
                                                {0, 20, 0, 0.1611},
                                                {1, 29, 0.0061, 0.1718}}) {
    const auto found = wilson(successes, n);
    ASSERT_TRUE(found);
    EXPECT_NEAR(found->front(), low, 5e-5) << successes << "/" << n;
    EXPECT_NEAR(found->back(), high, 5e-5) << successes << "/" << n;
  }
  EXPECT_FALSE(wilson(0, 0));
  EXPECT_EQ(wilson(0, 3)->front(), 0);
  EXPECT_EQ(wilson(3, 3)->back(), 1);
}

TEST(McNemar, ByHand) {
  EXPECT_EQ(mcnemar_exact(0, 0), 1);
  EXPECT_DOUBLE_EQ(mcnemar_exact(3, 3), 1);
  EXPECT_NEAR(mcnemar_exact(1, 8), 2 * (1 + 9) / 512.0, 1e-12);
  EXPECT_NEAR(mcnemar_exact(8, 1), 2 * (1 + 9) / 512.0, 1e-12);
  EXPECT_NEAR(mcnemar_exact(0, 5), 2 / 32.0, 1e-12);
  EXPECT_NEAR(mcnemar_exact(0, 1), 1, 1e-12);
  EXPECT_GT(mcnemar_exact(600, 500), 0);
}

TEST(PassAtK, ByHand) {
  EXPECT_DOUBLE_EQ(*pass_at_k(5, 2, 2), 0.7);  // 1 - C(3,2)/C(5,2)
  EXPECT_DOUBLE_EQ(*pass_all_k(5, 2, 2), 0.1);
  EXPECT_DOUBLE_EQ(*pass_at_k(4, 1, 1), 0.25);
  EXPECT_DOUBLE_EQ(*pass_all_k(4, 1, 1), 0.25);
  EXPECT_EQ(*pass_at_k(3, 1, 3), 1) << "n - c < k";
  EXPECT_EQ(*pass_all_k(3, 2, 3), 0);
  EXPECT_EQ(*pass_at_k(3, 0, 2), 0);
  EXPECT_FALSE(pass_at_k(2, 1, 3));
  EXPECT_FALSE(pass_at_k(2, 1, 0));
}

TEST(BestAtK, ByHand) {
  EXPECT_NEAR(*best_at_k({4, 1, 3, 2}, 2), (2 + 3 + 4 + 3 + 4 + 4) / 6.0, 1e-12);
  EXPECT_NEAR(*best_at_k({4, 1, 3, 2}, 1), 2.5, 1e-12);
  EXPECT_NEAR(*best_at_k({4, 1, 3, 2}, 4), 4, 1e-12);
  EXPECT_FALSE(best_at_k({4, 1}, 3));
}

TEST(PairedBootstrap, AConstantDifferenceIsCertain) {
  const std::vector<std::pair<double, double>> tasks{{10, 8}, {7, 5}, {3, 1}};
  const auto found = paired_bootstrap(tasks, 200);
  EXPECT_DOUBLE_EQ(found.mean, 2);
  ASSERT_TRUE(found.interval);
  EXPECT_NEAR(found.interval->front(), 2, 1e-9);
  EXPECT_NEAR(found.interval->back(), 2, 1e-9);
  EXPECT_FALSE(paired_bootstrap(std::vector<std::pair<double, double>>{{1, 2}}, 200).interval);
}

// Agresti, Categorical Data Analysis, 2nd edition (2002), table 10.10: American League 1987, Baltimore 0.
TEST(BradleyTerry, Baseball1987) {
  constexpr std::array<std::array<int, 7>, 7> kWins{{{0, 7, 9, 7, 7, 9, 11},
                                                     {6, 0, 7, 5, 11, 9, 9},
                                                     {4, 6, 0, 7, 7, 8, 12},
                                                     {6, 8, 6, 0, 6, 7, 10},
                                                     {6, 2, 6, 7, 0, 7, 12},
                                                     {4, 4, 5, 6, 6, 0, 6},
                                                     {2, 4, 1, 3, 1, 7, 0}}};
  std::vector<Meeting> meetings;
  for (std::uint32_t a = 0; a < 7; ++a)
    for (auto b = a + 1; b < 7; ++b)
      meetings.push_back({a, b, static_cast<double>(kWins[a][b]), static_cast<double>(kWins[b][a])});
  const auto found = bradley_terry(7, meetings, 0);
  constexpr std::array kPublished{1.58, 1.44, 1.29, 1.25, 1.11, 0.68, 0.0};
  for (std::size_t i = 0; i < 7; ++i) EXPECT_NEAR(found[i] - found[6], kPublished[i], 0.005) << i;
}

TEST(BradleyTerry, WhoWinsEverythingStaysFinite) {
  const auto found = bradley_terry(3, {{0, 1, 10, 0}});
  EXPECT_TRUE(std::isfinite(found[0]) && std::isfinite(found[1]));
  EXPECT_GT(found[0], found[2]) << "who met nobody is average";
  EXPECT_GT(found[2], found[1]);
  EXPECT_NEAR(found[0] + found[1] + found[2], 0, 1e-9);
}

TEST(BradleyTerry, TwoEntriesByHand) {
  // Three of four games and half a virtual one each against 1: by the likelihood's own equations.
  const auto found = bradley_terry(2, {{0, 1, 3, 1}}, 0);
  EXPECT_NEAR(found[0] - found[1], std::log(3.0), 1e-6);
  EXPECT_NEAR(rating(std::log(10.0)) - rating(0), 400, 1e-9);
  EXPECT_EQ(rating(0), 1000);
}

TEST(Strengths, OneTaskHasNoInterval) {
  const auto found = strengths(2, {{{0, 1, 1, 0}}}, 100);
  EXPECT_FALSE(found.interval[0]);
  EXPECT_TRUE(found.resampled.empty());
  const auto none = strengths(2, {}, 100);
  EXPECT_EQ(none.tasks, 0u);
}

}  // namespace
}  // namespace hydra::league
