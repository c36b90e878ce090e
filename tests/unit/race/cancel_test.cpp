// A cancel behind every event of races of several shapes: the race ends, captures stay, and the states say
// what became of each result.
#include "both_ways.hpp"
#include "race/state/judging.hpp"
#include "race/state/state.hpp"
#include "race/views/views.hpp"
#include "race_spec.hpp"
#include "wire/json.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>
#include <map>

namespace hydra::race {
namespace {

using model::AgentPhase;
using model::CheckStatus;
using model::Dimension;
using nlohmann::json;
using ::testing::AnyOf;

const std::string kBase(model::kBaseline);

model::CheckEvidence passing(Dimension dimension) {
  model::CheckEvidence check;
  check.dimension = dimension;
  check.status = CheckStatus::passed;
  check.exit_code = 0;
  if (dimension == Dimension::tests) {
    check.tests.emplace();
    check.tests->complete = true;
    check.tests->tests = {{"one", model::TestStatus::passed}};
    check.tests->counts.passed = check.tests->counts.total = 1;
  }
  return check;
}

// The effects of a race without a machine: each command is answered by the events of one that goes well.
class Played {
 public:
  explicit Played(const model::RaceSpec& spec) { send(model::RaceCreated{spec}); }
  explicit Played(const std::vector<model::Event>& past) {
    for (const auto& event : past) apply(state, event);
    id_ = static_cast<std::int64_t>(past.size());
    commands = resume(state);
  }

  void send(model::EventBody body) {
    const model::Event event{++id_, "r", id_ * 10, std::move(body)};
    log.push_back(event);
    for (auto& command : reduce_both_ways(state, event)) commands.push_back(command);
  }
  /// Carries out what was issued until nothing is left; false: it never ends.
  bool go() {
    for (int step = 0; step < 500; ++step) {
      if (commands.empty()) return true;
      const auto command = commands.front();
      commands.erase(commands.begin());
      carried_out.push_back(command);
      for (auto& event : answer(command)) send(std::move(event));
    }
    return false;
  }

  /// Cancels the race to its end. What was under way for the checks is stopped; with `late` it is heard of
  /// all the same, as a result that came first or as a check that did not start.
  bool cancel(bool late) {
    checks_report_their_end = late;
    const auto before = commands;
    commands.clear();
    send(model::CancelRequested{});
    for (const auto& command : before) {
      const bool stays = command.verb == Verb::prepare_race || command.verb == Verb::prepare_workspace ||
                         command.verb == Verb::capture || command.verb == Verb::publish ||
                         command.verb == Verb::finish;
      if (!late && !stays) continue;
      for (auto& event : answer(command)) send(std::move(event));
    }
    return go() && state.ended.has_value();
  }

  State state;
  std::vector<model::Event> log;
  std::vector<Command> commands, carried_out;
  bool checks_report_their_end = true;  ///< a check that is stopped may be stored as one that did not start

 private:
  std::vector<model::EventBody> answer(const Command& command) const {
    const auto& subject = command.subject;
    const auto name = text(subject);
    const auto* agent = state.agent(name);
    switch (command.verb) {
      case Verb::prepare_race:
        return {model::RacePrepared{}};
      case Verb::prepare_workspace:
        return {model::WorkspaceReady{name, "/w/" + name}};
      case Verb::run_agent: {
        if (agent->begun() || agent->never_runs()) return {};  // adopted: stop_agent ends it
        model::AgentEnded ended{name, {}, {}};
        ended.verdict.outcome = model::Outcome::completed;
        return {model::AgentStarting{name, "r/" + name, agent->due}, ended};
      }
      case Verb::stop_agent: {
        if (!agent->begun() || agent->ended) return {};
        model::AgentEnded ended{name, {}, {}};
        ended.verdict.outcome = model::Outcome::cancelled;
        return {ended};
      }
      case Verb::capture: {
        model::Capture capture;
        capture.changed = name != "same";
        capture.tree = capture.changed ? (name == "twin" ? "t-a" : "t-" + name) : "base";
        capture.commit = "c-" + name;
        return {model::Captured{name, capture}};
      }
      case Verb::inspect:
        return {model::Inspected{name, {}}};
      case Verb::prepare_subject: {
        model::WorkspaceFacts facts;
        facts.warm = subject.kind != Kind::cold;
        std::vector<model::EventBody> events;
        if (agent) {
          model::Integrity integrity;
          integrity.own_run = name == "a";
          if (integrity.own_run) integrity.restored.push_back({"t_test.py", model::Restored::base, "a test"});
          events.emplace_back(model::Inspected{name, integrity});
        }
        events.emplace_back(model::SubjectReady{subject, "/c/" + name, facts});
        return events;
      }
      case Verb::run_check:
        return {model::CheckEnded{subject, passing(command.dimension)}};
      case Verb::preflight_clock:
        return {model::BaselineWorks{}};
      case Verb::repeat_tests:
        return {model::CheckRepeated{subject, passing(Dimension::tests)}};
      case Verb::stop_checks: {
        if (!checks_report_their_end) return {};
        const auto found = state.subjects.find(subject);
        if (found == state.subjects.end() || found->second.path.empty()) return {};
        for (const auto dimension : {Dimension::build, Dimension::tests, Dimension::lint}) {
          if (evidence(found->second.checks, dimension)) continue;
          model::CheckEvidence stopped;
          stopped.dimension = dimension;
          return {model::CheckEnded{subject, stopped}};
        }
        return {};
      }
      case Verb::publish: {
        model::Published published;
        for (const auto& each : state.agents)
          if (each.capture && each.capture->changed && each.branch.empty())
            published.branches.emplace_back(each.entry.name, "hydra/" + each.entry.name);
        return {published};
      }
      case Verb::plan_twins:
        return {model::TwinsPlanned{}};
      case Verb::plan_cross:
        return {model::CrossPlanned{}};
      case Verb::sum_cross:
        return {model::CrossTested{}};
      case Verb::next_round:
      case Verb::stop_rest:
        return {};
      case Verb::plan_judges:
        return {model::JudgesPlanned{plan_judgements(state, "1", "secret")}};
      case Verb::judge: {
        model::Judgement judgement;
        judgement.subject = subject;
        return {model::Judged{judgement}};
      }
      case Verb::rank_first:
      case Verb::rank: {
        model::Ranking ranking;
        for (const auto& each : state.agents) {
          model::RankedAgent row;
          row.agent = each.entry.name;
          ranking.agents.push_back(row);
        }
        ranking.winner = "a";
        ranking.auto_merge = true;
        return {model::ScoringResult{ranking, command.verb == Verb::rank}};
      }
      case Verb::auto_merge:
        return {model::Merged{name, "m", "refs/heads/main", true, "b", ""}};
      case Verb::finish:
        return {model::RaceEnded{!state.failure.empty() ? model::RaceEnd::failed
                                 : state.cancelled      ? model::RaceEnd::cancelled
                                                        : model::RaceEnd::done}};
      case Verb::retry_agent:
        return {};
    }
    return {};
  }

  std::int64_t id_ = 0;
};

model::RaceSpec spec_with(const std::function<void(model::RaceSpec&)>& change) {
  auto spec = race_spec({"a", "b", "twin", "same"});
  change(spec);
  return spec;
}

struct Shape {
  const char* name;
  std::function<void(model::RaceSpec&)> change;
};

class Cancel : public testing::TestWithParam<Shape> {
 protected:
  Cancel() : race(spec_with(GetParam().change)) {
    EXPECT_TRUE(race.go());
    EXPECT_EQ(race.state.ended, model::RaceEnd::done);
  }
  [[nodiscard]] std::vector<model::Event> prefix(std::size_t count) const {
    return {race.log.begin(), race.log.begin() + static_cast<std::ptrdiff_t>(count)};
  }
  Played race;
};

INSTANTIATE_TEST_SUITE_P(
    Shapes, Cancel,
    testing::Values(Shape{"standard", [](auto&) {}},
                    Shape{"fast", [](auto& s) { s.config.evaluation.verify = model::Verify::fast; }},
                    Shape{"strict", [](auto& s) { s.config.evaluation.verify = model::Verify::strict; }},
                    Shape{"preflight", [](auto& s) { s.preflight = true; }},
                    Shape{"automerge", [](auto& s) { s.config.merge.automatic = true; }},
                    Shape{"judged",
                          [](auto& s) {
                            s.config.judges.resize(2);
                            s.config.judges[0].name = "x";
                            s.config.judges[1].name = "y";
                          }},
                    Shape{"unconfigured",
                          [](auto& s) {
                            s.config.scoring.build_command.reset();
                            s.config.scoring.test_command.reset();
                            s.config.scoring.lint_command.reset();
                          }}),
    [](const auto& shape) { return std::string(shape.param.name); });

void expect_ended_right(const Played& cancelled, const State& before) {
  const auto& state = cancelled.state;
  EXPECT_EQ(state.ended, model::RaceEnd::cancelled);
  for (const auto& command : cancelled.carried_out)
    EXPECT_THAT(command.verb, AnyOf(Verb::run_agent, Verb::stop_agent, Verb::capture, Verb::publish,
                                    Verb::stop_checks, Verb::finish));
  for (const auto& agent : state.agents) {
    const auto& name = agent.entry.name;
    const auto phase = agent_phase(state, agent);
    EXPECT_THAT(phase, AnyOf(AgentPhase::cancelled, AgentPhase::not_checked, AgentPhase::not_ranked,
                             AgentPhase::no_changes, AgentPhase::completed))
        << name;
    EXPECT_EQ(agent.capture.has_value(), agent.begun()) << name << ": what began is captured";
    const auto* earlier = before.agent(name);
    EXPECT_EQ(agent.begun(), earlier->begun()) << name << ": nothing begins after a cancel";
    if (earlier->capture) {
      EXPECT_EQ(agent.capture->commit, earlier->capture->commit) << name;
      EXPECT_EQ(agent.branch, agent.capture->changed ? "hydra/" + name : "") << name;
    }
    if (phase == AgentPhase::completed) {
      EXPECT_TRUE(state.ranking.has_value());
    }
    if (phase == AgentPhase::not_checked) {
      EXPECT_TRUE(unchecked(state, agent));
    }
    if (phase == AgentPhase::not_ranked) {
      EXPECT_FALSE(unchecked(state, agent));
    }
  }
  EXPECT_THAT(baseline_phase(state), AnyOf(model::BasePhase::cancelled, model::BasePhase::checked,
                                           model::BasePhase::not_configured));
}

TEST_P(Cancel, BehindEveryEventTheRaceEndsAndTheStatesAreTrue) {
  std::size_t states = 0;
  for (std::size_t n = 1; n < race.log.size(); ++n) {
    for (const bool told : {true, false}) {
      SCOPED_TRACE(testing::Message() << "behind event " << n << ", told " << told);
      Played cancelled(prefix(n));
      const State before = cancelled.state;
      ASSERT_TRUE(cancelled.cancel(told));
      expect_ended_right(cancelled, before);
      // No view shows work that nobody does.
      const LiveOf nothing = [](const AgentState&) { return LiveView{}; };
      const auto status = json::parse(wire::to_json(status_view(cancelled.state, {}, nothing, {}, "")));
      for (const auto& agent : status["agents"]) {
        states += agent["checks"].size();
        for (const auto& [check, how] : agent["checks"].items())
          EXPECT_THAT(how, testing::Not(AnyOf("waiting", "running", "not_started"))) << check;
      }
      for (const auto& [check, how] : status["baseline"]["checks"].items())
        EXPECT_THAT(how, testing::Not(AnyOf("waiting", "running", "not_started"))) << check;
      if (cancelled.state.ranking) continue;
      const bool configured = std::string(GetParam().name) != "unconfigured";
      for (auto all = json::parse(wire::to_json(results_view(cancelled.state, {})));
           const auto& agent : all["agents"])
        for (const auto& [name, row] : agent["dimensions"].items()) {
          const bool check = name != "diff_size" && name != "speed";
          EXPECT_EQ(row["status"], configured || !check ? "not_ranked" : "not_configured") << name;
        }
    }
  }
  EXPECT_EQ(states > 0, std::string(GetParam().name) != "unconfigured");
}

// By counting events: a result is checked when each of its three commands has been seen to end, the base's
// tests too, and its own tests where there are such.
TEST(CancelOfOneThatRunsNothingTwice, WhatWasNotCheckedIsSaid) {
  Played race(spec_with([](auto& spec) { spec.config.evaluation.verify = model::Verify::fast; }));
  ASSERT_TRUE(race.go());
  for (std::size_t n = 1; n < race.log.size(); ++n) {
    std::map<std::string, int> ended;
    bool ranked = false;
    const std::vector<model::Event> prefix(race.log.begin(),
                                           race.log.begin() + static_cast<std::ptrdiff_t>(n));
    for (const auto& event : prefix) {
      if (const auto* check = std::get_if<model::CheckEnded>(&event.body)) ++ended[text(check->subject)];
      ranked = ranked || std::holds_alternative<model::ScoringResult>(event.body);
    }
    Played cancelled(prefix);
    ASSERT_TRUE(cancelled.cancel(false));
    for (const auto& agent : cancelled.state.agents) {
      if (!agent.capture || !agent.capture->changed) continue;
      // "twin" has the tree of a where a's capture counts.
      const auto owner = check_owner(cancelled.state, agent);
      EXPECT_EQ(unchecked(cancelled.state, agent), ended[text(owner)] < 3 && !(ranked && !agent.cancelled))
          << agent.entry.name << " behind event " << n;
    }
    EXPECT_EQ(baseline_phase(cancelled.state),
              ended[kBase] == 3 ? model::BasePhase::checked : model::BasePhase::cancelled)
        << n;
  }
}

// The cancel ended the run with the result's own tests, and its end was stored before the race's.
TEST(CancelOfOneThatRunsNothingTwice, ACutRunWithOwnTestsIsNotChecked) {
  Played race(spec_with([](auto&) {}));
  ASSERT_TRUE(race.go());
  const auto own = Subject::of("a").as(Kind::own_tests);
  const auto end = std::find_if(race.log.begin(), race.log.end(), [&](const auto& event) {
    const auto* check = std::get_if<model::CheckEnded>(&event.body);
    return check && check->subject == own && check->evidence.dimension == model::Dimension::tests;
  });
  ASSERT_NE(end, race.log.end());
  Played cancelled({race.log.begin(), end});
  cancelled.send(model::CancelRequested{});
  auto cut = std::get<model::CheckEnded>(end->body);
  cut.evidence.status = model::CheckStatus::not_started;
  cancelled.send(cut);
  ASSERT_TRUE(cancelled.go());
  EXPECT_TRUE(unchecked(cancelled.state, *cancelled.state.agent("a")));
}

TEST_P(Cancel, ARetryChecksWhatTheCancelLeft) {
  int tried = 0;
  for (std::size_t n = 1; n < race.log.size(); ++n) {
    Played again(prefix(n));
    ASSERT_TRUE(again.cancel(false));
    if (!again.state.prepared || again.state.merged()) continue;
    ++tried;
    model::RetryRequested retry;
    retry.agent = "b";
    again.send(retry);
    ASSERT_TRUE(again.go()) << "behind event " << n;
    EXPECT_EQ(again.state.ended, model::RaceEnd::done) << "behind event " << n;
    ASSERT_TRUE(again.state.ranking.has_value());
    EXPECT_THAT(baseline_phase(again.state),
                AnyOf(model::BasePhase::checked, model::BasePhase::not_configured));
    EXPECT_FALSE(unchecked(again.state, *again.state.agent("b")));
    for (const auto& agent : again.state.agents)
      if (agent.capture && !agent.cancelled) {
        EXPECT_FALSE(unchecked(again.state, agent)) << agent.entry.name;
      }
  }
  EXPECT_GT(tried, 10) << "behind nearly every event";
}

TEST_P(Cancel, ACombinationIsCheckedLikeARetry) {
  const auto captured = std::find_if(race.log.begin(), race.log.end(), [](const auto& event) {
    const auto* capture = std::get_if<model::Captured>(&event.body);
    return capture && capture->agent == "b";
  });
  ASSERT_NE(captured, race.log.end());
  Played half(prefix(static_cast<std::size_t>(captured - race.log.begin()) + 1));
  ASSERT_TRUE(half.cancel(false));
  model::Capture capture;
  capture.changed = true;
  capture.tree = "t-parts";
  capture.commit = "c-parts";
  half.send(model::Combined{"parts", "a + b", capture, 1});
  ASSERT_TRUE(half.go());
  EXPECT_EQ(half.state.ended, model::RaceEnd::done);
  EXPECT_FALSE(unchecked(half.state, *half.state.agent("parts")));
}

}  // namespace
}  // namespace hydra::race
