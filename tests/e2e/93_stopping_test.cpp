// Stopping: cancelling a race or an agent, and what an interrupted or killed client leaves alone.
#include "support/world.hpp"

#include <gmock/gmock.h>

#include <signal.h>

namespace hydra::e2e::HYDRA_FILE {
namespace {

using ::testing::HasSubstr;

class Stopping : public ::testing::Test {
 protected:
  Stopping() : gate(world.outside() / "gate") {
    world.project("[sandbox]\nwrite = [\"" + world.outside().string() +
                  "\"]\n[scoring]\ntest_command = \"true\"\n" +
                  script_agent("a", "echo a >> src/app.txt; " + gate.script()) +
                  script_agent("b", "echo b >> src/app.txt; " + gate.script()));
  }
  World world;
  Gate gate;
};

TEST_F(Stopping, CancelOfTheRace) {
  auto run = world.start({"race", "--agents", "a,b", "task"});
  ASSERT_TRUE(gate.arrived(2));
  EXPECT_EQ(world.status()["agents"][0]["state"], "running");
  EXPECT_EQ(world.hydra({"cancel"}).exit, 0);
  const auto ended = run->wait();
  EXPECT_EQ(ended.exit, 1) << ended.out << ended.err;
  const auto results = world.results();
  EXPECT_EQ(results["state"], "cancelled");
  for (const char* name : {"a", "b"}) {
    const auto agent = agent_of(results, name);
    EXPECT_EQ(agent["state"], "cancelled");
    EXPECT_EQ(agent["eligible"], false);
    // The work that was done is kept.
    EXPECT_EQ(world.show(agent["branch"], "src/app.txt"), "one\ntwo\nthree\n" + std::string(name) + "\n");
  }
  EXPECT_NE(world.hydra({"cancel"}).exit, 0);
}

TEST_F(Stopping, CancelOfOneAgent) {
  auto run = world.start({"race", "--agents", "a,b", "task"});
  ASSERT_TRUE(gate.arrived(2));
  EXPECT_EQ(world.hydra({"cancel", "--agent", "a"}).exit, 0);
  EXPECT_NE(world.hydra({"cancel", "--agent", "nobody"}).exit, 0);
  ASSERT_TRUE(run->wait_line("a: cancelled"));
  gate.open();
  EXPECT_EQ(run->wait().exit, 0) << run->out() << run->err();
  const auto results = world.results();
  EXPECT_EQ(results["state"], "done");
  EXPECT_EQ(results["winner"], "b");
  EXPECT_EQ(agent_of(results, "a")["outcome"], "cancelled");
  EXPECT_EQ(agent_of(results, "b")["outcome"], "completed");
}

TEST_F(Stopping, CancelNamesAnAgentAlone) {
  auto run = world.start({"race", "--agents", "a,b", "task"});
  ASSERT_TRUE(gate.arrived(2));
  const auto race = world.status()["race"].get<std::string>();
  EXPECT_NE(world.hydra({"cancel", "nobody"}).exit, 0);
  EXPECT_NE(world.hydra({"cancel", race + "/nobody"}).exit, 0);
  const auto one = world.hydra({"cancel", "a"});
  EXPECT_EQ(one.exit, 0) << one.err;
  EXPECT_NE(one.out.find("Agent a"), std::string::npos) << one.out;
  ASSERT_TRUE(run->wait_line("a: cancelled"));
  EXPECT_EQ(agent_of(world.results(), "b")["state"], "running") << "the other one goes on";
  const auto other = world.hydra({"cancel", race + "/b"});
  EXPECT_NE(other.out.find("Agent b"), std::string::npos) << other.out << other.err;
  EXPECT_EQ(run->wait().exit, 1);
  EXPECT_EQ(agent_of(world.results(), "b")["outcome"], "cancelled");
}

TEST_F(Stopping, InterruptLeavesTheRaceAlone) {
  auto run = world.start({"race", "--agents", "a,b", "task"});
  ASSERT_TRUE(gate.arrived(2));
  ASSERT_TRUE(run->wait_line("b: started"));
  run->signal(SIGINT);
  const auto left = run->wait();
  EXPECT_EQ(left.exit, 130);
  EXPECT_THAT(left.err, HasSubstr("The race continues"));
  EXPECT_THAT(left.err, HasSubstr("hydra watch"));
  gate.open(2);
  EXPECT_EQ(world.hydra({"watch"}).exit, 0);
  EXPECT_EQ(world.results()["state"], "done");
}

TEST_F(Stopping, KilledClientLeavesTheRaceAlone) {
  auto run = world.start({"race", "--agents", "a,b", "task"});
  ASSERT_TRUE(gate.arrived(2));
  run->signal(SIGKILL);
  run->wait();
  gate.open(2);
  EXPECT_EQ(world.hydra({"watch"}).exit, 0);
  EXPECT_EQ(agent_of(world.results(), "a")["state"], "completed");
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
