// Gating: what several runs of one result say together, and when the reducer asks for them.
#include "check_runs.hpp"
#include "driven_race.hpp"
#include "race/state/state.hpp"

#include <gmock/gmock.h>

#include <algorithm>

namespace hydra::race {
namespace {

using ::testing::ElementsAre;

// A race with build and tests, and one captured agent.
class Driver : public DrivenRace {
 public:
  Driver() : DrivenRace(race_spec({"a"})) {
    spec.isolation = model::Isolation::bwrap;
    spec.config.scoring.lint_command.reset();
  }
  void start() {
    begin();
    end_agent("a", change("t", "c"));
    send(model::Published{{{"a", "hydra/a-1"}}});
  }
  void base(const Names& names) {
    send(model::SubjectReady{subject_of(kBase), "/c/base", {}});
    send(model::CheckEnded{subject_of(kBase), run(Dimension::build, CheckStatus::passed)});
    send(model::CheckEnded{subject_of(kBase), tests(names)});
  }
  void candidate(const Names& names, const model::Integrity& integrity = {}, bool warm = false) {
    send(model::Inspected{"a", integrity});
    model::WorkspaceFacts facts;
    facts.warm = warm;
    send(model::SubjectReady{subject_of("a"), "/c/a", facts});
    send(model::CheckEnded{subject_of("a"), run(Dimension::build, CheckStatus::passed)});
    send(model::CheckEnded{subject_of("a"), tests(names)});
  }
  [[nodiscard]] bool ranks() const { return times(Verb::rank, {}) > 0; }
};

model::Integrity restored(bool own_run) {
  model::Integrity integrity;
  integrity.commit = "gating";
  integrity.own_run = own_run;
  integrity.restored.push_back({"test_a.py", model::Restored::base, "test file"});
  return integrity;
}

TEST(Gating, NothingRestoredAndNothingBrokenCostsOneRun) {
  Driver d;
  d.start();
  d.base({{"x", TestStatus::passed}});
  d.candidate({{"x", TestStatus::passed}}, {}, true);
  EXPECT_EQ(d.times(Verb::run_check, "a"), 2) << "build and tests";
  EXPECT_EQ(d.times(Verb::repeat_tests, "a"), 0);
  EXPECT_EQ(d.times(Verb::prepare_subject, "a@own"), 0);
  EXPECT_EQ(d.times(Verb::prepare_subject, "a@cold"), 0);
  EXPECT_TRUE(d.ranks());
}

// A second run of the base tells unstable tests and names that differ from run to run: nothing asks for these
// while every result passes what the base passes.
TEST(Gating, TheBasesTestsRunAgainOnlyInDoubt) {
  using Case = std::tuple<Names, Names, long>;
  for (const auto& [base, mine, wanted] :
       {Case{{{"x", TestStatus::passed}}, {{"x", TestStatus::passed}, {"new", TestStatus::failed}}, 0},
        Case{{{"x", TestStatus::passed}}, {{"x", TestStatus::failed}}, 1},
        Case{{{"x", TestStatus::passed}}, {{"y", TestStatus::passed}}, 1},
        Case{{{"x", TestStatus::passed}}, {{"x", TestStatus::skipped}}, 1},
        Case{{{"x", TestStatus::failed}}, {{"x", TestStatus::passed}}, 1}}) {
    for (const bool base_first : {true, false}) {
      Driver d;
      d.start();
      if (base_first) d.base(base);
      d.candidate(mine);
      if (!base_first) d.base(base);
      EXPECT_EQ(d.times(Verb::repeat_tests, kBase), wanted) << mine.front().first;
      EXPECT_EQ(d.ranks(), wanted == 0);
      if (wanted == 0) continue;
      d.send(model::CheckRepeated{subject_of(kBase), tests(base)});
      EXPECT_EQ(d.times(Verb::repeat_tests, kBase), wanted) << "once";
    }
  }
}

TEST(Gating, ACachedBaseInDoubtGetsAWorkspaceFirst) {
  model::CheckSet stored;
  stored.build = run(Dimension::build, CheckStatus::passed);
  stored.tests = tests({{"x", TestStatus::passed}});
  Driver d;
  d.start();
  for (auto& event : cached_checks(Subject::baseline(), stored)) d.send(std::move(event));
  const auto before = d.times(Verb::prepare_subject, kBase);
  d.candidate({{"x", TestStatus::failed}});
  EXPECT_EQ(d.times(Verb::repeat_tests, kBase), 0);
  EXPECT_EQ(d.times(Verb::prepare_subject, kBase), before + 1);
  d.send(model::SubjectReady{subject_of(kBase), "/c/base", {}});
  EXPECT_EQ(d.times(Verb::repeat_tests, kBase), 1);
}

TEST(Gating, TheBaseRunsAgainWhereNothingIsInDoubtOnlyIfStrict) {
  for (const auto& [verify, wanted] :
       {std::pair{model::Verify::standard, 0L}, {model::Verify::strict, 1L}, {model::Verify::fast, 0L}}) {
    Driver d;
    d.spec.config.evaluation.verify = verify;
    d.start();
    d.base({{"x", TestStatus::passed}});
    d.candidate({{"x", TestStatus::passed}});
    // Only runs that were asked for are answered.
    for (long answered = 0; answered < d.times(Verb::repeat_tests, kBase) && answered < 10; ++answered)
      d.send(model::CheckRepeated{subject_of(kBase), tests({{"x", TestStatus::passed}})});
    EXPECT_EQ(d.times(Verb::repeat_tests, kBase), wanted);
  }
}

// Without names no test can be called unstable, and a second run would say nothing.
TEST(Gating, WithoutNamesNothingIsRepeated) {
  Driver d;
  d.start();
  d.send(model::SubjectReady{subject_of(kBase), "/c/base", {}});
  d.send(model::CheckEnded{subject_of(kBase), run(Dimension::build, CheckStatus::passed)});
  d.send(model::CheckEnded{subject_of(kBase), run(Dimension::tests, CheckStatus::passed)});
  EXPECT_EQ(d.times(Verb::repeat_tests, kBase), 0);
}

TEST(Gating, ATestThatFailsIsRunAgainBeforeItCounts) {
  Driver d;
  d.start();
  d.base({{"x", TestStatus::passed}, {"y", TestStatus::passed}});
  d.send(
      model::CheckRepeated{subject_of(kBase), tests({{"x", TestStatus::passed}, {"y", TestStatus::passed}})});
  d.candidate({{"x", TestStatus::failed}, {"y", TestStatus::failed}});
  EXPECT_EQ(d.times(Verb::repeat_tests, "a"), 1);
  EXPECT_FALSE(d.ranks());
  d.send(
      model::CheckRepeated{subject_of("a"), tests({{"x", TestStatus::passed}, {"y", TestStatus::failed}})});
  EXPECT_TRUE(d.ranks());
  EXPECT_EQ(d.times(Verb::repeat_tests, "a"), 1) << "once";
  const auto rows = agent_evidence(d.state);
  EXPECT_THAT(rows[0].unstable, ElementsAre("x"));
}

TEST(Gating, TheRepetitionWaitsForTheBaseline) {
  Driver d;
  d.start();
  d.candidate({{"x", TestStatus::failed}});
  EXPECT_EQ(d.times(Verb::repeat_tests, "a"), 0);
  d.base({{"x", TestStatus::passed}});
  EXPECT_EQ(d.times(Verb::repeat_tests, "a"), 0) << "the base's second run may find x unstable";
  d.send(model::CheckRepeated{subject_of(kBase), tests({{"x", TestStatus::passed}})});
  EXPECT_EQ(d.times(Verb::repeat_tests, "a"), 1);
}

TEST(Gating, WhatTheBaseFailsTooIsNotRunAgain) {
  Driver d;
  d.start();
  d.base({{"x", TestStatus::failed}});
  d.candidate({{"x", TestStatus::failed}});
  EXPECT_EQ(d.times(Verb::repeat_tests, "a"), 0);
}

TEST(Gating, TestsThatAreUnstableInTheBaseAreNotRunAgain) {
  Driver d;
  d.start();
  d.base({{"x", TestStatus::passed}});
  d.send(model::CheckRepeated{subject_of(kBase), tests({{"x", TestStatus::failed}})});
  d.candidate({{"x", TestStatus::failed}});
  EXPECT_EQ(d.times(Verb::repeat_tests, "a"), 0);
  EXPECT_THAT(baseline_evidence(d.state).unstable, ElementsAre("x"));
}

TEST(Gating, TheAgentsOwnTestsRunWhereItChangedProtectedOnes) {
  for (const auto verify : {model::Verify::fast, model::Verify::standard}) {
    Driver d;
    d.spec.config.evaluation.verify = verify;
    d.spec.config.scoring.lint_command = "lint";
    d.start();
    d.base({{"x", TestStatus::passed}});
    d.send(model::CheckEnded{subject_of(kBase), run(Dimension::lint, CheckStatus::passed)});
    d.send(model::CheckRepeated{subject_of(kBase), tests({{"x", TestStatus::passed}})});
    d.candidate({{"x", TestStatus::passed}}, restored(true));
    d.send(model::CheckEnded{subject_of("a"), run(Dimension::lint, CheckStatus::passed)});
    if (verify == model::Verify::fast) {
      EXPECT_EQ(d.times(Verb::prepare_subject, "a@own"), 0);
      EXPECT_TRUE(d.ranks());
      continue;
    }
    EXPECT_EQ(d.times(Verb::prepare_subject, "a@own"), 1);
    EXPECT_FALSE(d.ranks());
    d.send(model::SubjectReady{subject_of("a@own"), "/c/own", {}});
    d.send(model::CheckEnded{subject_of("a@own"), run(Dimension::build, CheckStatus::passed)});
    d.send(model::CheckEnded{subject_of("a@own"),
                             tests({{"x", TestStatus::passed}, {"new", TestStatus::passed}})});
    EXPECT_EQ(d.times(Verb::run_check, "a@own"), 2) << "build and tests, no lint";
    EXPECT_TRUE(d.ranks());
  }
}

TEST(Gating, StrictConfirmsEveryWarmResultFromNothing) {
  Driver d;
  d.spec.config.evaluation.verify = model::Verify::strict;
  d.start();
  d.base({{"x", TestStatus::passed}});
  d.send(model::CheckRepeated{subject_of(kBase), tests({{"x", TestStatus::passed}})});
  d.candidate({{"x", TestStatus::passed}}, {}, true);
  EXPECT_EQ(d.times(Verb::prepare_subject, "a@cold"), 1);
  EXPECT_FALSE(d.ranks());
  d.send(model::SubjectReady{subject_of("a@cold"), "/c/cold", {}});
  d.send(model::CheckEnded{subject_of("a@cold"), run(Dimension::build, CheckStatus::passed)});
  d.send(model::CheckEnded{subject_of("a@cold"), tests({{"x", TestStatus::failed}})});
  EXPECT_TRUE(d.ranks());
  EXPECT_THAT(agent_evidence(d.state)[0].doubts, ElementsAre(model::Ineligible::differs_from_nothing));
}

// The base's names as the gating run shows them, whatever the agent's own tests say; new names from its own.
TEST(Gating, NewNamesComeFromTheOwnRunAndNothingElse) {
  model::CheckSet gating, own;
  gating.tests = tests({{"x", TestStatus::failed}, {"y", TestStatus::passed}});
  own.tests = tests({{"x", TestStatus::passed}, {"new", TestStatus::passed}, {"bad", TestStatus::failed}});
  add_own_tests(gating, own);
  const auto& report = *gating.tests->tests;
  Names found;
  for (const auto& test : report.tests) found.emplace_back(test.name, test.status);
  EXPECT_THAT(found, ElementsAre(std::pair{"x", TestStatus::failed}, std::pair{"y", TestStatus::passed},
                                 std::pair{"new", TestStatus::passed}, std::pair{"bad", TestStatus::failed}));
  EXPECT_EQ(report.counts.total, 4);
  EXPECT_EQ(report.counts.passed, 2);
  EXPECT_EQ(report.counts.failed, 2);
}

TEST(Gating, AnOwnRunThatCannotBeBelievedBringsNothing) {
  model::CheckSet gating, own;
  gating.tests = tests({{"x", TestStatus::passed}});
  own.tests = tests({{"x", TestStatus::passed}, {"new", TestStatus::passed}});
  own.tests->tests->suspicious.emplace_back("exit code 0 with 2 failed tests");
  add_own_tests(gating, own);
  EXPECT_EQ(gating.tests->tests->tests.size(), 1u);
  own.tests->tests->suspicious.clear();
  own.tests->tests->complete = false;
  add_own_tests(gating, own);
  EXPECT_EQ(gating.tests->tests->tests.size(), 1u);
}

// nextest names no skipped test: one that the base ignores and the agent's tests run is not known to be new.
TEST(Gating, AListWithoutAllOfItsTestsBringsNothing) {
  model::CheckSet gating, own;
  gating.tests = tests({{"x", TestStatus::passed}});
  own.tests = tests({{"x", TestStatus::passed}, {"ignored", TestStatus::passed}});
  auto& counts = gating.tests->tests->counts;
  counts.skipped = 1, counts.total = 2;
  add_own_tests(gating, own);
  EXPECT_EQ(gating.tests->tests->tests.size(), 1u);
  EXPECT_EQ(counts.total, 2);
  counts.skipped = 0, counts.total = 1;
  auto& whole = own.tests->tests->counts;
  whole.failed = 1, whole.total = 3;  // a failure without a name
  add_own_tests(gating, own);
  EXPECT_EQ(gating.tests->tests->tests.size(), 1u);
  whole.failed = 0, whole.total = 2;
  add_own_tests(gating, own);
  EXPECT_EQ(gating.tests->tests->tests.size(), 2u);
}

// … but where as many tests are skipped without a name as before, what is new is new.
TEST(Gating, AProjectWithIgnoredTestsGainsTheNewOnes) {
  model::CheckSet gating, own;
  gating.tests = tests({{"x", TestStatus::passed}});
  own.tests = tests({{"x", TestStatus::passed}, {"new", TestStatus::passed}});
  auto &before = gating.tests->tests->counts, &now = own.tests->tests->counts;
  before.skipped = 2, before.total = 3;
  now.skipped = 2, now.total = 4;
  add_own_tests(gating, own);
  EXPECT_EQ(gating.tests->tests->tests.size(), 2u);
  EXPECT_EQ(before.passed, 2);
  EXPECT_EQ(before.skipped, 2);
  EXPECT_EQ(before.total, 4);
}

// An interface that was changed as it was asked for: it builds with its own tests, not with those of the
// base.
TEST(Gating, TestsOfTheBaseThatDoNotBuildAreNoFailedBuild) {
  model::CheckSet gating, own;
  gating.build = run(Dimension::build, CheckStatus::failed);
  gating.tests = run(Dimension::tests, CheckStatus::skipped);
  own.build = run(Dimension::build, CheckStatus::passed);
  own.tests = tests({{"x", TestStatus::passed}});
  add_own_tests(gating, own);
  EXPECT_EQ(gating.build->status, CheckStatus::passed);
  EXPECT_EQ(gating.tests->status, CheckStatus::not_started);
  EXPECT_FALSE(gating.tests->tests);
}

TEST(Gating, AFailedGatingBuildAsksForTheOwnRun) {
  Driver d;
  d.start();
  d.base({{"x", TestStatus::passed}});
  d.send(model::Inspected{"a", restored(false)});
  d.send(model::SubjectReady{subject_of("a"), "/c/a", {}});
  d.send(model::CheckEnded{subject_of("a"), run(Dimension::build, CheckStatus::failed)});
  EXPECT_EQ(d.times(Verb::prepare_subject, "a@own"), 1);
}

TEST(Gating, ABlockingFindingCountsOutsideOfSuites) {
  for (const bool counts : {true, false}) {
    Driver d;
    d.spec.config.evaluation.findings_count = counts;
    d.start();
    d.base({{"x", TestStatus::passed}});
    auto integrity = restored(false);
    integrity.findings.push_back(
        {"forced_exit", model::Severity::block, "conftest.py", 3, "", "os._exit(0)"});
    d.candidate({{"x", TestStatus::passed}}, integrity);
    const auto row = agent_evidence(d.state)[0];
    EXPECT_EQ(!row.doubts.empty(), counts);
    EXPECT_EQ(row.hold_merge, counts);
  }
}

TEST(Gating, WhatCannotBeLookedAtIsNotEligible) {
  Driver d;
  d.start();
  d.base({{"x", TestStatus::passed}});
  model::Integrity integrity;
  integrity.error = "git broke";
  d.candidate({{"x", TestStatus::passed}}, integrity);
  EXPECT_THAT(agent_evidence(d.state)[0].doubts, ElementsAre(model::Ineligible::not_inspected));
}

TEST(Gating, NobodyLookedSoNobodyIsEligible) {
  Driver d;
  d.start();
  d.base({{"x", TestStatus::passed}});
  d.send(model::SubjectFailed{subject_of("a"), "no workspace could be made", "", {}});
  EXPECT_THAT(agent_evidence(d.state)[0].doubts, ElementsAre(model::Ineligible::not_inspected));
}

// Reliability reference, row E29.
TEST(Gating, OnlyASandboxedResultOfAWorkspaceOfItsOwnMergesByItself) {
  const auto held = [](model::Isolation isolation, model::CheckPlace place) {
    Driver d;
    d.spec.isolation = isolation;
    d.spec.config.workspace.checks = place;
    d.start();
    d.base({{"x", TestStatus::passed}});
    d.candidate({{"x", TestStatus::passed}});
    EXPECT_EQ(agent_evidence(d.state)[0].hold_merge, !merge_hold(d.state, "a").empty());
    return merge_hold(d.state, "a");
  };
  EXPECT_EQ(held(model::Isolation::bwrap, model::CheckPlace::fresh), "");
  EXPECT_THAT(held(model::Isolation::none, model::CheckPlace::fresh), ::testing::HasSubstr("sandbox"));
  EXPECT_THAT(held(model::Isolation::bwrap, model::CheckPlace::in_place),
              ::testing::HasSubstr("own directory"));
}

// A repetition whose reason a later run of the base takes away would end after the race.
TEST(Gating, ACandidatesRepetitionWaitsForTheBases) {
  Driver d;
  d.start();
  d.base({{"x", TestStatus::passed}});
  d.candidate({{"x", TestStatus::failed}});
  EXPECT_EQ(d.times(Verb::repeat_tests, "a"), 0);
  EXPECT_FALSE(fully_checked(d.state, subject_of("a")));
  d.send(model::CheckRepeated{subject_of(kBase), tests({{"x", TestStatus::failed}})});
  EXPECT_EQ(d.times(Verb::repeat_tests, "a"), 0) << "x is unstable: nothing is left to find out";
  EXPECT_TRUE(d.ranks());
}

// Suites have 100,000 tests: evidence that leaves a run's list as it is does not copy it, and is made once
// between two events.
TEST(Gating, EvidenceSharesTheListOfItsRun) {
  Driver d;
  d.start();
  d.base({{"x", TestStatus::passed}, {"y", TestStatus::failed}});
  d.candidate({{"x", TestStatus::passed}, {"y", TestStatus::passed}});
  const auto result = subject_of("a");
  const auto text = [](const model::CheckSet& checks) { return checks.tests->tests->tests.text().data(); };
  const auto& evidence = effective_checks(d.state, result);
  EXPECT_EQ(text(evidence), text(*d.state.checks(result)));
  EXPECT_EQ(&effective_checks(d.state, result), &evidence);
  EXPECT_EQ(text(agent_evidence(d.state)[0].checks), text(evidence));
  d.send(model::TestsApproved{{"y"}});
  EXPECT_EQ(effective_checks(d.state, result).tests->tests->tests.size(), 1u);
}

// Tests of the agent's own run in a workspace of their own: a build from nothing has none of them.
TEST(Gating, NewTestsAreNoDifferenceFromNothing) {
  Driver d;
  d.spec.config.evaluation.verify = model::Verify::strict;
  d.start();
  d.base({{"x", TestStatus::passed}});
  d.send(model::CheckRepeated{subject_of(kBase), tests({{"x", TestStatus::passed}})});
  d.candidate({{"x", TestStatus::passed}}, restored(true), true);
  d.send(model::SubjectReady{subject_of("a@own"), "/c/own", {}});
  d.send(model::CheckEnded{subject_of("a@own"), run(Dimension::build, CheckStatus::passed)});
  d.send(model::CheckEnded{subject_of("a@own"),
                           tests({{"x", TestStatus::passed}, {"new", TestStatus::passed}})});
  d.send(model::SubjectReady{subject_of("a@cold"), "/c/cold", {}});
  d.send(model::CheckEnded{subject_of("a@cold"), run(Dimension::build, CheckStatus::passed)});
  d.send(model::CheckEnded{subject_of("a@cold"), tests({{"x", TestStatus::passed}})});
  ASSERT_EQ(effective_checks(d.state, subject_of("a")).tests->tests->tests.size(), 2u);
  EXPECT_EQ(cold_difference(d.state, subject_of("a")), "");
  EXPECT_THAT(agent_evidence(d.state)[0].doubts, ElementsAre());
}

TEST(Gating, AnUnstableTestIsNoDifferenceFromNothing) {
  const auto difference = [](TestStatus base_again, const Names& cold) {
    Driver d;
    d.spec.config.evaluation.verify = model::Verify::strict;
    d.start();
    d.base({{"x", TestStatus::passed}, {"y", TestStatus::passed}});
    d.send(model::CheckRepeated{subject_of(kBase), tests({{"x", base_again}, {"y", TestStatus::passed}})});
    d.candidate({{"x", TestStatus::passed}, {"y", TestStatus::passed}}, {}, true);
    d.send(model::SubjectReady{subject_of("a@cold"), "/c/cold", {}});
    d.send(model::CheckEnded{subject_of("a@cold"), run(Dimension::build, CheckStatus::passed)});
    d.send(model::CheckEnded{subject_of("a@cold"), tests(cold)});
    return cold_difference(d.state, subject_of("a"));
  };
  const Names x_fails{{"x", TestStatus::failed}, {"y", TestStatus::passed}};
  const Names y_fails{{"x", TestStatus::failed}, {"y", TestStatus::failed}};
  const Names y_gone{{"x", TestStatus::passed}};
  EXPECT_EQ(difference(TestStatus::failed, x_fails), "");
  EXPECT_THAT(difference(TestStatus::passed, x_fails), ::testing::HasSubstr(": x"));
  EXPECT_THAT(difference(TestStatus::failed, y_fails), ::testing::HasSubstr(": y"));
  EXPECT_THAT(difference(TestStatus::failed, y_gone), ::testing::HasSubstr(": y"));
}

TEST(Gating, AVerificationPublishesAndMergesNothing) {
  Driver d;
  d.spec.verifies = "old";
  d.spec.config.merge.automatic = true;
  d.start();
  d.base({{"x", TestStatus::passed}});
  d.send(model::CheckRepeated{subject_of(kBase), tests({{"x", TestStatus::passed}})});
  d.candidate({{"x", TestStatus::passed}});
  EXPECT_EQ(d.times(Verb::publish, {}), 0);
  ASSERT_TRUE(d.ranks());
  model::Ranking ranking;
  ranking.winner = "a";
  ranking.auto_merge = true;
  d.send(model::ScoringResult{ranking});
  EXPECT_EQ(d.times(Verb::auto_merge, "a"), 0);
  EXPECT_EQ(d.times(Verb::finish, {}), 1);
}

}  // namespace
}  // namespace hydra::race
