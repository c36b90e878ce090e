// Cross tests as the fold asks for them, and what they come to. No machine.
#include "race/state/cross.hpp"

#include "cross_race.hpp"
#include "race/state/costs.hpp"
#include "race/state/rounds.hpp"
#include "race/state/selection.hpp"
#include "scoring/selection.hpp"

#include <gmock/gmock.h>

#include <algorithm>

namespace hydra::race {
namespace {

using model::Cell;
using ::testing::ElementsAre;
using ::testing::SizeIs;

TEST(CrossTests, ComeAfterAllChecksAndBeforeTheRanking) {
  CrossRace race;
  race.until_checked();
  EXPECT_TRUE(race.asked(Verb::plan_cross));
  EXPECT_FALSE(race.ever(Verb::rank));
  race.run_all();
  EXPECT_TRUE(race.asked(Verb::sum_cross));
  race.send(model::CrossTested{cross_matrix(race.state)});
  EXPECT_TRUE(race.asked(Verb::rank));
}

// Ruling H33: entries of one kind are one voice, and a variant is of the kind that it is like.
TEST(CrossTests, VariantsOfOneAgentAreOneVoice) {
  const auto voices = [](const std::string& kind_of_b) {
    CrossRace race;
    for (const auto* name : {"a", "b"}) race.spec.config.agents[name].id = name;
    race.spec.config.agents["b"].like = kind_of_b;
    race.until_checked();
    race.run_all();
    return scoring::Selection(cross_matrix(race.state)).voices().size();
  };
  EXPECT_EQ(voices("a"), 1u);
  EXPECT_EQ(voices(""), 2u);
}

TEST(CrossTests, AFirstRankingIsShownMeanwhile) {
  CrossRace race;
  race.until_checked();
  EXPECT_TRUE(race.ever(Verb::rank_first)) << "before the runs with own tests have ended";
  race.send(model::ScoringResult{ranking_of(race.state), false});
  EXPECT_FALSE(race.state.ranking.has_value());
  ASSERT_NE(race.state.newest_ranking(), nullptr);
  race.run_all();
  race.send(model::CrossTested{cross_matrix(race.state)});
  EXPECT_TRUE(race.asked(Verb::rank)) << "the final one is still to come";
  race.send(model::ScoringResult{ranking_of(race.state)});
  EXPECT_EQ(race.state.newest_ranking(), &*race.state.ranking);
  EXPECT_EQ(race.times(Verb::rank_first, {}), 1);
}

TEST(CrossTests, WithoutVerificationTheFirstRankingIsTheLast) {
  CrossRace race;
  race.spec.config.evaluation.verify = model::Verify::fast;
  race.until_checked();
  EXPECT_TRUE(race.ever(Verb::rank));
  EXPECT_FALSE(race.ever(Verb::rank_first));
}

TEST(CrossTests, BeginWithTheirAuthorsAndTheBaseAFewAtATime) {
  CrossRace race;
  race.until_checked();
  race.send(model::CrossPlanned{CrossRace::plan()});
  for (const auto* subject : {"+aa", "+a0", "+bb", "+b0"})
    EXPECT_TRUE(race.asked(Verb::prepare_subject, subject)) << subject;
  race.ran("+aa", tests({{"ta", TestStatus::passed}}));
  EXPECT_FALSE(race.ever(Verb::prepare_subject, "+ba")) << "a's test may pass on the base";
  race.ran("+a0", tests({{"ta", TestStatus::failed}}));
  EXPECT_TRUE(race.ever(Verb::prepare_subject, "+ba"));
}

TEST(CrossTests, OfAnAuthorWhoTellsNothingAreNotRunOnOthers) {
  CrossRace race;
  race.until_checked();
  race.run_all();
  EXPECT_FALSE(race.ever(Verb::prepare_subject, "+ab")) << "b's test passes on the base";
}

TEST(CrossTests, AreNoneWhereTheyAreOffOrNothingCompetes) {
  const auto ranks_at_once = [](auto&& change, std::vector<std::string> agents = {"a", "b"}) {
    CrossRace race(agents);
    change(race.spec);
    race.until_checked();
    return race.asked(Verb::rank) && !race.ever(Verb::plan_cross);
  };
  EXPECT_TRUE(ranks_at_once([](auto& s) { s.config.evaluation.budget = 0; }));
  EXPECT_TRUE(ranks_at_once([](auto&) {}, {"a"}));
  CrossRace fast;
  fast.spec.config.evaluation.verify = model::Verify::fast;
  fast.until_checked();
  EXPECT_FALSE(fast.ever(Verb::plan_cross));
}

// Two results whose tests take 100 s each, and cross runs of 60 s: none begins beyond half of the budget.
TEST(CrossTests, BeginWithinTheBudget) {
  using Case = std::tuple<double, model::Verify, std::size_t>;
  for (const auto& [budget, verify, begun] :
       {Case{1, model::Verify::standard, 2}, Case{0.2, model::Verify::standard, 1},
        Case{100, model::Verify::standard, 6}, Case{0.2, model::Verify::strict, 6}}) {
    CrossRace race;
    race.spec.config.evaluation.budget = budget;
    race.spec.config.evaluation.verify = verify;
    race.result_seconds = 100;
    race.until_checked();
    EXPECT_EQ(race.run_each(60), begun) << budget;
    EXPECT_TRUE(race.ever(Verb::sum_cross));
    const auto matrix = cross_matrix(race.state);
    EXPECT_EQ(matrix.reason, begun == 6 ? "" : "out_of_budget");
    race.send(model::CrossTested{matrix});
    EXPECT_TRUE(race.ever(Verb::rank));
    race.send(model::ScoringResult{ranking_of(race.state)});
    EXPECT_EQ(left_out_by_budget(race.state).empty(), begun == 6) << budget;
  }
}

TEST(CrossTests, HalfAMinuteIsAlwaysWithinTheBudget) {
  CrossRace race;
  race.until_checked();
  EXPECT_EQ(race.run_each(4), 6u);
}

TEST(CrossTests, OfAResultThatIsBlockedAreVoid) {
  CrossRace race;
  race.until_checked();
  race.run_all();
  race.send(model::CrossTested{cross_matrix(race.state)});
  ASSERT_EQ(matrix_of(race.state).authors.front().voided, "");
  race.state.agent("a")->integrity->findings.push_back(
      {"deaf_test", model::Severity::block, "tests/test_a", 0, "", ""});
  const auto matrix = matrix_of(race.state);
  EXPECT_EQ(matrix.authors[0].name, "a");
  EXPECT_NE(matrix.authors[0].voided, "");
  EXPECT_EQ(matrix.authors[1].voided, "");
}

TEST(CrossTests, WithoutABudgetAreNotPlannedAndAreNamed) {
  CrossRace race;
  race.spec.config.evaluation.budget = 0;
  race.until_checked();
  EXPECT_FALSE(race.ever(Verb::plan_cross));
  EXPECT_TRUE(race.ever(Verb::rank));
  race.send(model::ScoringResult{ranking_of(race.state)});
  EXPECT_THAT(left_out_by_budget(race.state), ::testing::ElementsAre("cross tests"));
}

TEST(CrossTests, EndWithTheRaceThatIsCancelled) {
  CrossRace race;
  race.until_checked();
  race.send(model::CrossPlanned{CrossRace::plan()});
  race.send(model::CancelRequested{""});
  EXPECT_TRUE(race.asked(Verb::finish));
}

TEST(CrossTests, ARedOneRunsOnceMoreAlone) {
  CrossRace race;
  race.until_checked();
  race.send(model::CrossPlanned{CrossRace::plan()});
  race.send(model::SubjectReady{named_subject("+a0"), "/c/a0"});
  race.send(model::CheckEnded{named_subject("+a0"), tests({{"ta", TestStatus::failed}})});
  EXPECT_TRUE(race.asked(Verb::repeat_tests, "+a0"));
  race.send(model::CheckRepeated{named_subject("+a0"), tests({{"ta", TestStatus::passed}})});
  EXPECT_FALSE(race.asked(Verb::repeat_tests, "+a0")) << "once";
  race.ran("+aa", tests({{"ta", TestStatus::passed}}));
  EXPECT_THAT(race.cells("a", kBaseOf), ElementsAre(Cell::unstable));
}

TEST(CrossTests, OneThatHasNoContactIsNotRunAgain) {
  CrossRace race;
  race.until_checked();
  race.send(model::CrossPlanned{CrossRace::plan()});
  race.send(model::SubjectReady{named_subject("+a0"), "/c/a0"});
  auto evidence = tests({{"ta", TestStatus::failed}});
  evidence.no_contact = {"ta"};
  race.send(model::CheckEnded{named_subject("+a0"), evidence});
  EXPECT_FALSE(race.asked(Verb::repeat_tests, "+a0"));
  race.ran("+aa", tests({{"ta", TestStatus::passed}}));
  EXPECT_THAT(race.cells("a", kBaseOf), ElementsAre(Cell::no_contact));
}

TEST(CrossTests, NamesOfTheBaseAreNoAuthors) {
  CrossRace race;
  race.until_checked();
  race.send(model::CrossPlanned{CrossRace::plan()});
  race.ran("+aa", tests({{"old", TestStatus::passed}, {"ta", TestStatus::passed}}));
  race.ran("+a0", tests({{"old", TestStatus::passed}, {"ta", TestStatus::failed}}));
  EXPECT_THAT(tests_of_author(race.state, race.state.cross->authors[0]), ElementsAre("ta"));
}

TEST(CrossTests, ATestOfTheBaseThatAnAuthorChangedIsTheAuthors) {
  CrossRace race;
  race.until_checked();
  race.send(model::CrossPlanned{CrossRace::plan()});
  race.ran("+aa", tests({{"old", TestStatus::passed}}));
  race.ran("+a0", tests({{"old", TestStatus::failed}}));
  EXPECT_THAT(tests_of_author(race.state, race.state.cross->authors[0]), ElementsAre("old"));
}

TEST(CrossTests, ARunOfTheBasesFilesTellsTheirNames) {
  CrossRace race;
  race.until_checked();
  auto plan = CrossRace::plan();
  plan.runs.push_back(CrossRace::run_of_plan("+an", "", "a"));
  race.send(model::CrossPlanned{plan});
  race.ran("+aa", tests({{"seen", TestStatus::passed}, {"ta", TestStatus::passed}}));
  race.ran("+a0", tests({}));
  race.ran("+an", tests({{"seen", TestStatus::passed}}));
  EXPECT_THAT(tests_of_author(race.state, race.state.cross->authors[0]), ElementsAre("ta"));
}

// An author who writes thousands of tests is one voice, and no load: 500 of them are looked at.
TEST(CrossTests, TwelveAuthorsWithMoreThanFiveHundredTestsEach) {
  std::vector<std::string> agents;
  for (char name = 'a'; name < 'm'; ++name) agents.emplace_back(1, name);
  CrossRace race(agents);
  race.until_checked();
  model::CrossPlan plan;
  for (const auto& author : agents) {
    plan.authors.push_back({author, {}, {author}, {"tests/" + author}, {}});
    plan.runs.push_back(CrossRace::run_of_plan("+" + author + "0", kBaseOf, author));
    for (const auto& result : agents)
      plan.runs.push_back(CrossRace::run_of_plan("+" + author + result, result, author));
  }
  race.send(model::CrossPlanned{plan});
  for (const auto& planned : plan.runs) {
    const auto status = planned.result.of_baseline() ? TestStatus::failed : TestStatus::passed;
    Names names;
    for (int i = 0; i < 600; ++i) names.emplace_back(planned.author + std::to_string(i), status);
    race.send(model::SubjectReady{planned.subject, "/c/" + text(planned.subject)});
    race.send(model::CheckEnded{planned.subject, tests(names)});
  }
  const auto matrix = cross_matrix(race.state);
  EXPECT_EQ(matrix.rows.size(), 12u * 13u);
  for (const auto& author : matrix.authors) EXPECT_EQ(author.tests.size(), 500u);
  for (const auto& agent : agents)
    EXPECT_DOUBLE_EQ(*scoring::evidence_points(matrix, agent), 12.5 / 13 * 100) << agent;
}

TEST(CrossTests, TheFoldOfStoredEventsAsksForTheSame) {
  CrossRace race;
  race.until_checked();
  race.send(model::CrossPlanned{CrossRace::plan()});
  race.ran("+aa", tests({{"ta", TestStatus::passed}}));
  State again;
  for (const auto& event : race.log) apply(again, event);
  EXPECT_EQ(wanted(again), wanted(race.state));
}

TEST(CrossTests, AreMadeAgainForANewResultAndKeepWhatIsKnown) {
  CrossRace race;
  race.until_checked();
  race.run_all();
  race.send(model::CrossTested{cross_matrix(race.state)});
  race.send(model::ScoringResult{});
  race.send(model::RaceEnded{model::RaceEnd::done});
  model::RetryRequested retry;
  retry.agent = "b";
  race.send(retry);
  EXPECT_FALSE(race.state.matrix.has_value());
  model::CrossPlan plan = CrossRace::plan();
  plan.runs = {CrossRace::run_of_plan("+aa", "a", "a"), CrossRace::run_of_plan("+a0", kBaseOf, "a"),
               CrossRace::run_of_plan("+new", "b", "a")};
  race.send(model::CrossPlanned{plan});
  EXPECT_EQ(cross_progress(race.state).done, 2u);
  EXPECT_THAT(race.cells("a", "a"), ElementsAre(Cell::pass));
}

TEST(CrossTests, ATesterIsNoCandidateAndItsResultIsNotChecked) {
  CrossRace race({"a"});
  race.spec.agents.push_back({"t-tests", "t", "", {}, 1, true});
  race.until_checked();
  EXPECT_TRUE(race.ever(Verb::inspect, "t-tests"));
  EXPECT_FALSE(race.ever(Verb::prepare_subject, "t-tests"));
  EXPECT_THAT(agent_evidence(race.state), SizeIs(1));
  EXPECT_TRUE(race.asked(Verb::plan_cross)) << "one result is enough for a tester";
}

TEST(CrossTests, ATestersTestsAreThoseThatSomeResultPasses) {
  CrossRace race;
  race.until_checked();
  model::CrossPlan plan;
  plan.authors.push_back({"t", model::AuthorKind::tester, {}, {"tests/t"}, {}});
  plan.runs = {CrossRace::run_of_plan("+t0", kBaseOf, "t"), CrossRace::run_of_plan("+ta", "a", "t"),
               CrossRace::run_of_plan("+tb", "b", "t")};
  race.send(model::CrossPlanned{plan});
  race.ran("+t0", tests({{"one", TestStatus::failed}, {"never", TestStatus::failed}}));
  race.ran("+ta", tests({{"one", TestStatus::passed}, {"never", TestStatus::failed}}));
  race.ran("+tb", tests({{"one", TestStatus::failed}, {"never", TestStatus::failed}}));
  EXPECT_THAT(tests_of_author(race.state, plan.authors[0]), ElementsAre("one"));
  EXPECT_THAT(race.cells("t", "b"), ElementsAre(Cell::fail));
}

class RoundsOfARace : public ::testing::Test {
 protected:
  void until_ranked(int rounds) {
    race.spec.rounds = rounds;
    race.until_checked();
    race.run_all();
    race.send(model::CrossTested{cross_matrix(race.state)});
    model::Ranking ranking;
    ranking.winner = "a";
    race.send(model::ScoringResult{ranking});
  }
  CrossRace race;
};

TEST_F(RoundsOfARace, AreAskedForWhileThereAreAny) {
  until_ranked(2);
  EXPECT_TRUE(race.asked(Verb::next_round));
  EXPECT_FALSE(race.ever(Verb::finish));
  model::RetryRequested retry;
  retry.agent = "b";
  retry.automatic = true;
  race.send(retry);
  EXPECT_TRUE(race.asked(Verb::run_agent, "b"));
  race.send(model::RoundBegan{2, {"b"}});
  EXPECT_FALSE(race.ever(Verb::finish));
  EXPECT_FALSE(race.asked(Verb::next_round));
}

TEST_F(RoundsOfARace, EndWhereNobodyFallsShort) {
  until_ranked(3);
  race.send(model::RoundBegan{3, {}});
  EXPECT_TRUE(race.asked(Verb::finish));
}

TEST_F(RoundsOfARace, TellWhatOthersTestsFailByNameOnly) {
  until_ranked(2);
  const auto asked = agents_of_next_round(race.state);
  ASSERT_EQ(asked.size(), 1u) << "an author's tests that fail elsewhere are no shortcoming";
  EXPECT_EQ(asked[0].agent, "b");
  EXPECT_THAT(asked[0].found.others, ElementsAre("ta"));
  EXPECT_THAT(round_message(asked[0].found, ""), ::testing::HasSubstr("- ta\n"));
}

}  // namespace
}  // namespace hydra::race
