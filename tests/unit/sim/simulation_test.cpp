// Many races on an engine that loses jobs, reports twice and late, and is not to be reached for a while.
#include "sim/simulation.hpp"

#include "base/files.hpp"
#include "exec/window.hpp"

#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

#include <stdlib.h>

namespace hydra::sim {
namespace {

namespace fs = std::filesystem;

struct Place {
  fs::path path;
  Place() {
    std::string pattern = (fs::temp_directory_path() / "hydra-sim-XXXXXX").string();
    path = ::mkdtemp(pattern.data());
  }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;
  ~Place() { (void)remove_tree(path); }
};

/// Worse than any engine: a tenth of everything goes wrong.
Options bad_engine(const Place& place, std::uint64_t seed) {
  Options options;
  options.database = place.path / ("seed" + std::to_string(seed) + ".db");
  options.seed = seed;
  options.races = 40;
  options.agents = 10;
  options.window = 50;
  options.again = 0.1;
  options.faults = {0.05, 0.05, 0.1, 600'000, 60'000};
  options.digest = true;
  return options;
}

void expect_whole(const Result<Report>& report, const Options& options) {
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_EQ(report->runs, 400u);
  EXPECT_EQ(report->accepted, report->runs - report->hopeless) << "every run has exactly one result";
  EXPECT_EQ(report->accepted_twice, 0u);
  EXPECT_EQ(report->engine.two_tokens, 0u) << "a run has one live token";
  EXPECT_LE(report->engine.most_live, static_cast<std::size_t>(options.window));
  EXPECT_EQ(report->live_at_end, 0u);
}

TEST(Simulation, EveryRunHasExactlyOneResultWhateverTheEngineDoes) {
  const Place place;
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    const auto options = bad_engine(place, seed);
    const auto report = simulate(options);
    expect_whole(report, options);
    // The engine did go wrong.
    EXPECT_GT(report->retries, 0u);
    EXPECT_GT(report->engine.stale, 0u);
    EXPECT_GT(report->engine.duplicates, 0u);
    EXPECT_EQ(report->engine.most_live, 50u) << "the window was full";
  }
}

TEST(Simulation, ADaemonThatDiesAndComesBackLosesNothingAndRunsNothingTwice) {
  const Place place;
  auto options = bad_engine(place, 4);
  options.restarts = 3;
  options.open_races = options.races;  // many more wait for the window than it has
  const auto report = simulate(options);
  expect_whole(report, options);
  EXPECT_EQ(report->restarts, 3u);
  EXPECT_GT(report->engine.adopted, 0u);
}

TEST(Simulation, TheSameSeedGivesTheSameBytes) {
  const Place place;
  auto options = bad_engine(place, 5);
  const auto first = simulate(options);
  options.database = place.path / "again.db";
  const auto second = simulate(options);
  options.database = place.path / "other.db";
  options.seed = 6;
  const auto other = simulate(options);
  ASSERT_TRUE(first.ok() && second.ok() && other.ok());
  EXPECT_EQ(first->digest, second->digest);
  EXPECT_EQ(first->events, second->events);
  EXPECT_NE(first->digest, other->digest);
}

exec::JobSpec job(const std::string& key) {
  exec::JobSpec spec;
  spec.key = key;
  spec.token = "token of " + key;
  spec.argv = {"true"};
  return spec;
}

TEST(Window, RacesTakeTurnsHoweverMuchOneOfThemAsks) {
  boost::asio::io_context loop;
  VirtualClock clock;
  FakeExecutor engine(clock, 1, {0, 0, 0, 0, 0});
  const auto window = exec::make_window(loop, engine, 1);
  std::string order;
  const auto submit = [&](const std::string& key) {
    ASSERT_TRUE(
        window->submit(job(key), [&](const exec::JobResult& r) { order += r.key.substr(0, 1); }).ok());
  };
  for (const char* key : {"a/x/agent/1", "a/x/agent/2", "a/x/agent/3", "a/x/agent/4", "b/x/agent/1",
                          "b/x/agent/2", "c/x/agent/1"})
    submit(key);
  EXPECT_EQ(engine.live(), 1u);
  while (clock.step()) {
  }
  EXPECT_EQ(order, "aabcaba");
}

TEST(Window, WhatWaitsCanBeCancelledAndNeverStarts) {
  boost::asio::io_context loop;
  VirtualClock clock;
  FakeExecutor engine(clock, 1, {0, 0, 0, 0, 0});
  const auto window = exec::make_window(loop, engine, 1);
  std::vector<std::string> ends;
  for (const char* key : {"a/x/agent/1", "a/x/agent/2"})
    ASSERT_TRUE(window
                    ->submit(job(key),
                             [&](const exec::JobResult& r) {
                               ends.push_back(r.key + " " + std::string(name(r.end)));
                             })
                    .ok());
  window->cancel("a/x/agent/2");
  loop.run();
  while (clock.step()) {
  }
  EXPECT_EQ(ends, (std::vector<std::string>{"a/x/agent/2 cancelled", "a/x/agent/1 exited"}));
  EXPECT_EQ(engine.counts().executions, 1u);
  EXPECT_TRUE(window->running().empty());
}

// Two projects with two limits: the race that submitted last does not lift the other one's.
TEST(Window, TheLeastThatARaceAsksForHoldsForAll) {
  boost::asio::io_context loop;
  VirtualClock clock;
  FakeExecutor engine(clock, 1, {0, 0, 0, 0, 0});
  const auto window = exec::make_window(loop, engine, 8);
  const auto submit = [&](const std::string& key, int most) {
    auto spec = job(key);
    spec.cluster = exec::ClusterRequest{};
    spec.cluster->window = most;
    ASSERT_TRUE(window->submit(spec, [](const exec::JobResult&) {}).ok());
  };
  submit("a/x/agent/1", 2);
  submit("b/x/agent/1", 5);
  submit("b/x/agent/2", 5);
  EXPECT_EQ(engine.live(), 2u);
  while (clock.step()) {
  }
  for (const char* key : {"b/x/agent/3", "b/x/agent/4", "b/x/agent/5"}) submit(key, 5);
  EXPECT_EQ(engine.live(), 3u);
}

TEST(Window, OfEachTokenTheFirstEndCounts) {
  boost::asio::io_context loop;
  VirtualClock clock;
  FakeExecutor engine(clock, 1, {0, 0, 1, 0, 0});  // everything is reported twice
  const auto window = exec::make_window(loop, engine, 3);
  int ends = 0;
  for (const char* key : {"a/x/agent/1", "a/x/agent/2", "a/x/agent/3"})
    ASSERT_TRUE(window->submit(job(key), [&](const exec::JobResult&) { ++ends; }).ok());
  while (clock.step()) {
  }
  EXPECT_EQ(engine.counts().duplicates, 3u);
  EXPECT_EQ(ends, 3);
}

}  // namespace
}  // namespace hydra::sim
