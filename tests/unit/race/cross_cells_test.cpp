// The cells of cross tests: the outcome of each test on each result (docs/selection.md, "Cells"). No
// machine.
#include "cross_race.hpp"
#include "race/state/cross.hpp"

#include <gmock/gmock.h>

namespace hydra::race {
namespace {

using ::testing::ElementsAre;

TEST(CrossTests, CellsSayWhatARunShowed) {
  CrossRace race;
  race.until_checked();
  race.send(model::CrossPlanned{CrossRace::plan()});
  const Names own{{"t1", TestStatus::passed},
                  {"t2", TestStatus::passed},
                  {"t3", TestStatus::passed},
                  {"t4", TestStatus::passed}};
  race.ran("+aa", tests(own));
  race.ran("+a0", tests({{"t1", TestStatus::failed}}));
  race.ran("+ba",
           tests({{"t1", TestStatus::passed}, {"t2", TestStatus::error}, {"t3", TestStatus::skipped}}));
  EXPECT_THAT(race.cells("a", "a"), ElementsAre(Cell::pass, Cell::pass, Cell::pass, Cell::pass));
  EXPECT_THAT(race.cells("a", kBaseOf),
              ElementsAre(Cell::fail, Cell::no_contact, Cell::no_contact, Cell::no_contact));
  EXPECT_THAT(race.cells("a", "b"), ElementsAre(Cell::pass, Cell::fail, Cell::fail, Cell::no_contact))
      << "skipping a test that its author's result passes is failing it";
}

// H35: a run that hangs or ends early has failed what it does not come to; the base has not.
TEST(CrossTests, AResultThatHangsFailsTheTestsBehind) {
  CrossRace race;
  race.until_checked();
  race.send(model::CrossPlanned{CrossRace::plan()});
  race.ran("+aa", tests({{"t1", TestStatus::passed}, {"t2", TestStatus::passed}}));
  auto cut = tests({{"t1", TestStatus::passed}});
  cut.status = CheckStatus::timed_out;
  race.ran("+ba", cut);
  EXPECT_THAT(race.cells("a", "b"), ElementsAre(Cell::pass, Cell::fail));
  race.ran("+a0", cut);
  EXPECT_THAT(race.cells("a", kBaseOf), ElementsAre(Cell::pass, Cell::not_run));
}

// Without names an author's files are one test, which the exit code decides.
TEST(CrossTests, WithoutNamesTheExitCodeIsTheTest) {
  CrossRace race;
  race.until_checked();
  race.send(model::CrossPlanned{CrossRace::plan()});
  race.ran("+aa", run(Dimension::tests, CheckStatus::passed));
  race.ran("+a0", run(Dimension::tests, CheckStatus::failed));
  race.ran("+ba", run(Dimension::tests, CheckStatus::failed));
  const auto matrix = cross_matrix(race.state);
  ASSERT_THAT(matrix.authors.at(0).tests, ::testing::SizeIs(1));
  EXPECT_EQ(matrix.authors.at(0).voided, "");
  EXPECT_THAT(race.cells("a", "a"), ElementsAre(Cell::pass));
  EXPECT_THAT(race.cells("a", kBaseOf), ElementsAre(Cell::fail));
  EXPECT_THAT(race.cells("a", "b"), ElementsAre(Cell::fail));
}

TEST(CrossTests, ARunThatEndsBeforeItsTestsHasFailedThem) {
  const auto cell = [](const model::CheckEvidence& on_b) {
    CrossRace race;
    race.until_checked();
    race.send(model::CrossPlanned{CrossRace::plan()});
    race.ran("+aa", tests({{"t", TestStatus::passed}}));
    race.ran("+ba", on_b);
    return race.cells("a", "b").at(0);
  };
  auto silent = run(Dimension::tests, CheckStatus::passed);
  EXPECT_EQ(cell(silent), Cell::fail) << "exit code 0 without a test";
  silent.status = CheckStatus::crashed;
  EXPECT_EQ(cell(silent), Cell::fail);
  silent.status = CheckStatus::failed;
  EXPECT_EQ(cell(silent), Cell::not_run) << "it may not load";
  auto cut = tests({});
  cut.tests->complete = false;
  EXPECT_EQ(cell(cut), Cell::fail);
  cut.tests->complete = true;
  EXPECT_EQ(cell(cut), Cell::no_contact) << "its file may not load";
  CrossRace none;
  none.until_checked();
  none.send(model::CrossPlanned{CrossRace::plan()});
  none.ran("+aa", tests({{"t", TestStatus::passed}}));
  none.send(model::SubjectFailed{named_subject("+ba"), "no disk", "", {}});
  EXPECT_THAT(none.cells("a", "b"), ElementsAre(Cell::not_run));
}

// The function is the base's: the author's result has extended it, and this one has not.
TEST(CrossTests, AParameterThatAResultLacksIsAFailure) {
  const auto cell = [](bool base_has_the_function) {
    CrossRace race;
    race.until_checked();
    race.send(model::CrossPlanned{CrossRace::plan()});
    race.ran("+aa", tests({{"t", TestStatus::passed}}));
    auto wrong = tests({{"t", TestStatus::failed}});
    wrong.no_contact = wrong.wrong_arguments = {"t"};
    race.ran("+ba", wrong);
    if (!base_has_the_function) wrong.wrong_arguments.clear();
    race.ran("+a0", wrong);
    EXPECT_THAT(race.cells("a", kBaseOf), ElementsAre(Cell::no_contact));
    return race.cells("a", "b").at(0);
  };
  EXPECT_EQ(cell(true), Cell::fail);
  EXPECT_EQ(cell(false), Cell::no_contact);
}

// A panic of Go ends the binary, and the tests behind it are never run.
TEST(CrossTests, TestsThatEndWithTheProcessOfAnotherRunByThemselves) {
  CrossRace race;
  race.until_checked();
  auto plan = CrossRace::plan();
  plan.authors[0].apart = "each by itself";
  race.send(model::CrossPlanned{plan});
  race.ran("+aa",
           tests({{"t1", TestStatus::passed}, {"t2", TestStatus::passed}, {"t3", TestStatus::passed}}));
  auto unbuilt = tests({});
  unbuilt.status = CheckStatus::failed;
  unbuilt.tests->outcome = model::TestOutcome::build_failed;
  race.send(model::SubjectReady{named_subject("+a0"), "/c/a0"});
  race.send(model::CheckEnded{named_subject("+a0"), unbuilt});
  EXPECT_FALSE(race.asked(Verb::repeat_tests, "+a0")) << "no test of it would be built by itself";
  race.send(model::SubjectReady{named_subject("+ba"), "/c/ba"});
  race.send(model::CheckEnded{named_subject("+ba"), tests({{"t1", TestStatus::failed}})});
  ASSERT_TRUE(race.asked(Verb::repeat_tests, "+ba"));
  EXPECT_TRUE(cross_cut_short(race.state, *cross_run(race.state, named_subject("+ba"))));
  race.send(model::CheckRepeated{
      named_subject("+ba"),
      tests({{"t1", TestStatus::failed}, {"t2", TestStatus::failed}, {"t3", TestStatus::passed}})});
  EXPECT_FALSE(race.asked(Verb::repeat_tests, "+ba")) << "once";
  EXPECT_THAT(race.cells("a", "b"), ElementsAre(Cell::fail, Cell::fail, Cell::pass));
}

TEST(CrossTests, TellWhichResultsAreTheSameCodeBesideTheirTests) {
  CrossRace race;
  race.until_checked();
  auto plan = CrossRace::plan();
  for (auto& run : plan.runs) run.key = "tree";
  race.send(model::CrossPlanned{plan});
  auto rows = agent_evidence(race.state);
  EXPECT_NE(rows[0].product, "");
  EXPECT_EQ(rows[0].product, rows[1].product);
  race.ran("+aa", tests({{"ta", TestStatus::passed}}));
  EXPECT_THAT(cross_matrix(race.state).authors.at(0).same_product, ElementsAre("b"));
  plan.runs[4].key = "another tree";  // a's tests on b
  race.send(model::CrossPlanned{plan});
  rows = agent_evidence(race.state);
  EXPECT_NE(rows[0].product, rows[1].product);
}

TEST(CrossTests, AResultThatDoesNotBuildWithThemHasNoContact) {
  CrossRace race;
  race.spec.config.scoring.build_command = "make";
  race.send(model::RaceCreated{race.spec});
  race.send(model::CrossPlanned{CrossRace::plan()});
  race.send(model::CheckEnded{named_subject("+aa"), tests({{"t1", TestStatus::passed}})});
  race.send(model::CheckEnded{named_subject("+ba"), run(Dimension::build, CheckStatus::failed)});
  EXPECT_THAT(race.cells("a", "b"), ElementsAre(Cell::no_contact));
}

}  // namespace
}  // namespace hydra::race
