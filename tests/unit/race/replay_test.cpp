// Every prefix of a recorded log through the reducer: a daemon that died behind any event goes on right.
#include "base/files.hpp"
#include "both_ways.hpp"
#include "race/state/state.hpp"
#include "storage/event_store.hpp"
#include "storage/sum.hpp"
#include "support/places.hpp"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <algorithm>
#include <unistd.h>

namespace hydra::race {
namespace {

class Replay : public testing::Test {
 protected:
  void SetUp() override {
    char pattern[] = "/tmp/hydra-replay-XXXXXX";
    directory_ = ::mkdtemp(pattern);
    const auto sql = read_file(places::golden("/storage/race.sql"));
    ASSERT_TRUE(sql.ok());
    storage::know_sums();
    sqlite3* db = nullptr;
    ASSERT_EQ(sqlite3_open((directory_ / "hydra.db").c_str(), &db), SQLITE_OK);
    ASSERT_EQ(sqlite3_exec(db, sql->c_str(), nullptr, nullptr, nullptr), SQLITE_OK);
    sqlite3_close(db);
    const auto store = storage::EventStore::open(directory_ / "hydra.db");
    ASSERT_TRUE(store.ok());
    const auto races = (*store)->races({}, 1);
    auto events = (*store)->events(races->at(0).id, 0);
    ASSERT_TRUE(events.ok());
    log = std::move(*events);
  }
  void TearDown() override { (void)remove_tree(directory_); }

  [[nodiscard]] State folded(std::size_t count) const {
    State state;
    for (std::size_t i = 0; i < count; ++i) apply(state, log[i]);
    return state;
  }
  std::vector<model::Event> log;

 private:
  std::filesystem::path directory_;
};

TEST_F(Replay, EveryPrefixWantsWhatTheLiveRaceWanted) {
  State live;
  for (std::size_t n = 1; n <= log.size(); ++n) {
    reduce_both_ways(live, log[n - 1]);
    auto restarted = folded(n);
    EXPECT_EQ(wanted(restarted), wanted(live)) << "behind event " << n;
    const auto commands = resume(restarted);
    // There is always a next step until the end, or the race would stand still for ever.
    EXPECT_EQ(commands.empty(), restarted.ended.has_value()) << "behind event " << n;
    EXPECT_TRUE(resume(restarted).empty()) << "issued twice behind event " << n;
  }
  EXPECT_EQ(live.ended, model::RaceEnd::done);
}

TEST_F(Replay, WhatFollowsAPrefixIsTheSameAsWithoutARestart) {
  State live;
  for (const auto& event : log) reduce(live, event);
  for (std::size_t n = 1; n < log.size(); ++n) {
    auto state = folded(n);
    resume(state);
    for (std::size_t i = n; i < log.size(); ++i) reduce_both_ways(state, log[i]);
    EXPECT_EQ(state.ended, live.ended);
    EXPECT_EQ(state.last_event, live.last_event);
    ASSERT_TRUE(state.ranking.has_value());
    EXPECT_EQ(state.ranking->winner, live.ranking->winner);
    EXPECT_EQ(wanted(state), wanted(live));
  }
}

// cancel_test.cpp goes on from there to the end.
TEST_F(Replay, ACancelBehindEveryEventWantsTheEndAndNoMoreChecks) {
  for (std::size_t n = 1; n < log.size(); ++n) {
    auto state = folded(n);
    resume(state);
    reduce(state, {static_cast<std::int64_t>(n) + 1, log[0].race, 0, model::CancelRequested{}});
    const auto next = wanted(state);
    EXPECT_FALSE(next.empty()) << "behind event " << n;
    for (const auto& command : next) {
      const auto verb = command.verb;
      EXPECT_TRUE(verb == Verb::run_agent || verb == Verb::stop_agent || verb == Verb::capture ||
                  verb == Verb::publish || verb == Verb::stop_checks || verb == Verb::finish)
          << "behind event " << n;
    }
    EXPECT_NE(baseline_phase(state), model::BasePhase::checking) << "behind event " << n;
    for (const auto& agent : state.agents)
      EXPECT_NE(agent_phase(state, agent), model::AgentPhase::ranked) << n;
  }
}

// At-least-once: an effect that was carried out before a kill may be carried out and reported again.
TEST_F(Replay, AnEventTwiceChangesNothing) {
  for (std::size_t n = 2; n <= log.size(); ++n) {
    auto once = folded(n);
    auto twice = folded(n);
    apply(twice, log[n - 1]);
    EXPECT_EQ(wanted(twice), wanted(once)) << "event " << n;
    EXPECT_EQ(race_phase(twice), race_phase(once));
    for (const auto& agent : once.agents) {
      const auto* other = twice.agent(agent.entry.name);
      EXPECT_EQ(agent_phase(twice, *other), agent_phase(once, agent)) << "event " << n;
      EXPECT_EQ(other->attempts, agent.attempts);
    }
    EXPECT_EQ(twice.capture_order, once.capture_order);
  }
}

}  // namespace
}  // namespace hydra::race
