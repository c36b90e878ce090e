// When one result is enough, and who can't win any more.
#include "race/green.hpp"

#include "both_ways.hpp"
#include "race_spec.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace hydra::race {
namespace {

/// A race of a and b: a has ended with a green result, b works.
State half_way(const std::function<void(model::RaceSpec&)>& change) {
  auto spec = race_spec({"a", "b"});
  spec.config.selection.cross_tests = model::CrossTests::off;
  change(spec);
  State state;
  std::int64_t id = 0;
  const auto send = [&](model::EventBody body) {
    ++id;
    (void)reduce_both_ways(state, {id, "r", id * 10, std::move(body)});
  };
  send(model::RaceCreated{spec});
  send(model::RacePrepared{});
  for (const std::string name : {"a", "b"}) {
    send(model::WorkspaceReady{name, "/w/" + name});
    send(model::AgentStarting{name, "r/" + name, 1});
  }
  model::AgentEnded ended{"a", {}, {}};
  ended.verdict.outcome = model::Outcome::completed;
  ended.job.wall_ms = 1000;
  send(ended);
  model::Capture capture;
  capture.tree = "tree";
  capture.commit = "c";
  capture.changed = true;
  capture.diff = {1, 1, 1};
  send(model::Captured{"a", capture});
  model::Integrity integrity;
  integrity.commit = "c";
  send(model::Inspected{"a", integrity});
  for (const std::string subject : {"@baseline", "a"}) {
    send(model::SubjectReady{subject, "/c/" + subject});
    for (const auto dimension : {model::Dimension::build, model::Dimension::tests, model::Dimension::lint}) {
      if (!check_command(spec.config, dimension)) continue;
      model::CheckEvidence evidence;
      evidence.dimension = dimension;
      evidence.status = model::CheckStatus::passed;
      evidence.exit_code = 0;
      send(model::CheckEnded{subject, evidence});
    }
  }
  return state;
}

bool stops_the_rest(const State& state) { return wanted(state).contains({Verb::stop_rest, {}}); }

TEST(Green, OnlyWhereItIsAskedFor) {
  EXPECT_TRUE(stops_the_rest(half_way([](auto& spec) { spec.until_green = true; })));
  EXPECT_FALSE(stops_the_rest(half_way([](auto&) {})));
}

TEST(Green, NotWhileATestCouldStillTellSomething) {
  const auto state = half_way([](auto& spec) {
    spec.until_green = true;
    spec.config.selection.cross_tests = model::CrossTests::automatic;
  });
  EXPECT_FALSE(stops_the_rest(state));
  EXPECT_TRUE(wanted(state).contains({Verb::plan_cross, {}})) << "its own tests may say enough";
}

TEST(Green, WhoIsRetriedIsNotStoppedAgain) {
  auto state = half_way([](auto& spec) { spec.until_green = true; });
  state.retried_last = "b";
  EXPECT_FALSE(stops_the_rest(state));
}

TEST(Dominated, OnlyWhoWorkedLongerThanAResultWithAllPointsAndNoise) {
  const auto state = half_way([](auto& spec) {
    spec.config.limits.stop_dominated = true;
    spec.config.scoring.order = model::Order::composite;
  });
  EXPECT_EQ(dominated_by(state, *state.agent("b"), 6001), "a");
  EXPECT_EQ(dominated_by(state, *state.agent("b"), 5999), "") << "5 s are noise";
  const auto off = half_way([](auto& spec) { spec.config.scoring.order = model::Order::composite; });
  EXPECT_EQ(dominated_by(off, *off.agent("b"), 60000), "");
}

TEST(Dominated, NobodyWhileATestMayBeBrought) {
  const auto state = half_way([](auto& spec) {
    spec.config.limits.stop_dominated = true;
    spec.config.scoring.order = model::Order::evidence;
    spec.config.selection.cross_tests = model::CrossTests::automatic;
  });
  EXPECT_EQ(dominated_by(state, *state.agent("b"), 60000), "");
}

}  // namespace
}  // namespace hydra::race
