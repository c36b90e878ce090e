// The printed formulas, their boundaries and rulings H1-H3, H8, H9, H15. Expected values are computed by
// hand.
#include "scoring/engine.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace hydra::scoring {
namespace {

using model::DimensionStatus;

model::ScoreBreakdown row(std::array<double, 5> points) {
  model::ScoreBreakdown b;
  for (std::size_t i = 0; i < points.size(); ++i) {
    b.dimensions[i].status = DimensionStatus::scored;
    b.dimensions[i].points = points[i];
  }
  return b;
}

TEST(Composite, WorkedExampleOfTheSpecification) {
  const model::Weights w;
  EXPECT_DOUBLE_EQ(composite(row({100, 95, 90, 75, 80}), w), 91.25);
  EXPECT_DOUBLE_EQ(composite(row({100, 80, 100, 95, 100}), w), 93.25);
  auto cursor = row({0, 0, 0, 60, 70});
  cursor.dimensions[1].status = cursor.dimensions[2].status = DimensionStatus::skipped;
  EXPECT_DOUBLE_EQ(composite(cursor, w), 16.0);
  EXPECT_EQ(format_score(91.25), "91.3");
  EXPECT_EQ(format_score(93.25), "93.3");
  EXPECT_EQ(format_score(16.0), "16.0");
}

TEST(Composite, ThreeStates) {
  const model::Weights w;
  auto b = row({100, 0, 80, 60, 40});
  // Not configured: (3000 + 1200 + 900 + 400) / 70.
  b.dimensions[1].status = DimensionStatus::not_configured;
  EXPECT_DOUBLE_EQ(composite(b, w), 5500.0 / 70.0);
  // Skipped or failed: the weight stays.
  b.dimensions[1].status = DimensionStatus::skipped;
  EXPECT_DOUBLE_EQ(composite(b, w), 55.0);
  b.dimensions[1].status = DimensionStatus::failed;
  EXPECT_DOUBLE_EQ(composite(b, w), 55.0);
  // Points of a dimension that was not scored never count, whatever they hold.
  b.dimensions[1].points = 100;
  EXPECT_DOUBLE_EQ(composite(b, w), 55.0);
}

TEST(Composite, NothingToWeighIsZero) {
  EXPECT_EQ(composite(model::ScoreBreakdown{}, model::Weights{}), 0.0);
  auto b = row({100, 100, 100, 100, 100});
  b.dimensions[0].status = DimensionStatus::not_configured;
  EXPECT_EQ(composite(b, {1, 0, 0, 0, 0}), 0.0);
}

TEST(Composite, ExtremeWeightsStayFinite) {
  const double huge = std::numeric_limits<double>::max();
  EXPECT_DOUBLE_EQ(composite(row({100, 50, 0, 50, 50}), {huge, huge, huge, huge, huge}), 50.0);
  const double tiny = std::numeric_limits<double>::denorm_min();
  EXPECT_DOUBLE_EQ(composite(row({100, 50, 0, 50, 50}), {tiny, tiny, tiny, tiny, tiny}), 50.0);
}

TEST(Tests, PassRateBonusPenalty) {
  // All pass, nothing new.
  EXPECT_DOUBLE_EQ(score_tests(10, 10, 10, 10).score, 100.0);
  // 10 -> 12 tests, 11 pass: 91.666… + 2/12*10, no regression.
  const auto a = score_tests(10, 10, 11, 12);
  EXPECT_DOUBLE_EQ(a.pass_rate, 11.0 / 12.0);
  EXPECT_DOUBLE_EQ(a.bonus, 2.0 / 12.0 * 10);
  EXPECT_DOUBLE_EQ(a.regression_penalty, 0.0);
  EXPECT_DOUBLE_EQ(a.score, 11.0 / 12.0 * 100 + 2.0 / 12.0 * 10);
  // 2 of 10 broken: 80 - 2/10*50 = 70.
  const auto b = score_tests(10, 10, 8, 10);
  EXPECT_DOUBLE_EQ(b.regression_penalty, 10.0);
  EXPECT_DOUBLE_EQ(b.score, 70.0);
  // The bonus is clamped away for an all-pass run (H18).
  EXPECT_DOUBLE_EQ(score_tests(10, 10, 20, 20).score, 100.0);
  // Fewer tests than before give no bonus, and never a negative one.
  EXPECT_DOUBLE_EQ(score_tests(10, 10, 9, 9).bonus, 0.0);
  EXPECT_DOUBLE_EQ(score_tests(10, 10, 9, 9).score, 95.0);
  // Everything lost: 0 - 50, clamped.
  EXPECT_DOUBLE_EQ(score_tests(10, 10, 0, 10).score, 0.0);
}

TEST(Tests, NamedRegressionsReplaceTheDifference) {
  // H17: 3 broken, 3 new passing: the counts alone show no loss.
  EXPECT_DOUBLE_EQ(score_tests(10, 10, 10, 13).regression_penalty, 0.0);
  const auto s = score_tests(10, 10, 10, 13, 3);
  EXPECT_DOUBLE_EQ(s.regression_penalty, 15.0);
  EXPECT_DOUBLE_EQ(s.score, 1000.0 / 13.0 + 30.0 / 13.0 - 15.0);
}

TEST(Tests, EmptyRuns) {
  EXPECT_DOUBLE_EQ(score_tests(0, 0, 0, 0).score, 0.0);    // H8
  EXPECT_DOUBLE_EQ(score_tests(10, 10, 0, 0).score, 0.0);  // H8
  const auto first = score_tests(0, 0, 5, 5);              // H9: no division
  EXPECT_DOUBLE_EQ(first.regression_penalty, 0.0);
  EXPECT_DOUBLE_EQ(first.bonus, 10.0);
  EXPECT_DOUBLE_EQ(first.score, 100.0);
  EXPECT_DOUBLE_EQ(score_tests(0, 4, 1, 4).score, 25.0);
}

TEST(Lint, Formula) {
  EXPECT_DOUBLE_EQ(score_lint(0, 0, 0, 0), 100);
  EXPECT_DOUBLE_EQ(score_lint(0, 0, 0, 2), 96);  // H1: two new warnings cost 4
  EXPECT_DOUBLE_EQ(score_lint(1, 1, 3, 2), 100 - 20 - 2);
  EXPECT_DOUBLE_EQ(score_lint(0, 0, 11, 0), 0);   // clamped
  EXPECT_DOUBLE_EQ(score_lint(5, 5, 0, 0), 100);  // bonus clamped
  EXPECT_DOUBLE_EQ(score_lint(0, 10, 1, 0), 99);  // 10 for the error, 9 resolved
  EXPECT_DOUBLE_EQ(
      score_lint(0, 0, std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::max()),
      0);
}

TEST(Diff, EveryBoundary) {
  EXPECT_DOUBLE_EQ(score_diff_size(0, 0, 0).score, 100);
  EXPECT_DOUBLE_EQ(score_diff_size(60, 40, 1).churn_score, 100);
  EXPECT_DOUBLE_EQ(score_diff_size(61, 40, 1).churn_score, 100 - 0.1);
  EXPECT_DOUBLE_EQ(score_diff_size(300, 0, 1).churn_score, 80);
  EXPECT_DOUBLE_EQ(score_diff_size(250, 250, 1).churn_score, 60);
  EXPECT_DOUBLE_EQ(score_diff_size(501, 0, 1).churn_score, 60 - 0.04);
  EXPECT_DOUBLE_EQ(score_diff_size(1000, 0, 1).churn_score, 40);
  EXPECT_DOUBLE_EQ(score_diff_size(1499, 0, 1).churn_score, 60 - 999.0 / 1000 * 40);
  EXPECT_DOUBLE_EQ(score_diff_size(1500, 0, 1).churn_score, 20);
  EXPECT_DOUBLE_EQ(score_diff_size(1501, 0, 1).churn_score, 20);
  EXPECT_DOUBLE_EQ(score_diff_size(0, 1, 5).file_score, 100);
  EXPECT_DOUBLE_EQ(score_diff_size(0, 1, 6).file_score, 97);
  EXPECT_DOUBLE_EQ(score_diff_size(0, 1, 15).file_score, 70);
  EXPECT_DOUBLE_EQ(score_diff_size(0, 1, 16).file_score, 68);
  EXPECT_DOUBLE_EQ(score_diff_size(0, 1, 35).file_score, 30);
  EXPECT_DOUBLE_EQ(score_diff_size(0, 1, 36).file_score, 30);
  EXPECT_DOUBLE_EQ(score_diff_size(300, 0, 10).score, 80 * 0.6 + 85 * 0.4);
  EXPECT_DOUBLE_EQ(
      score_diff_size(std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::max(), 99)
          .score,
      24);
}

TEST(Speed, RelativeToTheFastest) {
  const auto s = score_speed({36000, 45000, 72000, std::nullopt});
  EXPECT_DOUBLE_EQ(s[0], 100);
  EXPECT_DOUBLE_EQ(s[1], 80);
  EXPECT_DOUBLE_EQ(s[2], 50);
  EXPECT_DOUBLE_EQ(s[3], 0);
  EXPECT_DOUBLE_EQ(score_speed({0, 4})[0], 100);  // clamped to 1 ms
  EXPECT_DOUBLE_EQ(score_speed({0, 4})[1], 25);
  EXPECT_DOUBLE_EQ(score_speed({-5, 2})[1], 50);
  EXPECT_DOUBLE_EQ(score_speed({std::nullopt})[0], 0);
  EXPECT_TRUE(score_speed({}).empty());
}

TEST(Format, HalfUpOnTheDecimalText) {
  const std::pair<double, const char*> cases[] = {{0, "0.0"},
                                                  {0.04, "0.0"},
                                                  {0.05, "0.1"},
                                                  {0.15, "0.2"},
                                                  {0.25, "0.3"},
                                                  {0.35, "0.4"},
                                                  {1.005, "1.0"},
                                                  {9.95, "10.0"},
                                                  {9.949, "9.9"},
                                                  {16, "16.0"},
                                                  {49.95, "50.0"},
                                                  {91.25, "91.3"},
                                                  {93.25, "93.3"},
                                                  {93.24, "93.2"},
                                                  {99.95, "100.0"},
                                                  {99.94, "99.9"},
                                                  {100, "100.0"},
                                                  {1e-9, "0.0"},
                                                  {78.57142857142857, "78.6"},
                                                  {-0.04, "0.0"},
                                                  {-1.25, "-1.3"}};
  for (const auto& [value, text] : cases) EXPECT_EQ(format_score(value), text) << value;
  EXPECT_EQ(format_score(std::nextafter(93.25, 0.0)), "93.2");
  EXPECT_EQ(format_score(std::nan("")), "--");
}

TEST(Format, EveryHundredthRoundsAsADecimalNumber) {
  for (int cents = 0; cents <= 10000; ++cents) {
    const int tenths = (cents + 5) / 10;
    EXPECT_EQ(format_score(cents / 100.0), std::to_string(tenths / 10) + "." + std::to_string(tenths % 10))
        << cents;
  }
}

TEST(Colour, BothEndsOfYellow) {
  EXPECT_EQ(colour(100), Colour::green);
  EXPECT_EQ(colour(std::nextafter(80.0, 100.0)), Colour::green);
  EXPECT_EQ(colour(80), Colour::yellow);
  EXPECT_EQ(colour(50), Colour::yellow);
  EXPECT_EQ(colour(std::nextafter(50.0, 0.0)), Colour::red);
  EXPECT_EQ(colour(0), Colour::red);
}

}  // namespace
}  // namespace hydra::scoring
