// Edges of the evidence that no table of formulas reaches: absent numbers, zero terms, notes.
#include "evidence.hpp"
#include "scoring/arena.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hydra::scoring {
namespace {

using namespace fixture;
using model::Dimension;
using testing::Contains;
using testing::Not;

model::DimensionScore tests_of(model::TestCounts counts) {
  auto a = agent();
  set_tests(a, report(0, 0));
  a.checks.tests->tests->counts = counts;
  return score_agent(config(), baseline(), a).dimensions[model::index(Dimension::tests)];
}

TEST(Edges, APassedCheckWithoutAnExitCodePassed) {
  auto a = agent();
  a.checks.build->exit_code.reset();
  EXPECT_EQ(score_agent(config(), baseline(), a).dimensions[0].points, 100);
}

TEST(Edges, AnUnknownTotalIsTheSumOfWhatIsKnown) {
  EXPECT_EQ(term(tests_of({8, 2, std::nullopt, std::nullopt, std::nullopt}), "agent_total"), 10);
  EXPECT_EQ(term(tests_of({8, std::nullopt, std::nullopt, 3, std::nullopt}), "agent_total"), 11);
  EXPECT_EQ(term(tests_of({8, 2, 1, 3, std::nullopt}), "agent_total"), 14);
  EXPECT_EQ(term(tests_of({8, 2, 1, 3, 20}), "agent_total"), 20);
}

TEST(Edges, TermsOfLintAreZeroWhereNothingChanged) {
  const auto scores = score_agent(config(), baseline(), agent());
  const auto& d = scores.dimensions[model::index(Dimension::lint)];
  EXPECT_EQ(term(d, "new_errors"), 0);
  EXPECT_EQ(term(d, "new_warnings"), 0);
  EXPECT_EQ(term(d, "resolved_issues"), 0);
}

TEST(Edges, ABaselineThatDoesNotBuildIsSaid) {
  auto base = baseline();
  EXPECT_THAT(evaluate(config(), base, {agent()}).notes, Not(Contains("baseline does not build")));
  base.checks.build = check(Dimension::build, model::CheckStatus::failed);
  EXPECT_THAT(evaluate(config(), base, {agent()}).notes, Contains("baseline does not build"));
}

TEST(Edges, TheBestEpisodeMayBeTheFirstAndMayBeNegative) {
  const arena::Episode good{true, 1, 1, 0, 0, 0, 0}, bad{false, 1, 1, 0, 0, 0, 0};
  EXPECT_EQ(arena::aggregate({good, bad})->best_index, 0U);
  const arena::Episode endless{false, 1, 1, 0, 1'000'000, 0, 0}, longer{false, 1, 1, 0, 2'000'000, 0, 0};
  EXPECT_EQ(arena::aggregate({endless, longer})->best_score, 11'000 - 100'000);
  EXPECT_EQ(arena::aggregate({longer, endless})->best_index, 1U);
}

TEST(Edges, CompositesStayWithinTheirBounds) {
  model::ScoreBreakdown b;
  b.dimensions[0].status = model::DimensionStatus::scored;
  b.dimensions[0].points = 150;
  EXPECT_EQ(composite(b, {}), 100);
  b.dimensions[0].points = -50;
  EXPECT_EQ(composite(b, {}), 0);
}

TEST(Edges, NamesThatOccurTwiceCountWithTheirWorstStatus) {
  using model::TestStatus;
  const auto base = named({{"a", TestStatus::passed}, {"b", TestStatus::passed}});
  const auto same = compare_tests(base, base);
  EXPECT_TRUE(same.by_name());
  EXPECT_EQ(same.regressions, 0);
  const auto skipped = compare_tests(
      base, named({{"a", TestStatus::passed}, {"a", TestStatus::skipped}, {"b", TestStatus::passed}}));
  EXPECT_EQ(skipped.regressions, 1);
  EXPECT_THAT(skipped.newly_skipped, Contains("a"));
  const auto failed = compare_tests(
      base, named({{"a", TestStatus::skipped}, {"a", TestStatus::failed}, {"b", TestStatus::passed}}));
  EXPECT_THAT(failed.broken, Contains("a"));
  EXPECT_EQ(compare_tests(base, named({{"a", TestStatus::passed}})).regressions, 1);
}

TEST(Edges, OneTestIsEnoughForRateAndPenalty) {
  EXPECT_EQ(score_tests(1, 1, 1, 1).score, 100);
  EXPECT_EQ(score_tests(1, 1, 0, 1).regression_penalty, 50);
  // Impossible counts never leave the bounds of the parts.
  EXPECT_EQ(score_tests(10, 10, 12, 10).pass_rate, 1);
  EXPECT_EQ(score_tests(10, 10, 0, 10, 20).regression_penalty, 50);
}

TEST(Edges, BuildsScoreHundredOrNothing) {
  EXPECT_EQ(score_build({0, {}}).score, 100);
  EXPECT_EQ(score_build({1, {}}).score, 0);
  EXPECT_EQ(score_build({0, 9}).score, 0);
  EXPECT_EQ(score_build({{}, {}}).score, 0);
  CommandEnd late{0, {}};
  late.timed_out = true;
  EXPECT_FALSE(score_build(late).passed);
  CommandEnd never{0, {}};
  never.spawn_error = true;
  EXPECT_FALSE(score_build(never).passed);
}

TEST(Edges, TermsOfSpeedAreClampedToo) {
  const auto ranking = evaluate(config(), baseline(), {agent("quick", 0)});
  const auto& d = dim(ranking.agents[0], Dimension::speed);
  EXPECT_EQ(term(d, "duration_ms"), 1);
  EXPECT_EQ(term(d, "fastest_ms"), 1);
}

TEST(Edges, TiesAreABillionthOfAPointAndAMillisecondWide) {
  Contender a;
  a.composite = 50;
  auto b = a;
  b.composite = 50 + 0.497e-9;
  EXPECT_TRUE(tied(a, b));
  b.composite = 50 + 0.6e-9;
  EXPECT_FALSE(tied(a, b));
  b = a;
  a.duration_ms = 0.5;
  b.duration_ms = 1;
  EXPECT_TRUE(tied(a, b));
  b.duration_ms = 1.005;
  EXPECT_FALSE(tied(a, b));
}

TEST(Edges, ATotalBelowOneIsNoNegativeNumber) { EXPECT_EQ(arena::format_total(0.75), "1"); }

}  // namespace
}  // namespace hydra::scoring
