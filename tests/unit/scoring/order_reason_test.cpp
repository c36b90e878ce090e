// Why a row stands above the next: the first difference in the order's key, and the fact behind it.
#include "evidence.hpp"
#include "random.hpp"
#include "scoring/selection.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace hydra::scoring {
namespace {

using namespace fixture;
using model::Cell;
using model::OrderBy;
using model::TestStatus;

constexpr auto kPassed = TestStatus::passed, kFailed = TestStatus::failed;

model::ScoringConfig ordered(model::Order order) {
  auto c = config();
  c.order = order;
  return c;
}
const auto kByEvidence = ordered(model::Order::evidence), kByPoints = ordered(model::Order::composite);

// Why the second row of a race of two stands below the first, which is `above`.
model::OrderReason reason(const model::ScoringConfig& c, const model::BaselineEvidence& base,
                          const std::vector<model::AgentEvidence>& agents, const std::string& above,
                          const model::Matrix& matrix = {}) {
  const auto r = evaluate(c, base, agents, matrix);
  EXPECT_EQ(r.agents[0].agent, above);
  EXPECT_EQ(r.agents[0].reason.by, OrderBy::first);
  EXPECT_EQ(r.agents[1].reason.tied, r.agents[1].rank == 1);
  return r.agents[1].reason;
}

model::AgentEvidence with_tests(const char* name, const model::TestReport& tests, std::int64_t ms = 1000) {
  auto a = agent(name, ms);
  set_tests(a, tests);
  return a;
}

// Two tests of the base that fail, two that pass.
model::TestReport four(TestStatus a, TestStatus b, TestStatus c, TestStatus d) {
  return named({{"a", a}, {"b", b}, {"c", c}, {"d", d}});
}
model::BaselineEvidence red_base() {
  auto base = baseline();
  base.checks.tests->tests = four(kFailed, kFailed, kPassed, kPassed);
  base.checks.tests->status = model::CheckStatus::failed;
  return base;
}

// Tests of `writers`, who saw no result: each has one, with these outcomes on "a" and "b".
model::Matrix written(const std::vector<std::vector<std::pair<Cell, Cell>>>& writers) {
  model::Matrix m;
  m.state = model::Measure::measured;
  for (std::size_t i = 0; i < writers.size(); ++i) {
    const auto name = "writer" + std::to_string(i);
    model::CrossAuthor author{name, model::AuthorKind::tester, {}, "", {}};
    model::CrossRow base{"@baseline", name, {}, ""}, a{"a", name, {}, ""}, b{"b", name, {}, ""};
    for (const auto& [on_a, on_b] : writers[i]) {
      author.tests.push_back({"t" + std::to_string(author.tests.size()), "tests/t", {}, {}});
      base.cells.push_back(Cell::fail);
      a.cells.push_back(on_a);
      b.cells.push_back(on_b);
    }
    m.authors.push_back(author);
    m.rows.insert(m.rows.end(), {base, a, b});
  }
  return m;
}

TEST(OrderReason, EligibilityComesFirst) {
  auto b = agent("b", 10);
  b.doubts = {model::Ineligible::tampered};
  for (const auto& c : {kByEvidence, kByPoints})
    EXPECT_EQ(reason(c, baseline(), {b, agent("a", 90000)}, "a").by, OrderBy::eligible);
}

TEST(OrderReason, HiddenTestsThatTheRowBelowFails) {
  auto a = agent("a", 90000), b = agent("b");
  a.hidden_passed = 5;
  b.hidden_passed = 2;
  b.hidden_failed = 3;
  const auto why = reason(kByEvidence, baseline(), {b, a}, "a");
  EXPECT_EQ(why.by, OrderBy::hidden_tests);
  EXPECT_EQ(why.count, 3);
}

TEST(OrderReason, TestsOfTheBaseThatAreFixedOrBroken) {
  const auto both = with_tests("a", four(kPassed, kPassed, kPassed, kPassed), 90000);
  const auto none = with_tests("b", four(kFailed, kFailed, kPassed, kPassed));
  auto why = reason(kByEvidence, red_base(), {none, both}, "a");
  EXPECT_EQ(why.by, OrderBy::fixed_tests);
  EXPECT_EQ(why.count, 2);
  // a passes 4 of 4, b 2 of 4: 100 and 50 points of tests, none of evidence.
  EXPECT_DOUBLE_EQ(why.points, 50);
  const auto breaks = with_tests("b", four(kPassed, kPassed, kPassed, kFailed));
  why = reason(kByEvidence, red_base(), {breaks, both}, "a");
  EXPECT_EQ(why.by, OrderBy::broken_tests);
  EXPECT_EQ(why.count, 1);
}

TEST(OrderReason, TestsOfOtherAuthors) {
  const std::pair<Cell, Cell> parts{Cell::pass, Cell::fail}, both{Cell::pass, Cell::pass};
  auto why = reason(kByEvidence, baseline(), {agent("b"), agent("a", 90000)}, "a",
                    written({{parts}, {parts}, {both}}));
  EXPECT_EQ(why.by, OrderBy::authors);
  EXPECT_EQ(why.count, 2);
  // Nobody passes all tests of the only author.
  why = reason(kByEvidence, baseline(), {agent("b"), agent("a", 90000)}, "a",
               written({{parts, parts, both, {Cell::fail, Cell::pass}, {Cell::fail, Cell::pass}, parts}}));
  EXPECT_EQ(why.by, OrderBy::others_tests);
  EXPECT_EQ(why.count, 1);
}

// b fixes a test more, but the tests of others put a above.
TEST(OrderReason, NamesTheFactThatDecides) {
  const auto a = with_tests("a", four(kPassed, kFailed, kPassed, kPassed));
  const auto b = with_tests("b", four(kPassed, kPassed, kPassed, kPassed));
  const std::pair<Cell, Cell> parts{Cell::pass, Cell::fail};
  const auto why = reason(kByEvidence, red_base(), {b, a}, "a", written({{parts}, {parts}, {parts}}));
  EXPECT_EQ(why.by, OrderBy::authors);
  EXPECT_EQ(why.count, 3);
  // Tests: 75 and 100. Evidence: 3.5 / 4 and 0.5 / 4 of 100.
  EXPECT_DOUBLE_EQ(why.points, 75 + 87.5 - 100 - 12.5);
}

// Both fail one test of one author, a of an author with four tests, b of one with a single test.
TEST(OrderReason, PointsWithoutAFactBehindThem) {
  const std::pair<Cell, Cell> both{Cell::pass, Cell::pass}, only_b{Cell::fail, Cell::pass};
  const auto why = reason(kByEvidence, baseline(), {agent("b"), agent("a", 90000)}, "a",
                          written({{{Cell::pass, Cell::fail}}, {both, both, both, only_b}}));
  EXPECT_EQ(why.by, OrderBy::evidence);
  // Shares: 1 + 3 / 4 and 0 + 1, of two authors and one more.
  EXPECT_NEAR(why.points, (1.75 - 1) / 3 * 100, 1e-9);
}

TEST(OrderReason, NothingToShow) {
  // Own tests are evidence, but give their author no points.
  model::Matrix m;
  m.state = model::Measure::measured;
  m.authors.push_back({"a", model::AuthorKind::result, {"a"}, "", {{"t", "tests/t", {}, {}}}});
  m.rows = {{"@baseline", "a", {Cell::fail}, ""}, {"a", "a", {Cell::pass}, ""}};
  EXPECT_EQ(reason(kByEvidence, baseline(), {agent("b"), agent("a", 90000)}, "a", m).by,
            OrderBy::nothing_shown);
}

TEST(OrderReason, WhoWaitsStandsBetween) {
  const auto fixer = with_tests("fixer", four(kPassed, kPassed, kPassed, kPassed), 60000);
  const auto useless = with_tests("useless", four(kFailed, kFailed, kPassed, kPassed), 500);
  auto moves = with_tests("moves", four(kPassed, kPassed, kPassed, kPassed), 700);
  moves.undecided = true;
  const auto r = evaluate(kByPoints, red_base(), {useless, moves, fixer});
  ASSERT_EQ(r.agents[0].agent, "fixer");
  ASSERT_EQ(r.agents[1].agent, "moves");
  EXPECT_EQ(r.agents[1].reason.by, OrderBy::undecided);
  EXPECT_FALSE(r.agents[1].reason.tied);
  EXPECT_EQ(r.agents[2].reason.by, OrderBy::nothing_shown);
  // Fewer points than "useless" change nothing.
  moves.capture->diff = {3000, 0, 60};
  moves.duration_ms = 600000;
  set_tests(moves, four(kPassed, kPassed, kFailed, kFailed));
  const auto moved = evaluate(kByPoints, red_base(), {useless, moves, fixer});
  ASSERT_EQ(moved.agents[1].agent, "moves");
  ASSERT_LT(moved.agents[1].score.composite, moved.agents[2].score.composite);
  EXPECT_EQ(moved.agents[2].reason.by, OrderBy::nothing_shown);
}

TEST(OrderReason, ThePartOfTheCompositeThatContributesMost) {
  auto a = agent("a", 20000), b = agent("b", 10000);
  // Speed: b has 50 points more of weight 10. Size: b has 0.6 * 40 fewer of weight 15.
  b.capture->diff = {500, 0, 2};
  auto why = reason(kByPoints, baseline(), {b, a}, "b");
  EXPECT_EQ(why.by, OrderBy::speed);
  EXPECT_NEAR(why.points, 5 - 3.6, 1e-9);
  a.checks.lint->lint = lint(9, 0);  // 90 points fewer of weight 15
  why = reason(kByEvidence, baseline(), {a, b}, "b");
  EXPECT_EQ(why.by, OrderBy::lint);
  EXPECT_FALSE(why.tied);
}

TEST(OrderReason, EqualCompositesAreOrderedByParts) {
  auto c = kByPoints;
  c.weights = {.build = 0, .tests = 0, .lint = 1, .diff_size = 0, .speed = 0};
  const auto a = with_tests("a", report(9, 1), 500), b = with_tests("b", report(10, 0));
  auto why = reason(c, baseline(), {a, b}, "b");
  EXPECT_EQ(why.by, OrderBy::tests);
  EXPECT_EQ(why.points, 0);
  auto small = agent("small"), large = agent("large", 500);
  large.capture->diff = {900, 0, 2};
  EXPECT_EQ(reason(c, baseline(), {large, small}, "small").by, OrderBy::diff_size);
  EXPECT_EQ(reason(c, baseline(), {agent("a"), agent("b", 500)}, "b").by, OrderBy::speed);
}

TEST(OrderReason, TiesSayWhatListsThemFirst) {
  auto why = reason(kByEvidence, baseline(), {agent("a", 5000), agent("b", 1000)}, "b");
  EXPECT_TRUE(why.tied);
  EXPECT_EQ(why.by, OrderBy::speed);
  // 1000 of 5000 ms are 20 points of weight 10.
  EXPECT_DOUBLE_EQ(why.points, 8);
  auto twin = agent("twin", 90000);
  twin.code = "a";
  why = reason(kByEvidence, baseline(), {twin, agent("a")}, "a");
  EXPECT_TRUE(why.tied);
  EXPECT_EQ(why.by, OrderBy::same_code);
  for (const auto& c : {kByEvidence, kByPoints}) {
    why = reason(c, baseline(), {agent("a"), agent("b")}, "a");
    EXPECT_TRUE(why.tied);
    EXPECT_EQ(why.by, OrderBy::listed);
  }
}

// The part of the key that a reason is about; 4: the composite, or a tie.
int part_of(OrderBy by) {
  if (by == OrderBy::eligible) return 0;
  if (by == OrderBy::hidden_tests) return 1;
  if (by >= OrderBy::fixed_tests && by <= OrderBy::evidence) return 2;
  return by == OrderBy::nothing_shown ? 3 : 4;
}

bool same(double a, double b) { return std::abs(a - b) < 5e-10; }

// The first difference of two rows by evidence, as docs/selection.md lists the parts.
int first_part(const model::RankedAgent& above, const model::RankedAgent& below, bool evidence) {
  if (above.eligible != below.eligible) return 0;
  if (!above.eligible) return 4;
  const auto& a = above.confidence.facts;
  const auto& b = below.confidence.facts;
  if ((a.hidden_failed > 0) != (b.hidden_failed > 0)) return 1;
  const auto shows = [](const model::ConfidenceFacts& f) {
    return f.own_tests > 0 || f.tests_passed > 0 || f.fixed > 0 ||
           (f.hidden_passed > 0 && f.hidden_failed == 0);
  };
  // A result that nobody could test and that shows nothing has no more points of evidence than the other.
  const auto untested = [&](const model::ConfidenceFacts& f) {
    return !shows(f) && f.tests_passed + f.tests_failed == 0;
  };
  const auto sum = [&](const model::RankedAgent& row, const model::RankedAgent& other) {
    const auto mine = row.evidence.value_or(0), its = other.evidence.value_or(0);
    const bool less = untested(row.confidence.facts) && !untested(other.confidence.facts);
    return dim(row, model::Dimension::tests).points + (less ? std::min(mine, its) : mine);
  };
  if (evidence && !same(sum(above, below), sum(below, above))) return 2;
  return shows(a) != shows(b) ? 3 : 4;
}

struct RandomRace {
  std::vector<model::AgentEvidence> agents;
  model::BaselineEvidence base;
  model::Matrix matrix;
};

RandomRace random_race(Random& r) {
  const auto cell = [&] { return r.one_in(2) ? Cell::pass : Cell::fail; };
  const auto status = [&] { return r.one_in(3) ? kFailed : kPassed; };
  RandomRace race;
  for (const auto* name : {"a", "b", "c", "d"}) {
    auto a = with_tests(name, four(status(), status(), kPassed, status()));
    if (!race.agents.empty() && r.one_in(4)) {
      a = race.agents.front();
      a.agent = name;
      a.code = "a";
    } else {
      a.capture->diff = {r.upto(800), 0, r.upto(9)};
      if (r.one_in(5)) a.hidden_failed = r.upto(2);
    }
    a.duration_ms = r.upto(60000);
    if (r.one_in(8)) a.doubts.push_back(model::Ineligible::tampered);
    race.agents.push_back(std::move(a));
  }
  if (!r.one_in(3)) race.matrix = written({{{cell(), cell()}}, {{cell(), cell()}}});
  race.base = r.one_in(2) ? red_base() : baseline();
  return race;
}

TEST(OrderReason, AgreesWithTheOrderByEvidence) {
  Random r(23);
  int decided[5] = {}, ties = 0;
  for (int i = 0; i < 2000; ++i) {
    const auto race = random_race(r);
    const auto found = evaluate(kByEvidence, race.base, race.agents, race.matrix);
    for (std::size_t k = 1; k < found.agents.size(); ++k) {
      const auto& above = found.agents[k - 1];
      const auto& below = found.agents[k];
      const auto& why = below.reason;
      const int part = first_part(above, below, found.evidence);
      ASSERT_EQ(part_of(why.by), part);
      ASSERT_EQ(why.tied, above.rank == below.rank);
      if (part == 4 && above.eligible) {
        ASSERT_TRUE(why.tied || why.points > 0) << "ranks differ by something";
      }
      ++decided[part];
      ties += why.tied;
    }
  }
  for (const int n : decided) EXPECT_GT(n, 0) << "each part decides in some race";
  EXPECT_GT(ties, 0);
}

TEST(OrderReason, AgreesWithTheOrderByPoints) {
  Random r(24);
  for (int i = 0; i < 2000; ++i) {
    const auto race = random_race(r);
    const auto found = evaluate(kByPoints, race.base, race.agents, race.matrix);
    for (std::size_t k = 1; k < found.agents.size(); ++k) {
      const auto& above = found.agents[k - 1];
      const auto& below = found.agents[k];
      const auto& why = below.reason;
      ASSERT_EQ(why.by == OrderBy::eligible, above.eligible != below.eligible);
      ASSERT_EQ(why.by == OrderBy::listed, above.rank == below.rank);
      ASSERT_EQ(why.tied, above.rank == below.rank);
      if (why.by == OrderBy::eligible) continue;
      ASSERT_GE(why.by, OrderBy::build);
      const bool equal = same(above.score.composite, below.score.composite);
      ASSERT_EQ(why.points, equal ? 0 : above.score.composite - below.score.composite);
    }
  }
}

}  // namespace
}  // namespace hydra::scoring
