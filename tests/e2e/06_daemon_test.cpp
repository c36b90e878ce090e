// The daemon dies, stops, and starts: races go on where they were, and nothing runs twice.
#include "support/world.hpp"

#include <gmock/gmock.h>

#include <signal.h>

namespace hydra::e2e {
namespace {

using ::testing::HasSubstr;

class Restart : public ::testing::Test {
 protected:
  Restart() : gate(world.outside() / "gate") {}

  // Agents write a line to a counter outside and wait at the gate. FIFOs can be used over a read-only bind:
  // checks too.
  [[nodiscard]] std::string config() const {
    const auto out = world.outside().string();
    return "[sandbox]\nwrite = [\"" + out + "\"]\nread = [\"" + out + "\"]\n";
  }
  [[nodiscard]] std::string waiting_agent(const std::string& name) const {
    return script_agent(name, "echo " + name + " >> '" + counter() + "'; echo before >> src/app.txt; " +
                                  gate.script() + "; echo after >> src/app.txt");
  }
  [[nodiscard]] std::string counter() const { return (world.outside() / "counter").string(); }

  std::string start_race(const std::string& agents) {
    const auto run = world.hydra({"race", "--detach", "--json", "--agents", agents, "task"});
    EXPECT_EQ(run.exit, 0) << run.out << run.err;
    return race_id(run);
  }
  // Follows the race to its end.
  e2e::Run watch(const std::string& race) const { return world.hydra({"watch", race}); }

  void expect_done(const std::string& race, const Words& agents) const {
    const auto results = world.results(race);
    EXPECT_EQ(results["state"], "done");
    for (const auto& name : agents) {
      const auto agent = agent_of(results, name);
      EXPECT_EQ(agent["state"], "completed") << agent["message"];
      EXPECT_EQ(world.show(agent["branch"], "src/app.txt"), "one\ntwo\nthree\nbefore\nafter\n");
    }
  }

  World world;
  Gate gate;
};

TEST_F(Restart, KilledWhileAgentsRun) {
  world.project(config() + "[scoring]\ntest_command = \"true\"\n" + waiting_agent("a") + waiting_agent("b"));
  const auto race = start_race("a,b");
  ASSERT_TRUE(gate.arrived(2));
  world.kill_daemon(SIGKILL);
  EXPECT_EQ(world.status(race)["state"], "running");
  EXPECT_EQ(world.daemons().size(), 1u);
  gate.open(2);
  EXPECT_EQ(watch(race).exit, 0);
  expect_done(race, {"a", "b"});
  const auto lines = slurp(counter());
  EXPECT_TRUE(lines == "a\nb\n" || lines == "b\na\n") << lines;
}

TEST_F(Restart, AgentsEndWhileNoDaemonRuns) {
  world.project(config() + waiting_agent("a"));
  const auto race = start_race("a");
  ASSERT_TRUE(gate.arrived());
  world.kill_daemon(SIGKILL);
  gate.open();
  for (const auto pid : processes_with(world.root().string()))
    EXPECT_TRUE(wait_gone(pid)) << describe_process(pid);
  EXPECT_EQ(watch(race).exit, 0);
  expect_done(race, {"a"});
  EXPECT_EQ(slurp(counter()), "a\n");
}

TEST_F(Restart, KilledWhileChecksRun) {
  Gate check(world.outside() / "check");
  world.project(config() + "[scoring]\nbuild_command = \"\"\"grep -q fine src/app.txt || exit 0; " +
                check.script() + "\"\"\"\n" +
                script_agent("good", "echo good >> '" + counter() + "'; echo fine >> src/app.txt"));
  const auto race = start_race("good");
  ASSERT_TRUE(check.arrived());
  world.kill_daemon(SIGKILL);
  EXPECT_EQ(world.status(race)["state"], "running");
  check.open(2);  // a check may be begun again: it is repeatable
  EXPECT_EQ(watch(race).exit, 0);
  const auto good = agent_of(world.results(race), "good");
  EXPECT_EQ(good["dimensions"]["build"]["points"], 100.0);
  EXPECT_EQ(slurp(counter()), "good\n");
}

TEST_F(Restart, KilledRightAfterCreate) {
  world.project(config() + "[scoring]\ntest_command = \"true\"\n" + waiting_agent("a") + waiting_agent("b"));
  const auto race = start_race("a,b");
  world.kill_daemon(SIGKILL);
  EXPECT_EQ(world.results(race)["race"], race);
  ASSERT_TRUE(gate.arrived(2));
  gate.open(2);
  EXPECT_EQ(watch(race).exit, 0);
  expect_done(race, {"a", "b"});
  const auto lines = slurp(counter());
  EXPECT_TRUE(lines == "a\nb\n" || lines == "b\na\n") << lines;
}

TEST_F(Restart, KilledAgainAndAgain) {
  world.project(config() +
                "[scoring]\nbuild_command = \"true\"\ntest_command = \"true\"\nlint_command = \"true\"\n" +
                waiting_agent("a"));
  const auto race = start_race("a");
  ASSERT_TRUE(gate.arrived());
  gate.open();
  // Wherever each kill hits: the race still ends right.
  for (int i = 0; i < 8; ++i) {
    const auto state = world.status(race)["state"];
    for (const auto pid : world.daemons()) {
      ::kill(pid, SIGKILL);
      EXPECT_TRUE(wait_gone(pid));
    }
    if (state == "done") break;
  }
  EXPECT_EQ(watch(race).exit, 0);
  expect_done(race, {"a"});
  EXPECT_EQ(slurp(counter()), "a\n");
}

TEST_F(Restart, FollowerSurvivesTheDaemon) {
  world.project(config() + waiting_agent("a"));
  auto follower = world.start({"race", "--agents", "a", "task"});
  ASSERT_TRUE(gate.arrived());
  ASSERT_TRUE(follower->wait_line("a: started"));
  world.kill_daemon(SIGKILL);
  gate.open();
  const auto run = follower->wait();
  EXPECT_EQ(run.exit, 0) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("race done"));
  EXPECT_EQ(run.out.find("a: started"), run.out.rfind("a: started")) << "an event was shown twice";
  expect_done(race_id(run), {"a"});
}

TEST_F(Restart, StopAndStartGoesOn) {
  world.project(config() + waiting_agent("a"));
  const auto race = start_race("a");
  ASSERT_TRUE(gate.arrived());
  const auto old = world.daemons();
  ASSERT_EQ(old.size(), 1u);
  EXPECT_EQ(world.hydra({"daemon", "stop"}).exit, 0);
  EXPECT_TRUE(wait_gone(old[0]));
  const auto start = world.hydra({"daemon", "start"});
  EXPECT_EQ(start.exit, 0) << start.err;
  gate.open();
  EXPECT_EQ(watch(race).exit, 0);
  expect_done(race, {"a"});
  EXPECT_EQ(slurp(counter()), "a\n");
}

TEST_F(Restart, TerminationLetsAgentsGoOn) {
  world.project(config() + waiting_agent("a"));
  const auto race = start_race("a");
  ASSERT_TRUE(gate.arrived());
  world.kill_daemon(SIGTERM);
  EXPECT_TRUE(world.socket().empty());
  gate.open();
  EXPECT_EQ(watch(race).exit, 0);
  expect_done(race, {"a"});
}

TEST_F(Restart, CancelAfterARestartStopsAdoptedAgents) {
  world.project(config() + waiting_agent("a"));
  const auto race = start_race("a");
  ASSERT_TRUE(gate.arrived());
  world.kill_daemon(SIGKILL);
  EXPECT_EQ(world.hydra({"cancel", race}).exit, 0);
  watch(race);
  const auto results = world.results(race);
  EXPECT_EQ(results["state"], "cancelled");
  EXPECT_EQ(agent_of(results, "a")["outcome"], "cancelled");
}

TEST_F(Restart, SupervisorIsKilled) {
  world.project(config() + waiting_agent("a") +
                script_agent("good", "echo before >> src/app.txt; echo after >> src/app.txt"));
  const auto race = start_race("a,good");
  ASSERT_TRUE(gate.arrived());
  for (const auto pid : processes_with("/attempts/a/agent-1"))
    if (process_name(pid) == "hydra-shim") ::kill(pid, SIGKILL);
  watch(race);
  const auto results = world.results(race);
  EXPECT_EQ(results["state"], "done");
  EXPECT_EQ(agent_of(results, "a")["outcome"], "lost");
  expect_done(race, {"good"});
  EXPECT_EQ(slurp(counter()), "a\n");
}

TEST(Daemon, TwoWorldsSideBySide) {
  World one, two;
  for (auto* world : {&one, &two}) {
    world->project(script_agent("good", "echo fine >> src/app.txt"));
    EXPECT_EQ(world->race({"--agents", "good", "task"}).exit, 0);
  }
  EXPECT_NE(one.daemons(), two.daemons());
  EXPECT_EQ(one.list()["races"].size(), 1u);
  EXPECT_EQ(two.list()["races"].size(), 1u);
}

TEST(Daemon, FiveAtOnceStartOne) {
  World world;
  world.project(script_agent("good", "true"));
  std::vector<std::unique_ptr<Process>> runs;
  for (int i = 0; i < 5; ++i) runs.push_back(world.start({"list", "--json"}));
  for (auto& run : runs) {
    const auto ended = run->wait();
    EXPECT_EQ(ended.exit, 0) << ended.err;
    EXPECT_EQ(Json::parse(ended.out)["races"], Json::array());
  }
  EXPECT_EQ(world.daemons().size(), 1u);
}

TEST(Daemon, StaleSocketIsReplaced) {
  World world;
  world.project(script_agent("good", "true"));
  EXPECT_EQ(world.hydra({"list", "--json"}).exit, 0);
  const auto socket = world.socket();
  world.kill_daemon(SIGKILL);
  ASSERT_TRUE(fs::is_socket(socket));
  const auto run = world.hydra({"list", "--json"});
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_EQ(world.daemons().size(), 1u);
}

TEST(Daemon, StatusDoesNotStartOne) {
  World world;
  world.init();
  const auto run = world.hydra({"daemon", "status", "--json"});
  EXPECT_EQ(Json::parse(run.out)["running"], false);
  EXPECT_TRUE(world.daemons().empty());
}

TEST(Daemon, DirectoriesAreForTheUserOnly) {
  World world;
  world.project(script_agent("good", "echo fine >> src/app.txt"));
  ASSERT_EQ(world.race({"--agents", "good", "task"}).exit, 0);
  for (const auto& path : {world.state(), world.runtime()})
    EXPECT_EQ(fs::status(path).permissions() & fs::perms::mask, fs::perms::owner_all) << path;
  EXPECT_EQ(fs::status(world.socket()).permissions() & (fs::perms::group_all | fs::perms::others_all),
            fs::perms::none);
}

}  // namespace
}  // namespace hydra::e2e
