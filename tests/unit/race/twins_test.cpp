// Which results are run with other expected values, and what the runs say of a test.
#include "race/state/twins.hpp"

#include "driven_race.hpp"
#include "race/state/costs.hpp"
#include "race/state/gating.hpp"
#include "race/state/selection.hpp"
#include "source/twin.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace hydra::race {
namespace {

using model::CheckStatus;
using model::TestStatus;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using TwinNames = std::vector<std::pair<std::string, bool>>;  ///< a test and whether it passes

model::CheckEvidence twin_evidence(const TwinNames& names) {
  model::CheckEvidence evidence;
  evidence.dimension = model::Dimension::tests;
  evidence.status = CheckStatus::passed;
  evidence.exit_code = 0;
  model::TestReport report;
  report.format = "pytest";
  report.complete = true;
  report.confidence = model::Confidence::high;
  report.counts = {0, 0, 0, 0, 0};
  for (const auto& [name, passed] : names) {
    report.tests.push_back({name, passed ? TestStatus::passed : TestStatus::failed});
    ++*(passed ? report.counts.passed : report.counts.failed);
    ++*report.counts.total;
    if (!passed) evidence.status = CheckStatus::failed, evidence.exit_code = 1;
  }
  evidence.tests = report;
  return evidence;
}

class TwinRace : public DrivenRace {
 public:
  explicit TwinRace(const std::vector<std::string>& agents) : DrivenRace(race_spec(agents)) {
    spec.tree_rung = model::TreeRung::copy;
    spec.repository.base = "base";
    spec.config.scoring.build_command.reset();
    spec.config.scoring.lint_command.reset();
    begin();
  }
  void result(const std::string& name, const TwinNames& names) {
    end_agent(name, change("t-" + name, "c-" + name, {1, 1, 1}));
    model::Integrity integrity;
    integrity.commit = "g-" + name;
    send(model::Inspected{name, integrity});
    ran(name, names);
  }
  void ran(const std::string& subject, const TwinNames& names) {
    send(model::SubjectReady{named_subject(subject), "/c/" + subject});
    send(model::CheckEnded{named_subject(subject), twin_evidence(names)});
  }
  /// All results and the base are checked.
  void checked(const TwinNames& base) {
    ran(std::string(model::kBaseline), base);
    if (asked(Verb::repeat_tests)) send(model::CheckRepeated{Subject::baseline(), twin_evidence(base)});
    send(model::Published{});
  }
  /// Plans the twins that are wished for now; returns their subjects, "+a" and "+a copy".
  std::vector<std::string> plan() {
    model::TwinPlan made;
    made.assertions = 1;
    made.tests = {"test_new", "test_old"};
    std::vector<std::string> subjects;
    for (const auto& wish : twin_wishes(state)) {
      model::TwinRun run{{}, wish.commit, wish.copy};
      run.run.result = wish.owner;
      const auto subject = "+" + wish.owner.agent + (wish.copy ? " copy" : "");
      run.run.subject = named_subject(subject);
      subjects.push_back(subject);
      made.runs.push_back(run);
    }
    send(model::TwinsPlanned{made});
    return subjects;
  }
  [[nodiscard]] bool asked(Verb verb) const {
    return std::any_of(last.begin(), last.end(), [&](const auto& c) { return c.verb == verb; });
  }
  [[nodiscard]] std::vector<std::string> said(const std::string& owner) const {
    std::vector<std::string> out;
    for (const auto& finding : twin_findings(state, Subject::of(owner)))
      out.push_back(std::string(name(finding.severity)) + " " + finding.rule + " " + finding.path);
    return out;
  }
};

const TwinNames kTwinFixed{{"test_new", true}, {"test_old", true}},
    kTwinBefore{{"test_new", false}, {"test_old", true}}, kTwinNone{{"test_new", false}, {"test_old", false}};

TEST(Twins, AnHonestResultFailsThem) {
  TwinRace race({"a"});
  race.result("a", kTwinFixed);
  race.checked(kTwinBefore);
  EXPECT_TRUE(race.asked(Verb::plan_twins));
  EXPECT_THAT(race.plan(), ElementsAre("+a", "+a copy"));
  race.ran("+a", kTwinNone);
  EXPECT_FALSE(race.asked(Verb::rank));
  race.ran("+a copy", kTwinFixed);
  EXPECT_TRUE(race.asked(Verb::rank)) << "and the base is not asked";
  EXPECT_THAT(race.said("a"), IsEmpty());
  EXPECT_EQ(twin_facts(race.state, Subject::of("a")).told, 3) << "two tests, and the command as a whole";
}

TEST(Twins, WhatPassesBothIsDeafWhereTheBaseFailsOne) {
  TwinRace race({"a"});
  race.result("a", kTwinFixed);
  race.checked(kTwinBefore);
  race.plan();
  race.ran("+a copy", kTwinFixed);
  race.ran("+a", kTwinFixed);
  EXPECT_THAT(race.plan(), ElementsAre("+@baseline"));
  race.ran("+@baseline", kTwinNone);
  const auto said = race.said("a");
  EXPECT_THAT(said, ElementsAre("block deaf_test test_old", "warning unproven_test test_new"));
  EXPECT_TRUE(blocks(findings_of(race.state, *race.state.agent("a"))));
}

TEST(Twins, ATwinThatDoesNotFailAnywhereSaysNothing) {
  TwinRace race({"a"});
  race.result("a", {{"test_old", true}});
  race.checked({{"test_old", true}});
  race.plan();
  race.ran("+a copy", {{"test_old", true}});
  race.ran("+a", {{"test_old", true}});
  EXPECT_THAT(race.plan(), ElementsAre("+@baseline"));
  race.ran("+@baseline", {{"test_old", true}});
  EXPECT_THAT(race.said("a"), IsEmpty());
}

// "a" compares equal to everything, as its task asks, and "b" knows the visible values by heart.
TEST(Twins, ARivalIsNoWitnessAgainstOthers) {
  TwinRace race({"a", "b"});
  for (const auto* name : {"a", "b"}) race.result(name, kTwinFixed);
  race.checked({{"test_new", false}, {"test_old", true}});
  race.plan();
  race.ran("+a", {{"test_new", true}, {"test_old", false}});
  race.ran("+a copy", kTwinFixed);
  race.ran("+b", kTwinNone);
  race.ran("+b copy", kTwinFixed);
  EXPECT_FALSE(race.asked(Verb::plan_twins)) << "nobody else could be a witness";
  EXPECT_THAT(race.said("a"), ElementsAre("warning unproven_test test_new"));
  EXPECT_TRUE(is_unproven(race.state, Subject::of("a")));
  EXPECT_FALSE(blocks(findings_of(race.state, *race.state.agent("a"))));
  EXPECT_THAT(race.said("b"), IsEmpty());
  EXPECT_FALSE(is_unproven(race.state, Subject::of("b")));
  const auto ranking = ranking_of(race.state);
  EXPECT_EQ(ranking.agents[0].agent, "b");
  EXPECT_EQ(ranking.decision, model::RaceDecision::tie);
}

// No rival knows hidden tests by heart: "c" passes them, and "d" knows the visible values alone.
TEST(Twins, AResultThatPassesHiddenTestsIsAWitness) {
  const TwinNames all{{"test_new", true}, {"test_hidden", true}},
      none{{"test_new", false}, {"test_hidden", false}};
  for (const bool passes_hidden : {true, false}) {
    TwinRace race({"a", "b", "c"});
    race.state.spec.hidden_tests = {"tests/test_hidden.py"};
    for (const auto* name : {"a", "b"}) race.result(name, all);
    race.result("c", {{"test_new", true}, {"test_hidden", passes_hidden}});
    race.checked(none);
    const auto first = race.plan();
    EXPECT_EQ(std::count(first.begin(), first.end(), "+c"), 0) << "the first two";
    for (const auto* name : {"a", "b"}) {
      race.ran(std::string("+") + name + " copy", all);
      race.ran(std::string("+") + name, {{"test_new", true}, {"test_hidden", false}});
    }
    EXPECT_THAT(race.said("a"), ElementsAre("warning unproven_test test_new")) << "b does not hear it either";
    const auto more = race.plan();
    EXPECT_EQ(std::count(more.begin(), more.end(), "+c"), passes_hidden ? 1 : 0);
    if (!passes_hidden) continue;
    race.ran("+c", none);
    EXPECT_THAT(race.said("a"), ElementsAre("block deaf_test test_new"));
    EXPECT_THAT(race.said("b"), ElementsAre("block deaf_test test_new"));
    EXPECT_THAT(race.said("c"), IsEmpty());
  }
}

TEST(Twins, WhatOnlyPassesAtItsOwnLinesIsKnown) {
  TwinRace race({"a"});
  race.result("a", kTwinFixed);
  race.checked({{"test_new", true}, {"test_old", true}});
  race.plan();
  race.ran("+a", kTwinNone);
  race.ran("+a copy", kTwinBefore);
  EXPECT_TRUE(race.asked(Verb::repeat_tests)) << "it may be unstable";
  race.send(model::CheckRepeated{named_subject("+a copy"), twin_evidence(kTwinBefore)});
  EXPECT_THAT(race.plan(), ElementsAre("+@baseline copy"));
  race.ran("+@baseline copy", kTwinFixed);
  EXPECT_THAT(race.said("a"), testing::Contains("block known_test test_new"));
}

TEST(Twins, ARivalsCopyNeitherSinksNorClears) {
  for (const bool passes_before : {true, false}) {
    TwinRace race({"a", "b", "c"});
    for (const auto* name : {"a", "b", "c"}) race.result(name, kTwinFixed);
    race.checked({{"test_new", passes_before}, {"test_old", true}});
    race.plan();
    for (const auto* name : {"a", "b"}) race.ran(std::string("+") + name, kTwinNone);
    // "a" fails its copy; "b" clears it by failing too, or sinks it by passing.
    race.ran("+a copy", kTwinBefore);
    race.send(model::CheckRepeated{named_subject("+a copy"), twin_evidence(kTwinBefore)});
    race.ran("+b copy", passes_before ? kTwinBefore : kTwinFixed);
    if (passes_before) {
      race.send(model::CheckRepeated{named_subject("+b copy"), twin_evidence(kTwinBefore)});
      race.plan();
      race.ran("+@baseline copy", kTwinFixed);
    }
    if (passes_before)
      EXPECT_THAT(race.said("a"),
                  ElementsAre("block known_test the test command", "block known_test test_new"));
    else
      EXPECT_THAT(race.said("a"), ElementsAre("warning known_test test_new"));
  }
}

// A report's reader leaves a class out where the name begins with it: "test_new" for test_new.test_new.
TEST(Twins, ATestWithTheNameOfItsClassIsFoundUnderItsOtherName) {
  TwinRace race({"a"});
  race.result("a", {{"test_new", true}, {"test_old", true}});
  race.checked({{"test_new", true}, {"test_old", true}});
  race.plan();
  const auto seed = std::stoull(twin_seed(race.state.spec));
  const auto copy = source::moved_copy("t.py", "def test_new():\n    pass\n", seed).value();
  const auto from = copy.find("def ") + 4;
  const auto other = "test_new." + copy.substr(from, copy.find('(') - from);
  ASSERT_NE(other, "test_new.test_new");
  race.ran("+a copy", {{other, true}, {"test_old", true}});
  race.ran("+a", {{other, true}});
  EXPECT_THAT(race.plan(), ElementsAre("+@baseline"));
  race.ran("+@baseline", {{other, false}});
  EXPECT_THAT(race.said("a"), testing::Contains("block deaf_test test_new"));
}

TEST(Twins, WithoutABudgetAreNotRunAndAreNamed) {
  TwinRace race({"a"});
  race.state.spec.config.evaluation.budget = 0;
  race.result("a", kTwinFixed);
  race.checked(kTwinBefore);
  EXPECT_FALSE(race.asked(Verb::plan_twins));
  EXPECT_TRUE(race.asked(Verb::rank));
  race.send(model::ScoringResult{ranking_of(race.state)});
  EXPECT_THAT(left_out_by_budget(race.state), ElementsAre("changed tests on a"));
}

TEST(Twins, OffWhereVerifyIsFast) {
  TwinRace race({"a"});
  race.state.spec.config.evaluation.verify = model::Verify::fast;
  race.result("a", kTwinFixed);
  race.checked(kTwinBefore);
  EXPECT_FALSE(race.asked(Verb::plan_twins));
  EXPECT_TRUE(race.asked(Verb::rank));
}

TEST(Twins, EachRaceDrawsItsOwnValuesAndNames) {
  auto spec = race_spec({"a"});
  std::set<std::string> seeds;
  for (int i = 0; i < 200; ++i) {
    spec.token = std::to_string(i);
    seeds.insert(twin_seed(spec));
  }
  EXPECT_EQ(seeds.size(), 200u);
}

}  // namespace
}  // namespace hydra::race
