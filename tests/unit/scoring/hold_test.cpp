// Reasons against an automatic merge (docs/selection.md, "Automatic merge").
#include "evidence.hpp"
#include "scoring/selection.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hydra::scoring {
namespace {

using namespace fixture;
using model::Cell;
using model::TestStatus;
using testing::ElementsAre;
using testing::IsEmpty;

// Nothing of evidence puts `winner` down; what others with something to show pass beside it does.
TEST(AutomaticMerge, IsHeldForATestOfTheBaseThatAnotherKeeps) {
  auto base = baseline();
  const auto tests = [](TestStatus last) {
    std::vector<std::pair<std::string, TestStatus>> list{{"fails", TestStatus::failed}, {"x", last}};
    for (char name = 'a'; name < 'k'; ++name) list.emplace_back(std::string(1, name), TestStatus::passed);
    return named(list);
  };
  base.checks.tests->tests = tests(TestStatus::passed);
  auto winner = agent("winner"), other = agent("other");
  set_tests(other, tests(TestStatus::passed));
  auto m = one_author("other", {{"winner", Cell::pass}});
  m.authors.push_back({"writer", model::AuthorKind::tester, {}, "", {{"t", "tests/t", {}, {}}}});
  m.rows.push_back({"@baseline", "writer", {Cell::fail}, ""});
  m.rows.push_back({"winner", "writer", {Cell::pass}, ""});
  m.rows.push_back({"other", "writer", {Cell::fail}, ""});
  const auto held = [&](TestStatus last) {
    set_tests(winner, tests(last));
    const auto r = evaluate(by_evidence(), base, {winner, other}, m);
    EXPECT_EQ(r.winner, "winner");
    return evidence_hold(r);
  };
  EXPECT_EQ(held(TestStatus::passed), "");
  EXPECT_THAT(held(TestStatus::failed), testing::HasSubstr("breaks 1 test of the base"));
  EXPECT_THAT(held(TestStatus::skipped), testing::HasSubstr("breaks 1 test of the base"));
  // A result with nothing to show keeps every test by doing nothing, and a result whose tests nobody loaded
  // has not shown that it keeps them.
  m.rows.back().cells = {Cell::pass};
  other.undecided = true;
  EXPECT_EQ(held(TestStatus::failed), "");
  other.undecided = false;
  m.authors.front().voided = "its tests look for git";
  set_tests(winner, tests(TestStatus::failed));
  m.rows.back().cells = {Cell::fail};
  const auto idle = evaluate(by_evidence(), base, {winner, other}, m);
  EXPECT_EQ(row_of(idle, "winner").confidence.facts.broken_alone, 0);
}

TEST(AutomaticMerge, IsHeldForAnInterfaceThatOthersShare) {
  auto m = one_author("writer", {{"winner", Cell::pass}, {"silent", Cell::pass}, {"other", Cell::pass}});
  m.authors.front().kind = model::AuthorKind::tester;
  m.authors.front().members.clear();
  std::erase_if(m.rows, [](const auto& row) { return row.result == "writer"; });
  m.authors.front().tests.push_back({"u", "tests/t", {}, {}});
  const auto race = [&](Cell of_silent, Cell of_winner, Cell of_other = Cell::no_contact) {
    auto found = m;
    for (auto& row : found.rows)
      row.cells.push_back(row.result == "winner"   ? of_winner
                          : row.result == "silent" ? of_silent
                          : row.result == "other"  ? of_other
                                                   : Cell::no_contact);
    return evaluate(by_evidence(), baseline(),
                    {agent("winner"), agent("silent", 90000), agent("other", 91000)}, found);
  };
  const auto facts = [](const model::Ranking& r) { return row_of(r, "winner").confidence.facts; };
  auto shared = race(Cell::pass, Cell::no_contact);
  EXPECT_EQ(facts(shared).out_of_contact, 1);
  EXPECT_THAT(evidence_hold(shared),
              testing::HasSubstr("1 test that other results share needs an interface"));
  EXPECT_EQ(facts(race(Cell::pass, Cell::pass)).out_of_contact, 0);
  EXPECT_EQ(facts(race(Cell::no_contact, Cell::no_contact)).out_of_contact, 0) << "its author's own business";
  // H35: lacking alone what all others have is a failure.
  const auto alone = race(Cell::pass, Cell::no_contact, Cell::pass);
  EXPECT_EQ(facts(alone).tests_failed, 1);
  EXPECT_NE(alone.winner, "winner");
}

// H36: the base's tests are what every agent could read.
TEST(AutomaticMerge, NeedsAWitnessBesideTheBasesTests) {
  auto base = baseline();
  base.checks.tests->tests = named({{"fails", TestStatus::failed}, {"x", TestStatus::passed}});
  auto fixer = agent("fixer"), idle = agent("idle", 90000);
  set_tests(fixer, named({{"fails", TestStatus::passed}, {"x", TestStatus::passed}}));
  set_tests(idle, named({{"fails", TestStatus::failed}, {"x", TestStatus::passed}}));
  const auto r = evaluate(by_evidence(), base, {fixer, idle});
  ASSERT_EQ(r.winner, "fixer");
  EXPECT_THAT(auto_merge_hold(r), testing::HasSubstr("only the base's tests support it"));
  EXPECT_EQ(auto_merge_hold(r, model::EvidenceFloor::any), "");
  fixer.hidden_passed = 2;
  EXPECT_EQ(auto_merge_hold(evaluate(by_evidence(), base, {fixer, idle})), "");
}

TEST(AutomaticMerge, ATestWriterDecidesBetweenRivals) {
  auto base = baseline();
  base.checks.tests->tests = named({{"fails", TestStatus::failed}});
  auto winner = agent("winner"), other = agent("other");
  for (auto* each : {&winner, &other}) set_tests(*each, named({{"fails", TestStatus::passed}}));
  auto m = one_author("writer", {{"winner", Cell::pass}, {"other", Cell::fail}});
  m.authors.front().kind = model::AuthorKind::tester;
  m.authors.front().members.clear();
  std::erase_if(m.rows, [](const auto& row) { return row.result == "writer"; });
  const auto r = evaluate(by_evidence(), base, {other, winner}, m);
  ASSERT_EQ(r.winner, "winner");
  EXPECT_EQ(auto_merge_hold(r), "");
  m.rows.back().cells = {Cell::pass};
  EXPECT_THAT(auto_merge_hold(evaluate(by_evidence(), base, {other, winner}, m)),
              testing::HasSubstr("has something to show, too"));
}

// The winner's own test puts "other" down, which passes a test that fails before, too: its author's word
// alone.
TEST(AutomaticMerge, IsHeldForARivalThatOnlyTestsOfTheRacePutDown) {
  auto base = baseline();
  base.checks.tests->tests = named({{"fails", TestStatus::failed}, {"x", TestStatus::passed}});
  auto winner = agent("winner"), other = agent("other");
  auto m = one_author("other", {{"winner", Cell::pass}});
  m.authors.push_back({"winner", model::AuthorKind::result, {"winner"}, "", {{"t", "tests/t", {}, {}}}});
  m.rows.push_back({"@baseline", "winner", {Cell::fail}, ""});
  m.rows.push_back({"winner", "winner", {Cell::pass}, ""});
  m.rows.push_back({"other", "winner", {Cell::fail}, ""});
  const auto race = [&](TestStatus of_winner, TestStatus of_other) {
    set_tests(winner, named({{"fails", of_winner}, {"x", TestStatus::passed}}));
    set_tests(other, named({{"fails", of_other}, {"x", TestStatus::passed}}));
    return evaluate(by_evidence(), base, {winner, other}, m);
  };
  const auto rivals = [](const model::Ranking& r) { return row_of(r, r.winner).confidence.facts.rivals; };
  const auto held = race(TestStatus::failed, TestStatus::failed);
  ASSERT_EQ(held.winner, "winner");
  EXPECT_THAT(rivals(held), ElementsAre("other"));
  EXPECT_THAT(auto_merge_hold(held), testing::HasSubstr("held: other has something to show, too"));
  EXPECT_EQ(evidence_hold(held), "");
  // The base's tests part the two.
  EXPECT_THAT(rivals(race(TestStatus::passed, TestStatus::failed)), IsEmpty());
  EXPECT_THAT(rivals(race(TestStatus::passed, TestStatus::passed)), ElementsAre("other")) << "both fix it";
  // Nothing tells them apart: that is no better, also where the base's tests speak for both (H36).
  m.rows.back().cells = {Cell::pass};
  EXPECT_THAT(rivals(race(TestStatus::failed, TestStatus::failed)), testing::SizeIs(1));
  EXPECT_THAT(rivals(race(TestStatus::passed, TestStatus::passed)), testing::SizeIs(1));
  m.rows.back().cells = {Cell::fail};
  winner.product = other.product = "the same code";
  EXPECT_THAT(rivals(race(TestStatus::failed, TestStatus::failed)), IsEmpty());
  other.product = "other code";
  EXPECT_THAT(rivals(race(TestStatus::failed, TestStatus::failed)), ElementsAre("other"));
  winner.hidden_passed = 1;
  other.hidden_passed = 1;
  EXPECT_THAT(rivals(race(TestStatus::failed, TestStatus::failed)), IsEmpty())
      << "whoever wrote those has decided";
}

TEST(AutomaticMerge, WhoHasNothingToShowIsNoRival) {
  auto m = one_author("author", {{"winner", Cell::pass}, {"other", Cell::fail}});
  m.authors.front().kind = model::AuthorKind::tester;
  m.authors.front().members.clear();
  const auto r = evaluate(by_evidence(), baseline(), {agent("winner"), agent("other")}, m);
  ASSERT_EQ(r.winner, "winner");
  EXPECT_EQ(auto_merge_hold(r), "");
}

}  // namespace
}  // namespace hydra::scoring
