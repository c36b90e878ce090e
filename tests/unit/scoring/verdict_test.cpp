// The sentences about an order: why a row stands above the next, and why the winner won.
#include "scoring/verdict.hpp"

#include <gtest/gtest.h>

namespace hydra::scoring {
namespace {

using model::OrderBy;
using model::RaceDecision;
using model::Ranking;

std::string why(OrderBy by, std::int64_t count = 0, double points = 0) {
  const auto text = reason_text({by, false, count, points}, "codex", "claude");
  const std::string head = "codex above claude: ";
  EXPECT_EQ(text.substr(0, head.size()), head);
  return text.substr(std::min(head.size(), text.size()));
}

TEST(ReasonText, EachReasonHasASentence) {
  EXPECT_EQ(why(OrderBy::eligible), "claude is not eligible");
  EXPECT_EQ(why(OrderBy::hidden_tests, 1), "claude fails 1 hidden test");
  EXPECT_EQ(why(OrderBy::undecided), "claude waits for a decision");
  EXPECT_EQ(why(OrderBy::fixed_tests, 2, 50), "fixes 2 more failing tests");
  EXPECT_EQ(why(OrderBy::broken_tests, 1, 5), "breaks 1 fewer test");
  EXPECT_EQ(why(OrderBy::authors, 2, 40), "passes the tests of 2 more authors");
  EXPECT_EQ(why(OrderBy::others_tests, 3, 9), "fails 3 fewer tests of others");
  EXPECT_EQ(why(OrderBy::evidence, 0, 4.25), "4.3 more points of tests and evidence");
  EXPECT_EQ(why(OrderBy::nothing_shown), "claude has nothing to show");
  EXPECT_EQ(why(OrderBy::build, 0, 30), "better build, 30.0 more points");
  EXPECT_EQ(why(OrderBy::tests, 0, 3), "better tests, 3.0 more points");
  EXPECT_EQ(why(OrderBy::lint, 0, 1.5), "better lint, 1.5 more points");
  EXPECT_EQ(why(OrderBy::diff_size, 0, 2), "smaller change, 2.0 more points");
  EXPECT_EQ(why(OrderBy::speed), "faster") << "at equal points";
  EXPECT_EQ(why(OrderBy::speed, 0, 0.04), "faster") << "points that one decimal does not show";
  EXPECT_EQ(why(OrderBy::judges, 0, 25), "better judged, 25.0 more points");
  EXPECT_EQ(why(OrderBy::listed), "asked for first");
}

TEST(ReasonText, ATieIsCalledOne) {
  const auto tie = [](OrderBy by, double points) {
    return reason_text({by, true, 0, points}, "codex", "claude");
  };
  EXPECT_EQ(tie(OrderBy::same_code, 0), "codex tied with claude: the same code");
  EXPECT_EQ(tie(OrderBy::speed, 8), "codex tied with claude, listed first: faster, 8.0 more points");
}

/// Adds an eligible row, at the end.
model::ConfidenceFacts& add(Ranking& ranking, const char* agent) {
  ranking.agents.emplace_back();
  ranking.agents.back().agent = agent;
  ranking.agents.back().eligible = true;
  return ranking.agents.back().confidence.facts;
}
void add_out(Ranking& ranking, const char* agent, model::Ineligible reason) {
  add(ranking, agent);
  ranking.agents.back().eligible = false;
  ranking.agents.back().ineligible_reasons = {reason};
}
/// The ranking of codex, which fixes both failing tests.
Ranking won() {
  Ranking out;
  out.winner = "codex";
  out.decision = RaceDecision::winner;
  auto& facts = add(out, "codex");
  facts.fixed = facts.failing = 2;
  return out;
}

TEST(Verdict, SaysWhatTheWinnerDidAndTheOthersDidNot) {
  auto r = won();
  add(r, "claude").broken = 1;
  add_out(r, "gemini", model::Ineligible::no_changes);
  add_out(r, "cursor", model::Ineligible::no_changes);
  add_out(r, "amp", model::Ineligible::crashed);
  EXPECT_EQ(verdict(r, {{"codex", 12}}, true),
            "codex wins: fixes 2 of 2 failing tests with 12 lines; claude breaks 1 test; 2 others change "
            "nothing; amp crashed.");
}

TEST(Verdict, BeforeVerificationHasEndedNobodyHasWon) {
  EXPECT_EQ(verdict(won(), {{"codex", 1}}, false),
            "codex is first so far: fixes 2 of 2 failing tests with 1 line.");
}

TEST(Verdict, AmongEqualFactsTheReasonOfTheOrderDecides) {
  auto r = won();
  auto& second = add(r, "claude");
  second = r.agents[0].confidence.facts;
  r.agents[1].reason = {OrderBy::lint, false, 0, 1.5};
  add(r, "gemini") = second;
  EXPECT_EQ(verdict(r, {}, true),
            "codex wins: fixes 2 of 2 failing tests; ahead of claude: better lint, 1.5 more points; gemini "
            "fixes 2 of 2 failing tests.");
  r.agents[1].reason = {OrderBy::same_code, true, 0, 0};
  r.agents.pop_back();
  EXPECT_EQ(verdict(r, {}, true), "codex wins: fixes 2 of 2 failing tests; tied with claude: the same code.");
}

TEST(Verdict, WithoutEvidenceNoFactIsClaimed) {
  Ranking r;
  r.winner = "codex";
  r.decision = RaceDecision::winner;
  for (const auto* name : {"codex", "claude", "gemini"}) add(r, name);
  r.agents[1].reason = {OrderBy::diff_size, false, 0, 2};
  EXPECT_EQ(verdict(r, {{"codex", 3}}, true),
            "codex wins with 3 lines; ahead of claude: smaller change, 2.0 more points.");
}

TEST(Verdict, ATieAndADisputeAreSaidOnce) {
  auto r = won();
  add(r, "claude") = r.agents[0].confidence.facts;
  r.agents[1].reason = {OrderBy::diff_size, false, 0, 2};
  add_out(r, "gemini", model::Ineligible::build_failed);
  r.decision = RaceDecision::tie;
  r.decision_with = {"claude"};
  EXPECT_EQ(
      verdict(r, {}, true),
      "codex wins, tied with claude (picked by size): fixes 2 of 2 failing tests; gemini does not build.");
  r.winner.clear();
  r.decision = RaceDecision::undecided;
  r.decision_with = {"codex", "claude"};
  EXPECT_EQ(
      verdict(r, {}, true),
      "No winner: undecided between codex and claude: each fails a valid test of the other; gemini does "
      "not build.");
}

TEST(Verdict, WithoutAWinnerEachResultSaysWhy) {
  Ranking r;
  add_out(r, "codex", model::Ineligible::tampered);
  add_out(r, "claude", model::Ineligible::no_changes);
  add_out(r, "gemini", model::Ineligible::no_changes);
  add_out(r, "amp", model::Ineligible::cancelled);
  EXPECT_EQ(verdict(r, {{"codex", 3}}, true),
            "No winner: codex is not eligible (tampered); 2 results change nothing; amp was cancelled.");
  EXPECT_EQ(verdict({}, {}, true), "");
}

}  // namespace
}  // namespace hydra::scoring
