// The comparison of a result's tests with the base's: every consumer reads it (H17, H18, H27).
#include "evidence.hpp"
#include "random.hpp"
#include "scoring/evaluate.hpp"

#include <gmock/gmock.h>

#include <random>

namespace hydra::scoring {
namespace {

using fixture::agent;
using fixture::baseline;
using fixture::named;
using fixture::report;
using model::CheckStatus;
using model::TestStatus;
using ::testing::ElementsAre;
using ::testing::UnorderedElementsAreArray;

using Names = std::vector<std::pair<std::string, TestStatus>>;

double points(const model::TestReport& base, const model::TestReport& mine) {
  const auto c = compare_tests(base, mine);
  return score_tests(c.base.passed, c.base.total, c.mine.passed, c.mine.total,
                     c.by_name() ? std::optional(c.regressions) : std::nullopt)
      .score;
}

// H27: 3 passed and 2 skipped, as in the base, is all green.
TEST(Comparison, SkippedInBothRunsIsInNoTotal) {
  const Names run{{"a", TestStatus::passed},
                  {"b", TestStatus::passed},
                  {"c", TestStatus::passed},
                  {"d", TestStatus::skipped},
                  {"e", TestStatus::skipped}};
  EXPECT_DOUBLE_EQ(points(named(run), named(run)), 100);
  EXPECT_DOUBLE_EQ(points(report(3, 0, 2), report(3, 0, 2)), 100);
  const auto c = compare_tests(named(run), named(run));
  EXPECT_EQ(c.base.total, 3);
  EXPECT_EQ(c.mine.total, 3);
}

TEST(Comparison, ANewlySkippedTestOfTheBaseIsARegression) {
  const Names base{{"a", TestStatus::passed}, {"b", TestStatus::passed}};
  const Names mine{{"a", TestStatus::passed}, {"b", TestStatus::skipped}};
  const auto c = compare_tests(named(base), named(mine));
  EXPECT_EQ(c.mine.total, 2);
  EXPECT_EQ(c.regressions, 1);
  EXPECT_THAT(c.newly_skipped, ElementsAre("b"));
  // 1 of 2 pass, and 1 of 2 is lost: 50 - 25.
  EXPECT_DOUBLE_EQ(points(named(base), named(mine)), 25);
  EXPECT_DOUBLE_EQ(points(report(2, 0), report(1, 0, 1)), 25);
}

TEST(Comparison, ANewNameThatIsSkippedCountsNowhere) {
  const Names base{{"a", TestStatus::passed}};
  const Names mine{{"a", TestStatus::passed}, {"new", TestStatus::skipped}};
  EXPECT_DOUBLE_EQ(points(named(base), named(mine)), 100);
}

TEST(Comparison, ASkippedTestOfTheBaseThatRunsNowCounts) {
  const Names base{{"a", TestStatus::passed}, {"b", TestStatus::skipped}};
  const auto passes =
      compare_tests(named(base), named({{"a", TestStatus::passed}, {"b", TestStatus::passed}}));
  EXPECT_EQ(passes.mine.total, 2);
  EXPECT_THAT(passes.fixed, ElementsAre("b"));
  EXPECT_EQ(passes.gained, 0) << "no test of the base failed";
  const auto fails =
      compare_tests(named(base), named({{"a", TestStatus::passed}, {"b", TestStatus::failed}}));
  EXPECT_EQ(fails.mine.total, 2);
  EXPECT_EQ(fails.mine.passed, 1);
}

TEST(Comparison, ARemovedTestThatWasSkippedCostsNothing) {
  const Names base{{"a", TestStatus::passed}, {"b", TestStatus::skipped}};
  EXPECT_DOUBLE_EQ(points(named(base), named({{"a", TestStatus::passed}})), 100);
}

TEST(Comparison, ARemovedTestThatWasSkippedHidesNoNewSkip) {
  const Names base{{"a", TestStatus::passed}, {"b", TestStatus::passed}, {"c", TestStatus::skipped}};
  const Names mine{{"a", TestStatus::passed}, {"b", TestStatus::skipped}};
  const auto c = compare_tests(named(base), named(mine));
  EXPECT_EQ(c.base.total, 2);
  EXPECT_EQ(c.mine.total, 2);
  // 1 of 2 pass, and 1 of 2 is lost: 50 - 25.
  EXPECT_DOUBLE_EQ(points(named(base), named(mine)), 25);
}

TEST(Comparison, TotalsOfRunnersThatLeaveOutSkippedTestsStay) {
  auto base = report(3, 0, 2), mine = report(3, 0, 2);
  base.counts.total = mine.counts.total = 3;
  const auto c = compare_tests(base, mine);
  EXPECT_EQ(c.base.total, 3);
  EXPECT_EQ(c.mine.total, 3);
}

TEST(Comparison, SharesByNamesCountsAndExitCode) {
  const auto by_names =
      compare_tests(named({{"a", TestStatus::passed}, {"b", TestStatus::failed}, {"c", TestStatus::error}}),
                    named({{"a", TestStatus::failed}, {"b", TestStatus::passed}, {"c", TestStatus::error}}));
  EXPECT_EQ(by_names.by, ComparedBy::names);
  EXPECT_EQ(by_names.lost, 1);
  EXPECT_EQ(by_names.could_lose, 1);
  EXPECT_EQ(by_names.gained, 1);
  EXPECT_EQ(by_names.could_gain, 2);

  const auto worse = compare_tests(report(10, 0), report(8, 2));
  EXPECT_EQ(worse.by, ComparedBy::counts);
  EXPECT_EQ(worse.lost, 2);
  EXPECT_EQ(worse.could_lose, 10);
  const auto more = compare_tests(report(10, 0), report(12, 0));
  EXPECT_EQ(more.gained, 0) << "a green base has nothing to fix";

  auto base = baseline();
  auto red = agent();
  base.checks.tests->tests.reset();
  red.checks.tests->tests.reset();
  red.checks.tests->status = CheckStatus::failed;
  red.checks.tests->exit_code = 1;
  const auto by_exit = compare_tests(base, red);
  EXPECT_EQ(by_exit.by, ComparedBy::exit_code);
  EXPECT_EQ(by_exit.lost, 1);
  EXPECT_EQ(by_exit.could_lose, 1);
}

TEST(Comparison, ARunThatDoesNotEndComparesWithNothing) {
  auto hangs = agent();
  hangs.checks.tests->status = CheckStatus::timed_out;
  EXPECT_EQ(compare_tests(baseline(), hangs).by, ComparedBy::nothing);
  auto contradicts = agent();
  contradicts.checks.tests->tests->suspicious = {"exit code 0 with 2 failed tests"};
  EXPECT_EQ(compare_tests(baseline(), contradicts).by, ComparedBy::nothing);
}

class RandomComparison : public ::testing::Test {
 protected:
  Names draw() {
    Names run;
    for (char name = 'a'; name <= 'h'; ++name)
      if (random_() % 4 != 0) run.emplace_back(std::string(1, name), static_cast<TestStatus>(random_() % 4));
    if (run.empty()) run.emplace_back("a", TestStatus::passed);
    return run;
  }
  std::mt19937 random_{20261127};
};

TEST_F(RandomComparison, OrderAndRepeatedLinesChangeNothing) {
  for (int i = 0; i < 2000; ++i) {
    const auto base = draw();
    const auto mine = draw();
    auto shuffled = mine;
    std::shuffle(shuffled.begin(), shuffled.end(), random_);
    const auto before = compare_tests(named(base), named(mine));
    const auto after = compare_tests(named(base), named(shuffled));
    EXPECT_EQ(before.fixed, after.fixed);
    EXPECT_EQ(before.broken, after.broken);
    EXPECT_EQ(before.regressions, after.regressions);
    EXPECT_EQ(before.mine.total, after.mine.total);
    EXPECT_DOUBLE_EQ(points(named(base), named(mine)), points(named(base), named(shuffled)));
    // A name that is listed twice with one status is one test.
    shuffled.push_back(mine.front());
    const auto twice = compare_tests(named(base), named(shuffled));
    EXPECT_EQ(before.fixed, twice.fixed);
    EXPECT_EQ(before.regressions, twice.regressions);
    EXPECT_EQ(before.lost, twice.lost);
    EXPECT_EQ(before.gained, twice.gained);
  }
}

// Runs with the same names and without skipped tests: the fixed tests of one direction are the broken ones of
// the other.
TEST_F(RandomComparison, FixedAndBrokenAreSymmetric) {
  for (int i = 0; i < 2000; ++i) {
    Names a, b;
    for (char name = 'a'; name <= 'h'; ++name) {
      a.emplace_back(std::string(1, name), random_() % 2 ? TestStatus::passed : TestStatus::failed);
      b.emplace_back(std::string(1, name), random_() % 2 ? TestStatus::passed : TestStatus::failed);
    }
    const auto there = compare_tests(named(a), named(b)), back = compare_tests(named(b), named(a));
    EXPECT_THAT(there.fixed, UnorderedElementsAreArray(back.broken));
    EXPECT_EQ(there.gained, back.lost);
    EXPECT_EQ(there.could_gain, static_cast<std::int64_t>(a.size()) - there.could_lose);
    // By counts the same runs lose and gain no more than by names.
    auto unnamed_a = named(a), unnamed_b = named(b);
    unnamed_a.tests.clear(), unnamed_b.tests.clear();
    const auto counted = compare_tests(unnamed_a, unnamed_b);
    EXPECT_EQ(counted.by, ComparedBy::counts);
    EXPECT_LE(counted.lost, there.lost);
    EXPECT_LE(counted.gained, there.gained);
    EXPECT_EQ(counted.base.total, there.base.total);
  }
}

}  // namespace
}  // namespace hydra::scoring
