// Attempts after the first: the fold, without a machine.
#include "both_ways.hpp"
#include "race/state/state.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace hydra::race {
namespace {
using model::CheckStatus;
using model::Dimension;
using model::Outcome;
class Attempts : public ::testing::Test {
 protected:
  Attempts() {
    spec.id = "r";
    spec.repository.base_tree = "base";
    spec.config.scoring.build_command = "make";
    for (const char* name : {"a", "b"}) {
      spec.agents.push_back({name, name, ""});
      spec.config.agents[name].resume_command = {"x", "{session}"};
    }
  }
  void create() {
    send(model::RaceCreated{spec});
    send(model::RacePrepared{});
    for (const char* name : {"a", "b"}) send(model::WorkspaceReady{name, std::string("/w/") + name});
  }
  void send(model::EventBody body) {
    const model::Event event{++id, "r", id * 10, std::move(body)};
    issued = reduce_both_ways(state, event);
  }
  static model::AgentEnded ended(const std::string& name, Outcome outcome,
                                 const std::string& error_class = {}) {
    model::AgentEnded e{name, {}, {}};
    e.job.wall_ms = 1000;
    e.verdict.outcome = outcome;
    e.verdict.error_class = model::of_name<model::ErrorClass>(error_class);
    e.verdict.session = "s-" + name;
    e.verdict.usage.input = 100;
    e.verdict.usage.output = 10;
    e.verdict.usage.cost_usd = 0.25;
    return e;
  }
  void run(const std::string& name, const model::AgentEnded& end) {
    const int number = state.agent(name)->due;
    send(model::AgentStarting{name, "r/" + name + "/agent/" + std::to_string(number), number});
    send(end);
  }
  void capture(const std::string& name, const std::string& tree) {
    model::Capture c;
    c.tree = tree;
    c.commit = "c-" + tree;
    c.changed = true;
    send(model::Captured{name, c});
  }
  void check(const std::string& subject) {
    send(model::SubjectReady{subject_of(subject), "/c/" + subject});
    model::CheckEvidence e;
    e.dimension = Dimension::build;
    e.status = CheckStatus::passed;
    send(model::CheckEnded{subject_of(subject), e});
  }
  [[nodiscard]] bool wants(Verb verb, const std::string& subject) const {
    const auto all = wanted(state);
    return std::any_of(all.begin(), all.end(),
                       [&](const auto& c) { return c.verb == verb && c.subject == subject_of(subject); });
  }
  // The whole race of both to its end.
  void finish() {
    create();
    check(std::string(model::kBaseline));
    for (const char* name : {"a", "b"}) {
      run(name, ended(name, Outcome::completed));
      capture(name, std::string("t-") + name);
      check(name);
    }
    send(model::Published{{{"a", "hydra/a-1"}, {"b", "hydra/b-1"}}});
    send(model::ScoringResult{});
    send(model::RaceEnded{model::RaceEnd::done});
  }
  static model::RetryRequested by_hand(const std::string& name) {
    model::RetryRequested r;
    r.agent = name;
    r.session = "s-" + name;
    r.prompt = "go on";
    return r;
  }

  model::RaceSpec spec;
  State state;
  std::vector<Command> issued;
  std::int64_t id = 0;
};

TEST_F(Attempts, AStoppedAgentIsStoppedOnceAndItsWorkCaptured) {
  create();
  send(model::AgentStarting{"a", "r/a/agent/1", 1});
  model::StopRequested stop;
  stop.agent = "a";
  stop.reason = model::StopReason::budget;
  stop.message = "stopped: budget of $1.00 reached at $1.03";
  send(stop);
  EXPECT_EQ(issued, (std::vector<Command>{{Verb::stop_agent, Subject::of("a"), Dimension::build}}));
  auto second = stop;
  second.reason = model::StopReason::idle;
  send(second);
  EXPECT_EQ(state.agent("a")->stop->reason, model::StopReason::budget) << "the first reason stays";
  send(ended("a", Outcome::over_budget));
  EXPECT_TRUE(wants(Verb::capture, "a"));
  capture("a", "t");
  EXPECT_TRUE(wants(Verb::prepare_subject, "a")) << "and it is checked";
  EXPECT_EQ(final_outcome(*state.agent("a")), Outcome::over_budget);
}

TEST_F(Attempts, AStopSurvivesARestart) {
  create();
  send(model::AgentStarting{"a", "r/a/agent/1", 1});
  model::StopRequested stop;
  stop.agent = "a";
  stop.reason = model::StopReason::auth;
  send(stop);
  state.issued.clear();  // a daemon that was started anew
  const auto again = resume(state);
  const auto at = [&](Verb verb) {
    return std::ranges::find(again, Command{verb, Subject::of("a"), Dimension::build}) - again.begin();
  };
  EXPECT_LT(at(Verb::run_agent), at(Verb::stop_agent)) << "adopted first";
  EXPECT_LT(at(Verb::stop_agent), static_cast<long>(again.size()));
}

TEST_F(Attempts, AnAgentThatTheRacesBudgetLetsNotBeginIsOver) {
  create();
  model::StopRequested stop;
  stop.agent = "b";
  stop.reason = model::StopReason::race_budget;
  send(stop);
  EXPECT_TRUE(wants(Verb::stop_agent, "b")) << "it may be waiting for its turn";
  EXPECT_FALSE(wants(Verb::run_agent, "b"));
  EXPECT_EQ(final_outcome(*state.agent("b")), Outcome::over_budget);
  EXPECT_EQ(agent_phase(state, *state.agent("b")), model::AgentPhase::over_budget);
  check(std::string(model::kBaseline));
  run("a", ended("a", Outcome::completed));
  capture("a", "t-a");
  check("a");
  EXPECT_TRUE(wants(Verb::publish, "")) << "nobody waits for b";
}

TEST_F(Attempts, ARateLimitRunsAgainOnlyAsOftenAsConfigured) {
  spec.config.limits.retries = 1;
  create();
  run("a", ended("a", Outcome::failed, "rate_limit"));
  EXPECT_TRUE(wants(Verb::retry_agent, "a"));
  EXPECT_FALSE(wants(Verb::capture, "a"));
  EXPECT_FALSE(wants(Verb::publish, ""));
  EXPECT_EQ(agent_phase(state, *state.agent("a")), model::AgentPhase::queued);
  model::RetryRequested retry;
  retry.agent = "a";
  retry.automatic = retry.fresh = true;
  send(retry);
  EXPECT_TRUE(wants(Verb::prepare_workspace, "a")) << "nothing was changed: a new one";
  send(model::WorkspaceReady{"a", "/w/a"});
  EXPECT_TRUE(wants(Verb::run_agent, "a"));
  EXPECT_EQ(state.agent("a")->due, 2);
  run("a", ended("a", Outcome::failed, "rate_limit"));
  EXPECT_FALSE(wants(Verb::retry_agent, "a")) << "used up";
  EXPECT_TRUE(wants(Verb::capture, "a"));
}

TEST_F(Attempts, OnlyPassingTroubleRunsAgain) {
  spec.config.limits.retries = 3;
  for (const auto& [outcome, error_class, again] :
       std::vector<std::tuple<Outcome, std::string, bool>>{{Outcome::failed, "provider", true},
                                                           {Outcome::launch_error, "rate_limit", true},
                                                           {Outcome::failed, "auth", false},
                                                           {Outcome::failed, "agent_error", false},
                                                           {Outcome::timed_out, "provider", false},
                                                           {Outcome::completed, "", false}}) {
    state = {};
    create();
    run("a", ended("a", outcome, error_class));
    EXPECT_EQ(wants(Verb::retry_agent, "a"), again) << model::name(outcome) << " " << error_class;
  }
}

TEST_F(Attempts, NoRetryWithoutConfigurationOrOverBudgetOrCancelled) {
  create();
  run("a", ended("a", Outcome::failed, "rate_limit"));
  EXPECT_FALSE(wants(Verb::retry_agent, "a")) << "retries = 0";

  spec.config.limits.retries = 3;
  spec.config.limits.budget_usd = 0.25;
  state = {};
  create();
  run("a", ended("a", Outcome::failed, "rate_limit"));
  EXPECT_FALSE(wants(Verb::retry_agent, "a")) << "its budget is used up";

  spec.config.limits.budget_usd = 0;
  state = {};
  create();
  run("a", ended("a", Outcome::failed, "rate_limit"));
  ASSERT_TRUE(wants(Verb::retry_agent, "a"));
  send(model::CancelRequested{"a"});
  EXPECT_FALSE(wants(Verb::retry_agent, "a"));
  EXPECT_TRUE(wants(Verb::capture, "a")) << "its work is kept";
}

TEST_F(Attempts, ARetryByHandWakesTheRace) {
  finish();
  ASSERT_EQ(race_phase(state), model::RacePhase::done);
  ASSERT_TRUE(wanted(state).empty());
  send(by_hand("a"));
  EXPECT_EQ(race_phase(state), model::RacePhase::running);
  EXPECT_EQ(issued, (std::vector<Command>{{Verb::run_agent, Subject::of("a"), Dimension::build}}))
      << "in the same worktree; b and the baseline rest";
  run("a", ended("a", Outcome::completed));
  capture("a", "t-a2");
  EXPECT_TRUE(wants(Verb::prepare_subject, "a")) << "what was checked before is not this";
  EXPECT_FALSE(wants(Verb::prepare_subject, "b"));
  EXPECT_GT((CheckRun{life_of(state, subject_of("a"))}.number()), 1000) << "logs of the first check stay";
  check("a");
  EXPECT_TRUE(wants(Verb::publish, ""));
  send(model::Published{{{"a", "hydra/a-1-2"}}});
  EXPECT_TRUE(wants(Verb::rank, ""));
  EXPECT_EQ(state.agent("b")->branch, "hydra/b-1");
  ASSERT_EQ(state.agent("a")->earlier.size(), 1u);
  EXPECT_EQ(state.agent("a")->earlier[0].branch, "hydra/a-1") << "nothing is lost";
  const auto rows = agent_evidence(state);
  EXPECT_EQ(rows[0].duration_ms, 2000) << "both worked on this result";
}

TEST_F(Attempts, UsageAddsUpAndBudgetsBeginAnewByHand) {
  finish();
  send(by_hand("a"));
  const auto& a = *state.agent("a");
  EXPECT_EQ(earlier_usage(a, false).input, 100);
  EXPECT_EQ(earlier_usage(a, false).cost_usd, 0.25);
  EXPECT_FALSE(earlier_usage(a, true).cost_usd) << "asked for by hand: a budget of its own";
  EXPECT_EQ(resume_base(a).input, 100) << "the session had used it before";
  EXPECT_TRUE(counts_for_race(state, a));
  EXPECT_FALSE(counts_for_race(state, *state.agent("b")));
}

TEST_F(Attempts, AnAutomaticRetryCountsAgainstTheSameBudget) {
  spec.config.limits.retries = 2;
  create();
  run("a", ended("a", Outcome::failed, "provider"));
  model::RetryRequested retry;
  retry.agent = "a";
  retry.automatic = true;
  send(retry);
  EXPECT_EQ(earlier_usage(*state.agent("a"), true).cost_usd, 0.25);
  EXPECT_FALSE(resume_base(*state.agent("a")).input) << "a new session";
  EXPECT_EQ(work_ms(*state.agent("a")), 1000) << "kept work was paid for with time";
  retry.fresh = true;
  run("a", ended("a", Outcome::failed, "provider"));
  send(retry);
  EXPECT_EQ(work_ms(*state.agent("a")), 0) << "nothing of it is left";
}

TEST_F(Attempts, ARetryOfARunningAgentChangesNothing) {
  create();
  send(model::AgentStarting{"a", "r/a/agent/1", 1});
  send(by_hand("a"));
  EXPECT_EQ(state.agent("a")->due, 1);
  EXPECT_TRUE(state.agent("a")->earlier.empty());
}

TEST_F(Attempts, TheTreeOfARetriedAgentIsNoLongerSomebodyElsesOwner) {
  create();
  check(std::string(model::kBaseline));
  for (const char* name : {"a", "b"}) {
    run(name, ended(name, Outcome::completed));
    capture(name, "same");
  }
  check("a");
  ASSERT_EQ(check_owner(state, *state.agent("b")), Subject::of("a"));
  send(model::Published{});
  send(model::ScoringResult{});
  send(model::RaceEnded{model::RaceEnd::done});
  send(by_hand("a"));
  EXPECT_EQ(check_owner(state, *state.agent("b")), Subject::of("b"));
  EXPECT_TRUE(wants(Verb::prepare_subject, "b")) << "its evidence was a's";
}

// The state of checks when a race was cancelled is no verdict about a result, the baseline's or another
// agent's: a retry of one agent checks all of them again.
TEST_F(Attempts, ARetryAfterACancelledRaceChecksEverybodyAgain) {
  create();
  for (const char* name : {"a", "b"}) {
    run(name, ended(name, Outcome::completed));
    capture(name, std::string("t-") + name);
  }
  send(model::CancelRequested{});
  model::CheckEvidence stopped;
  stopped.status = CheckStatus::not_started;
  send(model::CheckEnded{subject_of("b"), stopped});
  send(model::SubjectFailed{Subject::baseline(), "cancelled", "", {}, true});
  send(model::Published{});
  send(model::RaceEnded{model::RaceEnd::cancelled});
  send(by_hand("a"));
  EXPECT_TRUE(wants(Verb::prepare_subject, "b"));
  EXPECT_TRUE(wants(Verb::prepare_subject, std::string(model::kBaseline)));
  EXPECT_FALSE(checks_done(state, Subject::baseline()));
  EXPECT_EQ((CheckRun{life_of(state, subject_of("b"))}.number()), 1001) << "apart from the stopped runs";
}

TEST_F(Attempts, ARetryAfterAFinishedRaceKeepsTheOthersEvidence) {
  finish();
  send(by_hand("a"));
  EXPECT_TRUE(checks_done(state, subject_of("b")));
  EXPECT_TRUE(checks_done(state, Subject::baseline()));
}

// A verification is judged by the same times, outcomes and transcripts as what it verifies.
TEST_F(Attempts, AVerificationTakesOverEveryAttempt) {
  create();
  check(std::string(model::kBaseline));
  for (const char* name : {"a", "b"}) {
    run(name, ended(name, Outcome::completed));
    capture(name, std::string("t-") + name);
    check(name);
  }
  send(model::Published{{{"a", "hydra/a-1"}, {"b", "hydra/b-1"}}});
  send(model::ScoringResult{});
  send(model::RaceEnded{model::RaceEnd::done});
  send(by_hand("a"));
  run("a", ended("a", Outcome::completed));
  capture("a", "t-a2");
  check("a");
  model::Capture parts;
  parts.commit = parts.tree = "t-c";
  parts.changed = true;
  send(model::Published{{{"a", "hydra/a-2"}}});
  send(model::ScoringResult{});
  send(model::RaceEnded{model::RaceEnd::done});
  send(model::Combined{"combined", "a:x, b:y", parts, 1500});

  State again;
  auto spec_again = spec;
  spec_again.verifies = "r";
  apply(again, {1, "v", 1, model::RaceCreated{spec_again}});
  std::int64_t number = 1;
  for (const auto& agent : state.agents)
    for (auto& event : results_again(agent)) apply(again, {++number, "v", number, std::move(event)});
  ASSERT_EQ(again.agents.size(), 3u);
  const auto stored = agent_evidence(state), found = agent_evidence(again);
  for (std::size_t i = 0; i < stored.size(); ++i) {
    EXPECT_EQ(found[i].agent, stored[i].agent);
    EXPECT_EQ(found[i].display, stored[i].display);
    EXPECT_EQ(found[i].duration_ms, stored[i].duration_ms) << stored[i].agent;
    EXPECT_EQ(found[i].outcome, stored[i].outcome);
    ASSERT_TRUE(found[i].capture);
    EXPECT_EQ(found[i].capture->commit, stored[i].capture->commit);
  }
  EXPECT_EQ(stored[0].duration_ms, 2000) << "both attempts are in the result";
  ASSERT_EQ(again.agents[0].earlier.size(), 1u);
  EXPECT_TRUE(again.agents[0].earlier[0].same_work);
  EXPECT_EQ(again.agents[0].attempts, 2);
  EXPECT_EQ(again.agents[0].workspace, "/w/a");
}

// ---- an attempt that never ran, over the work of the one before

TEST_F(Attempts, WorkOfTheEarlierAttemptIsCapturedWhereTheNextNeverBegins) {
  const auto stop = [] {
    model::StopRequested s;
    s.agent = "a";
    s.reason = model::StopReason::race_budget;
    return s;
  };
  for (const int how : {0, 1, 2}) {
    spec.config.limits.retries = 1;
    state = {};
    create();
    run("a", ended("a", Outcome::failed, "rate_limit"));
    model::RetryRequested retry;
    retry.agent = "a";
    retry.automatic = true;  // not fresh: it had changed something
    send(retry);
    ASSERT_TRUE(wants(Verb::run_agent, "a"));
    if (how == 0) send(stop());
    if (how == 1) send(model::CancelRequested{"a"});
    if (how == 2) send(model::WorkspaceFailed{"a", "the agent left no directory"});
    EXPECT_TRUE(wants(Verb::capture, "a")) << how;
    EXPECT_FALSE(wants(Verb::run_agent, "a")) << how;
    EXPECT_EQ(wants(Verb::stop_agent, "a"), how != 2) << how;
    check(std::string(model::kBaseline));
    run("b", ended("b", Outcome::completed));
    capture("b", "t-b");
    check("b");
    EXPECT_FALSE(wants(Verb::publish, "")) << "not before it is captured";
    capture("a", "t-a");
    if (how != 1) check("a");
    EXPECT_TRUE(wants(Verb::publish, "")) << how;
    EXPECT_EQ(agent_evidence(state)[0].duration_ms, 1000);
    EXPECT_EQ(final_outcome(*state.agent("a")), how == 0   ? Outcome::over_budget
                                                : how == 1 ? Outcome::cancelled
                                                           : Outcome::launch_error);
  }
}

TEST_F(Attempts, AFreshAttemptThatNeverBeginsLeavesNothing) {
  spec.config.limits.retries = 1;
  create();
  run("a", ended("a", Outcome::failed, "rate_limit"));
  model::RetryRequested retry;
  retry.agent = "a";
  retry.automatic = retry.fresh = true;
  send(retry);
  send(model::CancelRequested{"a"});
  EXPECT_FALSE(wants(Verb::capture, "a"));
}

TEST_F(Attempts, AStartThatWasStoredAfterACancelIsNone) {
  create();
  send(model::CancelRequested{"a"});
  send(model::AgentStarting{"a", "r/a/agent/1", 1});
  EXPECT_FALSE(state.agent("a")->begun());
  EXPECT_FALSE(wants(Verb::run_agent, "a"));
  EXPECT_EQ(agent_phase(state, *state.agent("a")), model::AgentPhase::cancelled);
}

TEST_F(Attempts, OneThatHadReportedARateLimitAndDidNotLeaveRunsAgain) {
  spec.config.limits.retries = 1;
  for (const auto reason : {model::StopReason::finished, model::StopReason::budget}) {
    state = {};
    create();
    send(model::AgentStarting{"a", "r/a/agent/1", 1});
    model::StopRequested stop;
    stop.agent = "a";
    stop.reason = reason;
    send(stop);
    send(ended("a", Outcome::failed, "rate_limit"));
    EXPECT_EQ(wants(Verb::retry_agent, "a"), reason == model::StopReason::finished) << name(reason);
  }
}

TEST_F(Attempts, MoneyOfWhichAPartIsNotKnownSaysSo) {
  model::Usage known, unknown, nothing;
  known.input = 10;
  known.cost_usd = 0.5;
  unknown.input = 20;
  EXPECT_TRUE(add_usage(known, unknown).partial);
  EXPECT_TRUE(add_usage(unknown, known).partial);
  EXPECT_EQ(add_usage(known, unknown).cost_usd, 0.5);
  EXPECT_FALSE(add_usage(known, nothing).partial) << "it used nothing";
  EXPECT_FALSE(add_usage(known, known).partial);
  EXPECT_FALSE(add_usage(unknown, unknown).partial) << "no money is shown at all";
}

TEST_F(Attempts, EverythingRefusedIsToldWithWhatToDo) {
  create();
  auto end = ended("a", Outcome::completed);
  end.verdict.denied = true;
  run("a", end);
  model::Capture none;
  none.tree = "base";
  send(model::Captured{"a", none});
  const auto verdict = final_verdict(*state.agent("a"));
  EXPECT_EQ(verdict.outcome, Outcome::misconfigured);
  EXPECT_EQ(model::name(verdict.error_class), "launch_error");
  EXPECT_NE(verdict.message.find("let it act without asking"), std::string::npos);
  EXPECT_EQ(final_outcome(*state.agent("a")), Outcome::misconfigured);
  end.agent = "b";
  run("b", end);
  capture("b", "t-b");
  EXPECT_EQ(final_outcome(*state.agent("b")), Outcome::completed) << "it did change something";
  EXPECT_EQ(model::name(final_verdict(*state.agent("b")).error_class), "");
}

// A CLI that takes ten seconds to leave has done its work when it says so.
TEST_F(Attempts, LeavingIsNoWork) {
  create();
  auto end = ended("a", Outcome::completed);
  end.job.wall_ms = 20'000;
  end.job.leaving_ms = 9'000;
  run("a", end);
  EXPECT_EQ(work_ms(*state.agent("a")), 11'000);
}

// Its CLI can't go on with a session: the new one is told what was before.
TEST_F(Attempts, ANewSessionInTheOldWorktreeIsToldWhatWasBefore) {
  spec.task = "add a greeting";
  create();
  auto end = ended("a", Outcome::failed);
  end.verdict.final_text = "I have begun with greet.py.";
  run("a", end);
  const auto prompt = told_again(state, *state.agent("a"), {});
  EXPECT_TRUE(prompt.starts_with("add a greeting\n\n")) << prompt;
  EXPECT_NE(prompt.find("I have begun with greet.py."), std::string::npos);
  EXPECT_NE(prompt.find("still there"), std::string::npos);
  EXPECT_TRUE(told_again(state, *state.agent("a"), "in German").ends_with("\n\nin German"));
  EXPECT_EQ(told_again(state, *state.agent("b"), {}), "") << "nothing was done: the task is enough";
  EXPECT_EQ(told_again(state, *state.agent("b"), "in German"), "add a greeting\n\nin German");
}

}  // namespace
}  // namespace hydra::race
