// Ranking with [evaluation] order = "evidence" (rulings H23 to H26).
#include "evidence.hpp"
#include "random.hpp"
#include "scoring/selection.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace hydra::scoring {
namespace {

using namespace fixture;
using model::Cell;
using model::TestStatus;
using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> names(const model::Ranking& r) {
  std::vector<std::string> out;
  for (const auto& a : r.agents) out.push_back(a.agent);
  return out;
}
std::vector<int> ranks(const model::Ranking& r) {
  std::vector<int> out;
  for (const auto& a : r.agents) out.push_back(a.rank);
  return out;
}
TEST(EvidenceOrder, ATrueFixStandsBeforeAFastWrongOne) {
  const auto fix = agent("fix", 60000), wrong = agent("wrong", 9000), idle = agent("idle", 1000);
  const auto m = one_author("fix", {{"wrong", Cell::fail}, {"idle", Cell::fail}});
  const auto r = evaluate(by_evidence(), baseline(), {idle, wrong, fix}, m);
  EXPECT_EQ(r.winner, "fix");
  EXPECT_TRUE(r.evidence);
  EXPECT_EQ(r.points_winner, "idle");
  // The only voice is one test that nobody else passes: half weight, share 0, for its author the others'
  // mean.
  EXPECT_DOUBLE_EQ(*row_of(r, "fix").evidence, 0.5 / 1.5 * 100);
  EXPECT_DOUBLE_EQ(*row_of(r, "wrong").evidence, 0.5 / 1.5 * 100);
  EXPECT_EQ(r.decision, model::RaceDecision::winner) << "nobody else shows anything";
  EXPECT_EQ(name(row_of(r, "fix").confidence.word), "own word only");
  EXPECT_EQ(name(row_of(r, "wrong").confidence.word), "disputed");
  // The plain order is as it was, whatever is known.
  const auto plain = evaluate(config(), baseline(), {idle, wrong, fix}, m);
  EXPECT_THAT(names(plain), ElementsAre("idle", "wrong", "fix"));
  EXPECT_EQ(plain.points_winner, "");
  for (const auto& a : plain.agents) EXPECT_EQ(a.score.composite, row_of(r, a.agent).score.composite);
}

// H33: the two are compared by tests of others, of which there are none; who tests stands first.
TEST(EvidenceOrder, WhoBringsTestsStandsBeforeWhoOnlyPassesThem) {
  const auto m = one_author("a", {{"b", Cell::pass}, {"c", Cell::fail}});
  const auto r = evaluate(by_evidence(), baseline(), {agent("b"), agent("a", 90000), agent("c")}, m);
  EXPECT_THAT(names(r), ElementsAre("a", "b", "c"));
  EXPECT_EQ(r.agents[1].reason.by, model::OrderBy::own_tests);
  EXPECT_EQ(name(row_of(r, "b").confidence.word), "some");
  EXPECT_EQ(r.decision, model::RaceDecision::tie);
  EXPECT_THAT(r.decision_with, ElementsAre("b"));
  EXPECT_THAT(auto_merge_hold(r), testing::StartsWith("held: ")) << "nothing tied is merged by itself";
}

// Results with the same code share one place, and the result with the tests is merged.
TEST(EvidenceOrder, ResultsOfOneProductSharePointsAndWord) {
  auto tested = agent("tested", 90000), bare = agent("bare", 100), wrong = agent("wrong", 200);
  tested.product = bare.product = "right";
  wrong.product = "wrong";
  auto m = one_author("tested", {{"bare", Cell::pass}, {"wrong", Cell::fail}});
  m.authors.front().same_product = {"bare"};
  const auto r = evaluate(by_evidence(), baseline(), {bare, wrong, tested}, m);
  EXPECT_THAT(names(r), ElementsAre("tested", "bare", "wrong"));
  EXPECT_EQ(row_of(r, "bare").evidence, row_of(r, "tested").evidence);
  EXPECT_EQ(name(row_of(r, "bare").confidence.word), "own word only");
  EXPECT_EQ(name(row_of(r, "tested").confidence.word), "own word only");
  EXPECT_THAT(row_of(r, "bare").confidence.text,
              testing::HasSubstr("only 1 test that another result with this code adds fails"));
  EXPECT_EQ(r.agents[1].reason.by, model::OrderBy::own_tests);
  EXPECT_EQ(r.decision, model::RaceDecision::winner) << "one product does not tie with itself";
  EXPECT_THAT(row_of(r, "tested").confidence.facts.rivals, IsEmpty());
}

model::Matrix two_authors(Cell b_on_a, Cell a_on_b) {
  auto m = one_author("a", {{"b", b_on_a}});
  const auto other = one_author("b", {{"a", a_on_b}});
  m.authors.push_back(other.authors.front());
  m.authors.back().tests.front().name = "u";
  m.rows.insert(m.rows.end(), other.rows.begin(), other.rows.end());
  return m;
}

// H34: each fails a test of the other, and nobody else has spoken.
TEST(EvidenceOrder, ADisputeHasNoWinner) {
  const auto r = evaluate(by_evidence(), baseline(), {agent("a"), agent("b", 90000), agent("idle", 1)},
                          two_authors(Cell::fail, Cell::fail));
  EXPECT_EQ(r.winner, "");
  EXPECT_EQ(r.decision, model::RaceDecision::undecided);
  EXPECT_THAT(names(r), ElementsAre("a", "b", "idle"));
  EXPECT_THAT(r.decision_with, ElementsAre("a", "b"));
  EXPECT_EQ(decision_text(r), "undecided between a and b: each fails a valid test of the other");
  EXPECT_FALSE(r.auto_merge);
  // The document's order knows no dispute.
  const auto plain =
      evaluate(config(), baseline(), {agent("a"), agent("b", 90000)}, two_authors(Cell::fail, Cell::fail));
  EXPECT_EQ(plain.winner, "a");
  EXPECT_EQ(plain.decision, model::RaceDecision::winner);
}

TEST(EvidenceOrder, AThirdAuthorDecidesADispute) {
  auto m = two_authors(Cell::fail, Cell::fail);
  const auto third = one_author("c", {{"a", Cell::fail}, {"b", Cell::pass}});
  m.authors.push_back(third.authors.front());
  m.authors.back().tests.front().name = "v";
  m.rows.insert(m.rows.end(), third.rows.begin(), third.rows.end());
  m.rows.push_back({"c", "a", {Cell::fail}, ""});
  m.rows.push_back({"c", "b", {Cell::pass}, ""});
  const auto r = evaluate(by_evidence(), baseline(), {agent("a"), agent("b", 90000), agent("c", 91000)}, m);
  EXPECT_EQ(r.agents.back().agent, "a");
  EXPECT_NE(r.winner, "");
}

TEST(EvidenceOrder, AmongEqualsSizeComesBeforeSpeed) {
  auto a = agent("a", 100), b = agent("b", 90000);
  a.capture->diff = {900, 0, 9};
  const auto r = evaluate(by_evidence(), baseline(), {a, b}, two_authors(Cell::pass, Cell::pass));
  EXPECT_THAT(names(r), ElementsAre("b", "a"));
  EXPECT_EQ(r.agents[1].reason.by, model::OrderBy::diff_size);
  EXPECT_EQ(r.decision, model::RaceDecision::tie);
  EXPECT_EQ(decision_text(r), "tied with a (picked by size)");
}

// A test that nobody shows to be heard is no merit among equals, and no more than that.
TEST(EvidenceOrder, AmongEqualsTheProvenStandsFirstAndTheTieIsSaid) {
  auto loud = agent("loud", 90000), mute = agent("mute", 100);
  mute.unproven = true;
  const auto r = evaluate(by_evidence(), baseline(), {mute, loud},
                          one_author("c", {{"mute", Cell::pass}, {"loud", Cell::pass}}));
  EXPECT_THAT(names(r), ElementsAre("loud", "mute"));
  EXPECT_EQ(r.agents[1].reason.by, model::OrderBy::unproven);
  EXPECT_EQ(r.decision, model::RaceDecision::tie);
  EXPECT_EQ(decision_text(r), "tied with mute (picked by proven tests)");
  EXPECT_TRUE(row_of(r, "mute").eligible);
  const auto told = evaluate(by_evidence(), baseline(), {loud, mute},
                             one_author("c", {{"mute", Cell::pass}, {"loud", Cell::fail}}));
  EXPECT_EQ(told.winner, "mute") << "tests of others say more";
  // Without evidence no points of size or speed lift the unproven one, and tests do.
  const auto silent = evaluate(by_evidence(), baseline(), {mute, loud}, {});
  EXPECT_EQ(silent.winner, "loud");
  EXPECT_EQ(silent.decision, model::RaceDecision::tie);
  set_tests(loud, report(5, 5));
  EXPECT_EQ(evaluate(by_evidence(), baseline(), {loud, mute}, {}).winner, "mute");
}

// H35: no interface for anybody's tests is no merit.
TEST(EvidenceOrder, WhoRunsNobodysTestsStandsBehindWhoShowsSomething) {
  auto m = one_author("a", {{"b", Cell::fail}, {"far", Cell::no_contact}, {"away", Cell::no_contact}});
  const auto second =
      one_author("w", {{"b", Cell::pass}, {"far", Cell::no_contact}, {"away", Cell::no_contact}});
  m.authors.push_back(second.authors.front());
  m.authors.back().tests.front().name = "u";
  m.rows.insert(m.rows.end(), second.rows.begin(), second.rows.end());
  const auto r = evaluate(by_evidence(), baseline(),
                          {agent("far", 1), agent("away", 2), agent("b", 90000), agent("a", 90000)}, m);
  EXPECT_THAT(names(r), ElementsAre("b", "a", "far", "away")) << "w, who takes no part, speaks for b";
  EXPECT_EQ(r.agents[2].reason.by, model::OrderBy::nothing_shown);
}

TEST(EvidenceOrder, TestsAndEvidenceCountAlike) {
  // a breaks half of the base's tests and passes c's test: 0.5 * 100 - 0.5 * 50 = 25 and 75, in all 100.
  // b breaks none and fails it: 100 and 25, in all 125.
  auto a = agent("a");
  set_tests(a, report(5, 5));
  const auto m = one_author("c", {{"a", Cell::pass}, {"b", Cell::fail}});
  const auto r = evaluate(by_evidence(), baseline(), {a, agent("b"), agent("c")}, m);
  EXPECT_THAT(names(r), ElementsAre("c", "b", "a"));
}

TEST(EvidenceOrder, WhoFixesATestOfTheBaseStandsBeforeWhoDoesNot) {
  auto base = baseline();
  base.checks.tests->tests = named({{"a", TestStatus::passed}, {"b", TestStatus::failed}});
  auto fixer = agent("fixer", 60000), useless = agent("useless", 500);
  set_tests(fixer, named({{"a", TestStatus::passed}, {"b", TestStatus::passed}}));
  set_tests(useless, named({{"a", TestStatus::passed}, {"b", TestStatus::failed}}));
  const auto r = evaluate(by_evidence(), base, {useless, fixer});
  EXPECT_EQ(r.winner, "fixer");
  EXPECT_EQ(name(row_of(r, "fixer").confidence.word), "some");
  EXPECT_EQ(row_of(r, "fixer").confidence.facts.fixed, 1);
  EXPECT_EQ(row_of(r, "useless").confidence.facts.left_failing, 1);
  EXPECT_EQ(name(row_of(r, "useless").confidence.word), "disputed");
}

// The base's tests could not be loaded on it: its own word stands behind who passes them, before who passes
// nothing, however many points it has.
TEST(EvidenceOrder, WhoNeedsADecisionStandsBetween) {
  auto base = baseline();
  base.checks.tests->tests = named({{"a", TestStatus::passed}, {"b", TestStatus::failed}});
  base.checks.tests->status = model::CheckStatus::failed;
  auto fixer = agent("fixer", 60000), useless = agent("useless", 500), moves = agent("moves", 700);
  set_tests(fixer, named({{"a", TestStatus::passed}, {"b", TestStatus::passed}}));
  set_tests(useless, named({{"a", TestStatus::passed}, {"b", TestStatus::failed}}));
  set_tests(moves, named({{"a", TestStatus::passed}, {"b", TestStatus::passed}}));
  moves.undecided = true;
  moves.hold_merge = true;
  for (const auto& by : {by_evidence(), config()}) {
    const auto r = evaluate(by, base, {useless, moves, fixer});
    EXPECT_THAT(names(r), ElementsAre("fixer", "moves", "useless"));
    EXPECT_THAT(ranks(r), ElementsAre(1, 2, 3));
    EXPECT_EQ(row_of(r, "moves").confidence.facts.fixed, 0) << "that is its own word";
  }
  const auto alone = evaluate(by_evidence(), base, {useless, moves});
  EXPECT_EQ(alone.winner, "moves");
  EXPECT_FALSE(alone.auto_merge);
}

TEST(EvidenceOrder, WithoutNamesTheCommandIsTheTest) {
  auto base = baseline();
  base.checks.tests = check(model::Dimension::tests, model::CheckStatus::failed);
  auto fixer = agent("fixer", 60000), useless = agent("useless", 500);
  fixer.checks.tests = check(model::Dimension::tests);
  useless.checks.tests = check(model::Dimension::tests, model::CheckStatus::failed);
  const auto r = evaluate(by_evidence(), base, {useless, fixer});
  EXPECT_EQ(r.winner, "fixer");
  EXPECT_EQ(name(row_of(r, "fixer").confidence.word), "some");
  EXPECT_EQ(name(row_of(r, "useless").confidence.word), "disputed");
}

// A result that does nothing but break a test is no unknown.
TEST(EvidenceOrder, WhatBreaksTheBasesTestsSpeaksAgainstIt) {
  auto base = baseline();
  base.checks.tests = check(model::Dimension::tests);
  auto breaks = agent("breaks");
  breaks.checks.tests = check(model::Dimension::tests, model::CheckStatus::failed);
  const auto r = evaluate(by_evidence(), base, {breaks});
  const auto& confidence = row_of(r, "breaks").confidence;
  EXPECT_EQ(confidence.facts.broken, 1) << "without names the command is the test";
  EXPECT_EQ(confidence.text,
            "no evidence: no test says that it is right; 1 test of the base no longer passes");
}

TEST(EvidenceOrder, AFailedHiddenTestStandsBelowEverybodyWhoPassesThem) {
  auto good = agent("good", 100000), bad = agent("bad", 100);
  good.hidden_passed = 3;
  bad.hidden_passed = 2;
  bad.hidden_failed = 1;
  set_tests(good, report(10, 5));  // it may break whatever it likes
  const auto r = evaluate(by_evidence(), baseline(), {bad, good});
  EXPECT_EQ(r.winner, "good");
  EXPECT_EQ(name(row_of(r, "good").confidence.word), "confirmed");
  EXPECT_EQ(name(row_of(r, "bad").confidence.word), "disputed");
}

TEST(EvidenceOrder, SpeedWithinNoiseIsATie) {
  // Without evidence the composite decides, and 70 ms or 4 s are no merit.
  const auto r = evaluate(by_evidence(), baseline(), {agent("a", 5000), agent("b", 1000), agent("c", 6000)});
  EXPECT_THAT(names(r), ElementsAre("b", "a", "c"));
  EXPECT_THAT(ranks(r), ElementsAre(1, 1, 1));
  EXPECT_FALSE(r.evidence);
  const auto apart = evaluate(by_evidence(), baseline(), {agent("a", 6002), agent("b", 1000)});
  EXPECT_THAT(ranks(apart), ElementsAre(1, 2));
  EXPECT_THAT(ranks(evaluate(by_evidence(), baseline(), {agent("a", 100000), agent("b", 110000)})),
              ElementsAre(1, 1));
  EXPECT_THAT(ranks(evaluate(by_evidence(), baseline(), {agent("a", 100000), agent("b", 110001)})),
              ElementsAre(1, 2));
}

TEST(EvidenceOrder, DiffSizeWithinNoiseIsATie) {
  auto a = agent("a"), b = agent("b"), c = agent("c");
  a.capture->diff = {100, 0, 2};  // 100
  b.capture->diff = {183, 0, 2};  // 0.6 * (100 - 8.3) + 40 = 95.02
  c.capture->diff = {184, 0, 2};  // 0.6 * (100 - 8.4) + 40 = 94.96
  EXPECT_THAT(ranks(evaluate(by_evidence(), baseline(), {a, b})), ElementsAre(1, 1));
  EXPECT_THAT(ranks(evaluate(by_evidence(), baseline(), {a, c})), ElementsAre(1, 2));
}

TEST(EvidenceOrder, SomethingToShowStandsBeforeNothing) {
  // b's cells are not known: both have 50 points of evidence.
  const auto m = one_author("a", {{"b", Cell::not_run}});
  const auto r = evaluate(by_evidence(), baseline(), {agent("b", 100), agent("a", 90000)}, m);
  EXPECT_THAT(names(r), ElementsAre("a", "b"));
  EXPECT_THAT(ranks(r), ElementsAre(1, 2));
}

TEST(EvidenceOrder, IdenticalTreesShareEverything) {
  auto a = agent("a", 1000), twin = agent("twin", 90000), other = agent("other", 30000);
  a.code = twin.code = "a";
  other.code = "other";
  const auto r = evaluate(by_evidence(), baseline(), {twin, other, a});
  EXPECT_THAT(names(r), ElementsAre("a", "twin", "other"));
  EXPECT_THAT(ranks(r), ElementsAre(1, 1, 3));
  EXPECT_TRUE(row_of(r, "twin").tied);
  const auto m = one_author("other", {{"a", Cell::pass}});
  const auto with = evaluate(by_evidence(), baseline(), {twin, other, a}, m);
  EXPECT_EQ(row_of(with, "twin").evidence, row_of(with, "a").evidence);
  EXPECT_EQ(name(row_of(with, "twin").confidence.word), "some");
  EXPECT_EQ(row_of(with, "twin").confidence.facts.alike, 3) << "who passes the same tests behaves the same";
}

TEST(EvidenceOrder, EligibilityComesBeforeEvidence) {
  auto a = agent("a"), b = agent("b");
  b.doubts = {model::Ineligible::own_tests_fail};
  const auto m = one_author("a", {{"b", Cell::pass}});
  const auto r = evaluate(by_evidence(), baseline(), {b, a}, m);
  EXPECT_EQ(r.winner, "a");
  EXPECT_THAT(row_of(r, "b").ineligible_reasons, ElementsAre(model::Ineligible::own_tests_fail));
  EXPECT_EQ(row_of(r, "b").evidence, std::nullopt);
}

TEST(EvidenceOrder, TestsAreNotPartOfTheSize) {
  auto thorough = agent("thorough");
  thorough.capture->diff = {900, 10, 7};
  thorough.capture->tests = model::DiffStat{880, 0, 4};
  const auto r = evaluate(by_evidence(), baseline(), {thorough});
  const auto& d = dim(r.agents[0], model::Dimension::diff_size);
  EXPECT_DOUBLE_EQ(d.points, 100);
  EXPECT_DOUBLE_EQ(term(d, "lines_added"), 20);
  EXPECT_DOUBLE_EQ(term(d, "files_changed"), 3);
  EXPECT_DOUBLE_EQ(term(d, "files_set_apart"), 4);
  // The plain order keeps the specification's input; and tests alone are that change.
  const auto plain = evaluate(config(), baseline(), {thorough});
  EXPECT_DOUBLE_EQ(term(dim(plain.agents[0], model::Dimension::diff_size), "lines_added"), 900);
  thorough.capture->tests = model::DiffStat{900, 10, 7};
  const auto only = evaluate(by_evidence(), baseline(), {thorough});
  EXPECT_DOUBLE_EQ(term(dim(only.agents[0], model::Dimension::diff_size), "lines_added"), 900);
}

TEST(EvidenceOrder, TestsThatResultsWithEvidenceBreakAreContested) {
  auto base = baseline();
  base.checks.tests->tests =
      named({{"old", TestStatus::passed}, {"x", TestStatus::passed}, {"y", TestStatus::passed}});
  auto a = agent("a"), b = agent("b"), comment = agent("comment");
  set_tests(a, named({{"old", TestStatus::failed}, {"x", TestStatus::passed}, {"y", TestStatus::failed}}));
  set_tests(b, named({{"old", TestStatus::failed}, {"x", TestStatus::passed}, {"y", TestStatus::passed}}));
  set_tests(comment, *base.checks.tests->tests);
  const auto m = one_author("a", {{"b", Cell::pass}, {"comment", Cell::fail}});
  const auto r = evaluate(by_evidence(), base, {a, b, comment}, m);
  ASSERT_EQ(r.contested.size(), 1u);
  EXPECT_EQ(r.contested[0].name, "old");
  EXPECT_EQ(r.contested[0].broken_by, 2);
  EXPECT_EQ(r.contested[0].of, 2);
  EXPECT_THAT(evaluate(by_evidence(), base, {a, b, comment}).contested, IsEmpty())
      << "without evidence nobody says so";
}

TEST(EvidenceOrder, FailingTheSameTestsIsNoAgreement) {
  const auto m = one_author("a", {{"b", Cell::fail}, {"c", Cell::fail}});
  const auto r = evaluate(by_evidence(), baseline(), {agent("a"), agent("b"), agent("c")}, m);
  EXPECT_EQ(row_of(r, "b").confidence.facts.alike, 0);
  EXPECT_EQ(row_of(r, "a").confidence.facts.alike, 1);
  ASSERT_EQ(r.clusters.size(), 2u);
  EXPECT_EQ(r.clusters[0].size(), 2u);
}

TEST(EvidenceOrder, AllFailedLooksAtTheBestComposite) {
  auto c = by_evidence();
  c.thresholds.fail_maximum = 60;
  auto a = agent("a", 90000), b = agent("b", 100);
  set_tests(a, report(1, 9));  // 0 points: composite below 60
  a.capture->diff = {3000, 0, 40};
  const auto m = one_author("a", {{"b", Cell::not_run}});
  const auto r = evaluate(c, baseline(), {a, b}, m);
  EXPECT_FALSE(r.all_failed);
  EXPECT_EQ(r.winner, "b");
}

// Ranks never fall, eligible ones come first, twins share, and the same evidence gives the same ranking.
TEST(EvidenceOrder, Properties) {
  Random r(17);
  for (int i = 0; i < 5000; ++i) {
    std::vector<model::AgentEvidence> agents;
    for (std::size_t n = 0; n < 4; ++n) {
      auto a = agent("agent" + std::to_string(n), r.upto(60000));
      a.capture->diff = {r.upto(1500), r.upto(500), r.upto(40)};
      set_tests(a, report(r.upto(10), r.upto(2)));
      if (r.one_in(6)) a.doubts.push_back(model::Ineligible::tampered);
      if (n > 0 && r.one_in(4)) {
        a.code = agents.front().agent;
        a.checks = agents.front().checks;
        a.capture = agents.front().capture;
      }
      agents.push_back(std::move(a));
    }
    model::Matrix m;
    if (!r.one_in(3))
      m = one_author("agent0", {{"agent1", r.one_in(2) ? Cell::pass : Cell::fail},
                                {"agent2", r.one_in(2) ? Cell::pass : Cell::no_contact}});
    const auto out = evaluate(by_evidence(), baseline(), agents, m);
    const auto again = evaluate(by_evidence(), baseline(), agents, m);
    const auto plain = evaluate(config(), baseline(), agents, m);
    ASSERT_EQ(names(out), names(again));
    ASSERT_EQ(ranks(out), ranks(again));
    for (std::size_t k = 0; k < out.agents.size(); ++k) {
      const auto& a = out.agents[k];
      ASSERT_EQ(a.evidence, again.agents[k].evidence);
      if (k > 0) {
        ASSERT_GE(a.rank, out.agents[k - 1].rank);
        ASSERT_TRUE(out.agents[k - 1].eligible || !a.eligible);
      }
      // Only the order differs: no point, no eligibility.
      ASSERT_EQ(a.score.composite, row_of(plain, a.agent).score.composite);
      ASSERT_EQ(a.eligible, row_of(plain, a.agent).eligible);
    }
    for (const auto& a : agents)
      if (a.code == "agent0" && row_of(out, a.agent).eligible && row_of(out, "agent0").eligible) {
        ASSERT_EQ(row_of(out, a.agent).rank, row_of(out, "agent0").rank);
      }
  }
}

}  // namespace
}  // namespace hydra::scoring
