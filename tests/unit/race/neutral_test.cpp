// A test that passes on its author's result and fails on the neutral copy of that result reads text: void.
#include "cross_race.hpp"
#include "race/state/costs.hpp"
#include "scoring/selection.hpp"

#include <gtest/gtest.h>

namespace hydra::race {
namespace {

class NeutralRace : public CrossRace {
 public:
  /// "+an" runs the tests of "a" on the neutral copy of a's result.
  static model::CrossPlan plan() {
    auto made = CrossRace::plan();
    auto neutral = run_of_plan("+an", "", "a");
    neutral.neutral = true;
    made.runs.insert(made.runs.begin() + 2, neutral);
    return made;
  }
  void plan_and_run_own() {
    until_checked();
    send(model::CrossPlanned{plan()});
    ran("+aa", tests({{"text", kPassed}, {"behaviour", kPassed}}));
  }
  void run_base() { ran("+a0", tests({{"text", kFailed}, {"behaviour", kFailed}})); }
  [[nodiscard]] model::CrossAuthor author() const { return cross_matrix(state).authors.front(); }
  [[nodiscard]] std::string reason(std::size_t test) const {
    return scoring::classify(cross_matrix(state)).authors.front().tests.at(test).reason;
  }
};

TEST(NeutralCopies, RunBeforeTheTestsJudgeOthers) {
  NeutralRace race;
  race.plan_and_run_own();
  EXPECT_FALSE(race.ever(Verb::prepare_subject, "+an")) << "all tests may pass on the base";
  race.run_base();
  EXPECT_TRUE(race.ever(Verb::prepare_subject, "+an"));
  EXPECT_FALSE(race.ever(Verb::prepare_subject, "+ba"));
  race.ran("+an", tests({{"text", kFailed}, {"behaviour", kPassed}}));
  EXPECT_TRUE(race.ever(Verb::repeat_tests, "+an")) << "the failure may be a flaky test's";
  EXPECT_TRUE(race.ever(Verb::prepare_subject, "+ba"));
  EXPECT_NE(race.reason(0), "");
  EXPECT_EQ(race.reason(1), "");
  EXPECT_EQ(race.author().tests.at(0).klass, model::TestClass::voided);
}

TEST(NeutralCopies, OfTestsThatAllReadTextEndTheirAuthorsRuns) {
  NeutralRace race;
  race.plan_and_run_own();
  race.run_base();
  race.ran("+an", tests({{"text", kFailed}, {"behaviour", kFailed}}));
  EXPECT_FALSE(race.ever(Verb::prepare_subject, "+ba"));
  EXPECT_FALSE(scoring::Selection(scoring::classify(cross_matrix(race.state))).has_evidence());
}

TEST(NeutralCopies, ThatDoNotRunVoidNothing) {
  for (const auto& evidence :
       {tests({{"text", kPassed}, {"behaviour", kPassed}}), tests({}), tests({{"other", kFailed}})}) {
    NeutralRace race;
    race.plan_and_run_own();
    race.run_base();
    race.ran("+an", evidence);
    EXPECT_EQ(race.reason(0) + race.reason(1), "");
    EXPECT_TRUE(race.ever(Verb::prepare_subject, "+ba"));
  }
}

TEST(NeutralCopies, VoidNoFlakyTest) {
  NeutralRace race;
  race.plan_and_run_own();
  race.run_base();
  race.send(model::SubjectReady{named_subject("+an"), "/c/run"});
  race.send(model::CheckEnded{named_subject("+an"), tests({{"text", kFailed}, {"behaviour", kPassed}})});
  race.send(model::CheckRepeated{named_subject("+an"), tests({{"text", kPassed}, {"behaviour", kPassed}})});
  EXPECT_EQ(race.reason(0), "");
}

TEST(NeutralCopies, AreWithinTheBudget) {
  NeutralRace race;
  race.spec.config.evaluation.budget = 0.2;
  race.result_seconds = 400;
  race.until_checked();
  race.send(model::CrossPlanned{NeutralRace::plan()});
  const auto ran = [&](const std::string& subject, model::TestStatus status) {
    race.send(model::SubjectReady{named_subject(subject), "/c/run"});
    race.send(model::CheckEnded{named_subject(subject), CrossRace::took(tests({{"text", status}}), 60)});
  };
  ran("+aa", kPassed);
  ran("+a0", kFailed);
  EXPECT_FALSE(race.ever(Verb::prepare_subject, "+an"));
}

}  // namespace
}  // namespace hydra::race
