// Further rounds: failures that agents are told, from the evidence that ranks them.
#include "race/state/rounds.hpp"

#include "check_runs.hpp"
#include "driven_race.hpp"

#include <gmock/gmock.h>

namespace hydra::race {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const Names kBaseRun{{"old.py::t", kFailed}, {"t::bug", kFailed}, {"t::fine", kPassed}};

class Rounds : public ::testing::Test {
 protected:
  /// Agent a changed files, b none.
  std::vector<AskedAgain> asked(const Names& of_a) {
    DrivenRace race(spec);
    race.begin();
    race.end_agent("a", DrivenRace::change("tree", "c", {1, 1, 1}));
    race.end_agent("b", {});
    race.end_checks("@baseline", {run(Dimension::build, CheckStatus::passed), tests(kBaseRun)});
    race.end_checks("a", {run(Dimension::build, CheckStatus::passed), tests(of_a)});
    return agents_of_next_round(race.state);
  }
  model::RaceSpec spec = race_spec({"a", "b"});
};

TEST_F(Rounds, TestsOfTheBaseThatStillFailAreTold) {
  const auto all = asked({{"old.py::t", kFailed}, {"t::bug", kPassed}, {"t::fine", kPassed}});
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].agent, "a");
  EXPECT_THAT(all[0].found.unfixed, ElementsAre("old.py::t"));
  EXPECT_THAT(all[0].found.broken, IsEmpty());
  EXPECT_THAT(round_message(all[0].found, ""), HasSubstr("still fail:\n- old.py::t\n"));
}

TEST_F(Rounds, AnAgentThatChangedNothingIsAskedAgain) {
  const auto all = asked({{"old.py::t", kPassed}, {"t::bug", kPassed}, {"t::fine", kPassed}});
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].agent, "b");
  EXPECT_TRUE(all[0].found.unchanged);
  EXPECT_THAT(all[0].found.unfixed, ElementsAre("old.py::t", "t::bug"));
  EXPECT_THAT(round_message(all[0].found, ""), HasSubstr("You changed no file."));
}

TEST_F(Rounds, NamesOfHiddenTestsAreNotTold) {
  spec.hidden_tests = {"old.py"};
  EXPECT_THAT(asked({{"old.py::t", kFailed}, {"t::bug", kPassed}, {"t::fine", kPassed}}).at(0).agent, "b");
}

}  // namespace
}  // namespace hydra::race
