#include "driven_race.hpp"
#include "race/state/state.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace hydra::race {
namespace {

using model::CheckStatus;
using model::Dimension;

// Drives a state by events, as the effects would, without a machine.
class ReducerDriver : public DrivenRace {
 public:
  explicit ReducerDriver(const std::vector<std::string>& agents = {"a", "b"})
      : DrivenRace(race_spec(agents)) {}
  model::Config& config() { return spec.config; }
  void preflight() { spec.preflight = true; }
  void create() { send(model::RaceCreated{spec}); }

  // Everything up to the captures; `trees` by agent.
  void run_agents(const std::map<std::string, std::string>& trees) {
    begin();
    for (const auto& [name, tree] : trees) {
      auto capture = change(tree, "c-" + tree);
      capture.changed = tree != "base";
      end_agent(name, capture);
    }
  }
  void check(const std::string& subject, Dimension dimension, CheckStatus status) {
    model::CheckEvidence evidence;
    evidence.dimension = dimension;
    evidence.status = status;
    if (status == CheckStatus::passed) evidence.exit_code = 0;
    send(model::CheckEnded{subject_of(subject), evidence});
  }
  void pass_all(const std::string& subject) {
    send(model::SubjectReady{subject_of(subject), "/c/" + subject});
    for (const auto d : {Dimension::build, Dimension::tests, Dimension::lint})
      check(subject, d, CheckStatus::passed);
  }
  [[nodiscard]] bool was_issued(Verb verb, const std::string& subject) const {
    return DrivenRace::times(verb, subject) > 0;
  }
  [[nodiscard]] long times(Verb verb, const std::string& subject, Dimension dimension) const {
    return std::count(issued.begin(), issued.end(), Command{verb, subject_of(subject), dimension});
  }
};

const std::string kReducerBase(model::kBaseline);

TEST(Reducer, ANewRaceIsPreparedBeforeAnythingElse) {
  ReducerDriver d;
  d.create();
  ASSERT_EQ(d.issued.size(), 1u);
  EXPECT_EQ(d.issued[0].verb, Verb::prepare_race);
}

TEST(Reducer, TheBaselineIsCheckedWhileAgentsRun) {
  ReducerDriver d;
  d.create();
  d.send(model::RacePrepared{});
  EXPECT_TRUE(d.was_issued(Verb::prepare_workspace, "a"));
  EXPECT_TRUE(d.was_issued(Verb::prepare_workspace, "b"));
  d.send(model::WorkspaceReady{"a", "/w/a"});
  EXPECT_FALSE(d.was_issued(Verb::prepare_subject, kReducerBase)) << "its checkout would slow down that of b";
  d.send(model::WorkspaceReady{"b", "/w/b"});
  EXPECT_TRUE(d.was_issued(Verb::prepare_subject, kReducerBase));
}

TEST(Reducer, TheBaselineDoesNotWaitForAWorkspaceThatNeverComes) {
  ReducerDriver d;
  d.create();
  d.send(model::RacePrepared{});
  d.send(model::WorkspaceFailed{"a", "no space"});
  d.send(model::CancelRequested{"b"});
  EXPECT_TRUE(d.was_issued(Verb::prepare_subject, kReducerBase));
}

TEST(Reducer, AnAgentsChecksStartWithoutTheSlowestAgent) {
  ReducerDriver d;
  d.run_agents({{"a", "t1"}});
  EXPECT_TRUE(d.was_issued(Verb::prepare_subject, "a"));
  EXPECT_FALSE(d.was_issued(Verb::prepare_subject, "b"));
}

TEST(Reducer, AResultThatTheDisksLimitEndedIsNotChecked) {
  for (const auto end : {model::JobEnd::disk, model::JobEnd::no_room}) {
    ReducerDriver d;
    d.begin();
    d.send(model::WorkspaceReady{"a", "/w/a"});
    d.send(model::AgentStarting{"a", "r/a", 1});
    model::AgentEnded ended{"a", {}, {}};
    ended.job.end = end;
    ended.verdict.outcome = model::Outcome::crashed;
    d.send(ended);
    d.send(model::Captured{"a", ReducerDriver::change("t1", "c1")});
    EXPECT_FALSE(d.was_issued(Verb::prepare_subject, "a"));
    EXPECT_EQ(agent_phase(d.state, *d.state.agent("a")), model::AgentPhase::failed);
  }
}

TEST(Reducer, AFailedBuildSkipsTestsAndLint) {
  ReducerDriver d;
  d.run_agents({{"a", "t1"}, {"b", "t2"}});
  d.send(model::SubjectReady{subject_of("a"), "/c/a"});
  d.check("a", Dimension::build, CheckStatus::failed);
  EXPECT_EQ(d.times(Verb::run_check, "a", Dimension::tests), 0);
  EXPECT_EQ(d.times(Verb::run_check, "a", Dimension::lint), 0);
  EXPECT_TRUE(checks_done(d.state, subject_of("a")));
  const auto checks = effective_checks(d.state, subject_of("a"));
  EXPECT_EQ(checks.tests->status, CheckStatus::skipped);
  EXPECT_EQ(checks.lint->status, CheckStatus::skipped);
}

TEST(Reducer, ACommandThatIsNotConfiguredStaysAbsentEvenThen) {
  ReducerDriver d;
  d.config().scoring.lint_command.reset();
  d.run_agents({{"a", "t1"}, {"b", "t2"}});
  d.send(model::SubjectReady{subject_of("a"), "/c/a"});
  d.check("a", Dimension::build, CheckStatus::failed);
  EXPECT_FALSE(effective_checks(d.state, subject_of("a")).lint.has_value());
}

TEST(Reducer, IdenticalTreesAreCheckedOnce) {
  ReducerDriver d;
  d.run_agents({{"a", "same"}, {"b", "same"}});
  EXPECT_TRUE(d.was_issued(Verb::prepare_subject, "a"));
  EXPECT_FALSE(d.was_issued(Verb::prepare_subject, "b"));
  d.pass_all("a");
  const auto rows = agent_evidence(d.state);
  EXPECT_EQ(rows[1].checks.build->status, CheckStatus::passed);
  EXPECT_TRUE(rows[1].checks.build->cached);
  EXPECT_FALSE(rows[0].checks.build->cached);
}

TEST(Reducer, NoChangeTakesTheBaselinesEvidence) {
  ReducerDriver d;
  d.run_agents({{"a", "base"}, {"b", "t"}});
  EXPECT_FALSE(d.was_issued(Verb::prepare_subject, "a"));
  EXPECT_EQ(agent_phase(d.state, *d.state.agent("a")), model::AgentPhase::checking);
}

TEST(Reducer, ARaceGoesThroughToItsEnd) {
  ReducerDriver d;
  d.run_agents({{"a", "t1"}, {"b", "t2"}});
  EXPECT_TRUE(d.was_issued(Verb::publish, ""));
  d.send(model::Published{{{"a", "hydra/a-1"}, {"b", "hydra/b-1"}}});
  d.pass_all(kReducerBase);
  d.pass_all("a");
  EXPECT_FALSE(d.was_issued(Verb::rank, ""));
  d.pass_all("b");
  EXPECT_TRUE(d.was_issued(Verb::rank, ""));
  d.send(model::ScoringResult{});
  EXPECT_FALSE(d.was_issued(Verb::auto_merge, ""));
  EXPECT_TRUE(d.was_issued(Verb::finish, ""));
  d.send(model::RaceEnded{model::RaceEnd::done});
  EXPECT_TRUE(wanted(d.state).empty());
  EXPECT_EQ(d.state.agents[0].branch, "hydra/a-1");
}

TEST(Reducer, RankingWaitsForTheBaseline) {
  ReducerDriver d;
  d.run_agents({{"a", "t1"}, {"b", "t2"}});
  d.send(model::Published{});
  d.pass_all("a");
  d.pass_all("b");
  EXPECT_FALSE(d.was_issued(Verb::rank, ""));
  d.send(model::SubjectFailed{subject_of(kReducerBase), "set-up failed", ""});
  EXPECT_TRUE(d.was_issued(Verb::rank, ""));
}

// Agents that wait for the baseline's checks don't let their checkouts compete with its own.
TEST(Reducer, WhatAllWaitForIsCheckedOutFirst) {
  ReducerDriver d;
  d.preflight();
  d.create();
  d.send(model::RacePrepared{});
  ASSERT_TRUE(d.was_issued(Verb::prepare_subject, kReducerBase));
  EXPECT_FALSE(d.was_issued(Verb::prepare_workspace, "a"));
  d.send(model::SubjectReady{subject_of(kReducerBase), "/c/base"});
  EXPECT_TRUE(d.was_issued(Verb::prepare_workspace, "a"));
  EXPECT_TRUE(d.was_issued(Verb::prepare_workspace, "b"));
  d.send(model::WorkspaceReady{"a", "/w/a"});
  EXPECT_FALSE(d.was_issued(Verb::run_agent, "a"));
}

// A long suite: agents begin while it runs, and a base that turns out to judge nothing stops them.
TEST(Reducer, AgentsBeginOnceTheBasesChecksHaveRunForAWhile) {
  ReducerDriver d({"a"});
  d.preflight();
  d.create();
  d.send(model::RacePrepared{});
  d.send(model::SubjectReady{subject_of(kReducerBase), "/c/base"});
  d.send(model::WorkspaceReady{"a", "/w/a"});
  EXPECT_TRUE(d.was_issued(Verb::preflight_clock, ""));
  EXPECT_FALSE(d.was_issued(Verb::run_agent, "a"));
  d.send(model::BaselineWorks{});
  EXPECT_TRUE(d.was_issued(Verb::run_agent, "a"));
  d.send(model::AgentStarting{"a", "a-1", 1});
  model::CheckEvidence build;
  build.status = CheckStatus::failed;
  build.exit_code = 2;
  d.send(model::CheckEnded{subject_of(kReducerBase), build});
  EXPECT_NE(d.state.failure, "");
  EXPECT_TRUE(d.was_issued(Verb::stop_agent, "a"));
  EXPECT_FALSE(d.was_issued(Verb::finish, "")) << "the agent still runs";
}

TEST(Reducer, AResultThatIsThereOutlivesABaseThatJudgesNothing) {
  ReducerDriver d({"a", "b"});
  d.preflight();
  d.create();
  d.send(model::RacePrepared{});
  d.send(model::SubjectReady{subject_of(kReducerBase), "/c/base"});
  d.send(model::WorkspaceReady{"a", "/w/a"});
  d.send(model::BaselineWorks{});
  d.send(model::AgentStarting{"a", "a-1", 1});
  model::AgentEnded ended;
  ended.agent = "a";
  ended.job.attempt = "a-1";
  ended.verdict.outcome = model::Outcome::completed;
  d.send(ended);
  model::CheckEvidence build;
  build.status = CheckStatus::failed;
  d.send(model::CheckEnded{subject_of(kReducerBase), build});
  EXPECT_EQ(d.state.failure, "");
}

TEST(Reducer, PreflightAlwaysWaitsForTheEnd) {
  ReducerDriver d({"a"});
  d.preflight();
  d.spec.config.preflight = model::Preflight::always;
  d.create();
  d.send(model::RacePrepared{});
  d.send(model::SubjectReady{subject_of(kReducerBase), "/c/base"});
  EXPECT_FALSE(d.was_issued(Verb::preflight_clock, ""));
}

// A cancelled baseline is not one that can't work.
TEST(Reducer, ACancelledPreflightIsNoProblemOfTheChecks) {
  ReducerDriver d({"a"});
  d.preflight();
  d.create();
  d.send(model::RacePrepared{});
  d.send(model::WorkspaceReady{"a", "/w/a"});
  ASSERT_TRUE(d.was_issued(Verb::prepare_subject, kReducerBase));
  d.send(model::CancelRequested{});
  d.send(model::SubjectFailed{subject_of(kReducerBase), "cancelled", "", {}, true});
  EXPECT_EQ(d.state.failure, "");
}

// Stored evidence asks for nothing: no workspace stands behind it in which anything could run.
TEST(Reducer, ACachedBaselineRunsNothing) {
  model::CheckSet stored;
  for (const auto dimension : {Dimension::build, Dimension::tests, Dimension::lint}) {
    model::CheckEvidence evidence;
    evidence.dimension = dimension;
    evidence.status = CheckStatus::passed;
    race::evidence(stored, dimension) = evidence;
  }
  stored.tests->tests = model::TestReport{};
  stored.tests->tests->format = "pytest";
  stored.tests->tests->tests.push_back({"x", model::TestStatus::passed});
  stored.repeats.push_back(*stored.tests);
  ReducerDriver d({"a"});
  d.create();
  d.send(model::RacePrepared{});
  d.send(model::WorkspaceReady{"a", "/w/a"});
  for (auto& event : cached_checks(Subject::baseline(), stored)) d.send(std::move(event));
  EXPECT_FALSE(d.was_issued(Verb::repeat_tests, kReducerBase));
  EXPECT_FALSE(d.was_issued(Verb::run_check, kReducerBase));
  EXPECT_TRUE(fully_checked(d.state, Subject::baseline()));
  EXPECT_TRUE(d.state.subjects.at(Subject::baseline()).checks.tests->cached);
  EXPECT_EQ(d.state.subjects.at(Subject::baseline()).checks.repeats.size(), 1u);
}

TEST(Reducer, AnIdenticalTreeIsLookedAtOnce) {
  ReducerDriver d;
  d.run_agents({{"a", "t"}, {"b", "t"}});
  d.send(model::Published{});
  d.pass_all(kReducerBase);
  model::Integrity read;
  read.findings.push_back({"configuration", model::Severity::block, "package.json", 0, "", ""});
  d.send(model::Inspected{"a", read});
  d.pass_all("a");
  for (const auto* name : {"a", "b"}) EXPECT_FALSE(d.was_issued(Verb::inspect, name)) << name;
  EXPECT_TRUE(d.was_issued(Verb::rank, ""));
  for (const auto& row : agent_evidence(d.state))
    EXPECT_EQ(row.doubts, std::vector{model::Ineligible::tampered}) << row.agent;
}

TEST(Reducer, AutoMergeOnlyWhenAskedFor) {
  for (const bool asked : {false, true}) {
    ReducerDriver d({"a"});
    d.config().merge.automatic = asked;
    d.run_agents({{"a", "t1"}});
    d.send(model::Published{});
    d.pass_all(kReducerBase);
    d.pass_all("a");
    model::Ranking ranking;
    ranking.winner = "a";
    ranking.auto_merge = true;
    d.send(model::ScoringResult{ranking});
    EXPECT_EQ(d.was_issued(Verb::auto_merge, "a"), asked);
    if (!asked) continue;
    EXPECT_FALSE(d.was_issued(Verb::finish, ""));
    d.send(model::MergeRefused{"a", "dirty", true});
    EXPECT_TRUE(d.was_issued(Verb::finish, ""));
  }
}

TEST(Reducer, CancellingStopsRunningAgentsAndKeepsTheirWork) {
  ReducerDriver d;
  d.create();
  d.send(model::RacePrepared{});
  d.send(model::WorkspaceReady{"a", "/w/a"});
  d.send(model::WorkspaceFailed{"b", "no space"});
  d.send(model::AgentStarting{"a", "r/a", 1});
  d.send(model::CancelRequested{""});
  EXPECT_TRUE(d.was_issued(Verb::stop_agent, "a"));
  EXPECT_TRUE(d.was_issued(Verb::stop_checks, kReducerBase));
  model::AgentEnded ended{"a", {}, {}};
  ended.verdict.outcome = model::Outcome::cancelled;
  d.send(ended);
  EXPECT_TRUE(d.was_issued(Verb::capture, "a"));
  EXPECT_FALSE(d.was_issued(Verb::finish, ""));
  d.send(model::Captured{"a", {}});
  d.send(model::Published{});
  EXPECT_TRUE(d.was_issued(Verb::finish, ""));
}

TEST(Reducer, CancellingOneAgentLetsTheOthersGoOn) {
  ReducerDriver d;
  d.create();
  d.send(model::RacePrepared{});
  d.send(model::CancelRequested{"a"});
  EXPECT_FALSE(d.state.cancelled);
  d.send(model::WorkspaceReady{"b", "/w/b"});
  EXPECT_TRUE(d.was_issued(Verb::run_agent, "b"));
  EXPECT_EQ(agent_phase(d.state, *d.state.agent("a")), model::AgentPhase::cancelled);
}

TEST(Reducer, AWorkspaceThatFailsEndsThatAgentOnly) {
  ReducerDriver d;
  d.create();
  d.send(model::RacePrepared{});
  d.send(model::WorkspaceFailed{"a", "no space"});
  EXPECT_FALSE(d.was_issued(Verb::run_agent, "a"));
  EXPECT_EQ(agent_evidence(d.state)[0].outcome, model::Outcome::launch_error);
}

TEST(Reducer, AFailedPreparationEndsTheRace) {
  ReducerDriver d;
  d.create();
  d.send(model::RaceFailed{"no git"});
  EXPECT_TRUE(d.was_issued(Verb::finish, ""));
}

TEST(Reducer, LateAndForeignEventsChangeNothing) {
  ReducerDriver d;
  d.run_agents({{"a", "t1"}});
  model::AgentEnded second{"a", {}, {}};
  second.verdict.outcome = model::Outcome::failed;
  d.send(second);
  EXPECT_EQ(d.state.agents[0].ended->verdict.outcome, model::Outcome::completed);
  d.send(model::Captured{"a", {}});
  EXPECT_EQ(d.state.agents[0].capture->tree, "t1");
  d.send(model::Captured{"nobody", {}});
  d.send(model::AgentEnded{"nobody", {}, {}});
}

// Whatever prefix of the log a dead daemon left, the next one asks for exactly the work that is not done, and
// the rest of the log still brings the race to its end.
TEST(Reducer, EveryPrefixOfALogResumes) {
  ReducerDriver d;
  d.run_agents({{"a", "t1"}, {"b", "t2"}});
  d.send(model::Published{});
  d.pass_all(kReducerBase);
  d.pass_all("a");
  d.pass_all("b");
  d.send(model::ScoringResult{});
  d.send(model::RaceEnded{model::RaceEnd::done});
  for (std::size_t cut = 1; cut < d.log.size(); ++cut) {
    State state;
    for (std::size_t i = 0; i < cut; ++i) apply(state, d.log[i]);
    auto commands = resume(state);
    EXPECT_FALSE(commands.empty()) << "nothing to do after event " << cut;
    EXPECT_TRUE(resume(state).empty()) << "issued twice after event " << cut;
    for (std::size_t i = cut; i < d.log.size(); ++i) (void)reduce_both_ways(state, d.log[i]);
    EXPECT_EQ(state.ended, model::RaceEnd::done);
  }
}

// `hydra merge --undo` takes merges back one after the other.
TEST(Reducer, AnUndoUncoversTheMergeBefore) {
  ReducerDriver d;
  d.create();
  d.send(model::Merged{"a", "commit-a", "refs/heads/main", false, "start", {}});
  d.send(model::Merged{"b", "commit-b", "refs/heads/main", false, "commit-a", {}});
  ASSERT_EQ(d.state.merged()->agent, "b");
  d.send(model::MergeUndone{"b", "commit-b", "refs/heads/main"});
  ASSERT_TRUE(d.state.merged());
  EXPECT_EQ(d.state.merged()->agent, "a");
  d.send(model::MergeUndone{"b", "commit-b", "refs/heads/main"});
  EXPECT_EQ(d.state.merges.size(), 1u) << "one that is not there takes nothing away";
  d.send(model::MergeUndone{"a", "commit-a", "refs/heads/main"});
  EXPECT_FALSE(d.state.merged());
}

}  // namespace
}  // namespace hydra::race
