// When one result is enough, and who can't win any more.
#include "race/state/green.hpp"

#include "driven_race.hpp"

#include <gtest/gtest.h>

#include <array>
#include <functional>

namespace hydra::race {
namespace {

/// A race of a and b: a has ended with a green result, b works. `findings`: lint of the base, and of a.
State half_way(const std::function<void(model::RaceSpec&)>& change, std::array<int, 2> findings = {0, 0}) {
  auto spec = race_spec({"a", "b"});
  spec.config.evaluation.budget = 0;
  change(spec);
  DrivenRace race(spec);
  race.begin();
  race.send(model::WorkspaceReady{"b", "/w/b"});
  race.send(model::AgentStarting{"b", "r/b", 1});
  race.end_agent("a", DrivenRace::change("tree", "c", {1, 1, 1}));
  model::Integrity integrity;
  integrity.commit = "c";
  race.send(model::Inspected{"a", integrity});
  for (const std::string subject : {"@baseline", "a"}) {
    race.send(model::SubjectReady{subject_of(subject), "/c/" + subject});
    for (const auto dimension : {model::Dimension::build, model::Dimension::tests, model::Dimension::lint}) {
      if (!check_command(spec.config, dimension)) continue;
      model::CheckEvidence evidence;
      evidence.dimension = dimension;
      evidence.status = model::CheckStatus::passed;
      evidence.exit_code = 0;
      const auto found = findings[subject == "a" ? 1 : 0];
      if (dimension == model::Dimension::lint && found > 0) {
        evidence.status = model::CheckStatus::failed;
        evidence.exit_code = 1;
        auto& report = evidence.lint.emplace();
        report.format = "ruff";
        report.errors = found;
        report.warnings = 0;
      }
      race.send(model::CheckEnded{subject_of(subject), evidence});
    }
  }
  return race.state;
}

bool stops_the_rest(const State& state) { return wanted(state).contains({Verb::stop_rest, {}}); }

TEST(Green, OnlyWhereItIsAskedFor) {
  EXPECT_TRUE(stops_the_rest(half_way([](auto& spec) { spec.until_green = true; })));
  EXPECT_FALSE(stops_the_rest(half_way([](auto&) {})));
}

// Ruling H28: success, not the exit code.
TEST(Green, AnOldFindingOfTheBaseDoesNotKeepTheRestGoing) {
  const auto until_green = [](auto& spec) { spec.until_green = true; };
  EXPECT_TRUE(stops_the_rest(half_way(until_green, {1, 1})));
  EXPECT_FALSE(stops_the_rest(half_way(until_green, {1, 2})));
}

TEST(Green, NotWhileATestCouldStillTellSomething) {
  const auto state = half_way([](auto& spec) {
    spec.until_green = true;
    spec.config.evaluation.budget = 1;
  });
  EXPECT_FALSE(stops_the_rest(state));
  EXPECT_TRUE(wanted(state).contains({Verb::plan_cross, {}})) << "its own tests may say enough";
}

TEST(Green, TheOthersGetAsMuchTimeAsTheResultTookAndAtMostAMinute) {
  auto state = half_way([](auto& spec) { spec.until_green = true; });
  auto& job = state.agents.at(0).ended->job;
  job.wall_ms = 9'000;
  EXPECT_EQ(green_grace_ms(state, "a", 100'000), 9'000);
  job.wall_ms = 3'600'000;
  EXPECT_EQ(green_grace_ms(state, "a", 100'000), 60'000);
  state.green = {"a", 100'000};
  EXPECT_EQ(green_grace_ms(state, "a", 130'000), 30'000) << "the time runs on while no daemon does";
  EXPECT_EQ(green_grace_ms(state, "a", 400'000), 0);
  EXPECT_EQ(green_grace_ms(state, "a", 50'000), 60'000) << "the clock was set back";
}

TEST(Green, WhoIsRetriedIsNotStoppedAgain) {
  auto state = half_way([](auto& spec) { spec.until_green = true; });
  state.retried = {"b"};
  EXPECT_FALSE(stops_the_rest(state));
}

}  // namespace
}  // namespace hydra::race
