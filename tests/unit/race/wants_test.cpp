// Cost of one step of a race: the number of agents that are asked what they want, so no clock is needed.
#include "both_ways.hpp"
#include "race_spec.hpp"

#include <string>

namespace hydra::race {
namespace {

using model::Dimension;

constexpr int kAgents = 200;
constexpr std::uint64_t kPerAgent = 8;  ///< its events

std::string name_of(int agent) { return "a" + std::to_string(agent); }

/// A race of many agents that work side by side, each with a tree of its own; answers how many were asked
/// while they did.
class LongRace {
 public:
  LongRace() {
    std::vector<std::string> names;
    for (int i = 0; i < kAgents; ++i) names.push_back(name_of(i));
    send(model::RaceCreated{race_spec(names)});
    send(model::RacePrepared{});
    pass("@baseline");
  }
  void send(model::EventBody body) {
    const model::Event event{++id_, "r", id_ * 10, std::move(body)};
    (void)reduce(state, event);
  }
  void pass(const std::string& subject) {
    send(model::SubjectReady{subject_of(subject), "/c/" + subject});
    for (const auto dimension : {Dimension::build, Dimension::tests, Dimension::lint}) {
      model::CheckEvidence evidence;
      evidence.dimension = dimension;
      evidence.status = model::CheckStatus::passed;
      evidence.exit_code = 0;
      send(model::CheckEnded{subject_of(subject), evidence});
    }
  }
  void run(const std::string& name, const std::string& tree) {
    send(model::WorkspaceReady{name, "/w/" + name});
    send(model::AgentStarting{name, "r/" + name, 1});
    model::AgentEnded ended{name, {}, {}};
    ended.verdict.outcome = model::Outcome::completed;
    send(ended);
    model::Capture capture;
    capture.tree = tree;
    capture.commit = "c-" + tree;
    capture.changed = true;
    send(model::Captured{name, capture});
    pass(name);
  }
  State state;

 private:
  std::int64_t id_ = 0;
};

TEST(Wants, AnEventAsksTheAgentThatItSpeaksOfAndNobodyElse) {
  LongRace race;
  const auto before = race.state.wants.asked;
  for (int i = 0; i < kAgents; ++i) race.run(name_of(i), "tree-" + name_of(i));
  EXPECT_EQ(race.state.wants.asked - before, kPerAgent * kAgents);
  EXPECT_TRUE(race.state.issued == wanted(race.state));
}

TEST(Wants, WhoHasTheSameResultIsAskedToo) {
  LongRace race;
  for (int i = 0; i < 3; ++i) race.run(name_of(i), "tree");
  const auto before = race.state.wants.asked;
  race.pass(name_of(0));
  EXPECT_EQ(race.state.wants.asked - before, 4u * 3u);
  EXPECT_TRUE(race.state.issued == wanted(race.state));
}

TEST(Wants, WhatConcernsAllIsAskedOfAll) {
  LongRace race;
  const auto before = race.state.wants.asked;
  race.send(model::CancelRequested{});
  EXPECT_EQ(race.state.wants.asked - before, static_cast<std::uint64_t>(kAgents));
}

}  // namespace
}  // namespace hydra::race
