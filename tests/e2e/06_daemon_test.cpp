// The daemon dies, stops, and starts: races go on where they were, and nothing runs twice.
#include "support/world.hpp"

#include <gmock/gmock.h>

#include <chrono>
#include <fstream>
#include <set>
#include <signal.h>
#include <sstream>
#include <thread>

namespace hydra::e2e::HYDRA_FILE {
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

// A kill follows each stored event in turn: every state that the fold can be in is resumed at least once.
TEST_F(Restart, KilledBehindEveryEvent) {
  world.project(config() + "[scoring]\nbuild_command = \"true\"\ntest_command = \"true\"\n" +
                script_agent("a", "echo a >> '" + counter() +
                                      "'; echo before >> src/app.txt; echo after >> src/app.txt"));
  auto follower = world.start({"race", "--json", "--agents", "a", "task"});
  int kills = 0;
  // The follower connects again by itself, and what it has shown is not shown again.
  while (follower->wait_line("\"event\":")) {
    if (follower->out().find("\"event\":\"results\"") != std::string::npos) break;
    for (const auto pid : world.daemons()) {
      ::kill(pid, SIGKILL);
      ++kills;
    }
  }
  const auto run = follower->wait();
  EXPECT_EQ(run.exit, 0) << run.out << run.err;
  EXPECT_GE(kills, 5);
  expect_done(world.results()["race"], {"a"});
  EXPECT_EQ(slurp(counter()), "a\n");
  std::set<std::string> ids;
  std::istringstream lines(run.out);
  for (std::string line; std::getline(lines, line);) {
    const auto event = Json::parse(line);
    EXPECT_TRUE(!event.contains("id") || ids.insert(event["id"].dump()).second) << line;
  }
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

TEST(Daemon, StopComesBackWhenTheProcessIsGone) {
  World world;
  world.project(script_agent("good", "echo fine >> src/app.txt"));
  for (int i = 0; i < 5; ++i) {
    ASSERT_EQ(world.hydra({"daemon", "start"}).exit, 0);
    ASSERT_EQ(world.hydra({"daemon", "stop"}).exit, 0);
    EXPECT_TRUE(world.daemons().empty()) << "round " << i;
  }
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
  for (const auto pid : processes_with(world.attempt(race, "a", "agent").string()))
    if (process_name(pid) == "hydra-shim") ::kill(pid, SIGKILL);
  watch(race);
  const auto results = world.results(race);
  EXPECT_EQ(results["state"], "done");
  EXPECT_EQ(agent_of(results, "a")["outcome"], "lost");
  expect_done(race, {"good"});
  EXPECT_EQ(slurp(counter()), "a\n");
}

// A merge that dies with its daemon is finished or undone by the next one, never left in between.
TEST_F(Restart, KilledWhileItMerges) {
  for (const char* hook : {"commit-msg", "post-merge"}) {
    World own;
    Gate merging(own.outside() / "merging");
    own.project(script_agent("good", "echo fine >> src/app.txt"));
    // Before the race: a hook that comes later is a changed repository.
    own.write(fs::path(".git/hooks") / hook, "#!/bin/sh\n" + merging.script() + "\n", true);
    ASSERT_EQ(own.race({"--agents", "good", "task"}).exit, 0);
    own.write("README.md", "# Edited\n");
    const auto before = own.git({"rev-parse", "HEAD"});
    auto merge = own.start({"merge", "--yes"});
    ASSERT_TRUE(merging.arrived()) << hook;
    own.kill_daemon(SIGKILL);
    merging.open(2);
    const auto run = merge->wait();
    EXPECT_NE(run.exit, 0) << hook;
    fs::remove(own.repo() / ".git/hooks" / hook);
    const auto results = own.results();  // starts the next daemon, which looks at the journal first
    const bool merged = own.git({"rev-parse", "HEAD"}) != before;
    EXPECT_EQ(merged, std::string(hook) == "post-merge");
    EXPECT_EQ(own.read("src/app.txt"), merged ? "one\ntwo\nthree\nfine\n" : "one\ntwo\nthree\n");
    EXPECT_EQ(own.git({"status", "--porcelain"}), " M README.md") << hook;
    EXPECT_EQ(own.hydra({"merge", "--yes", "--accept-changes"}).exit, 0) << hook;
    EXPECT_EQ(own.read("src/app.txt"), "one\ntwo\nthree\nfine\n");
    EXPECT_EQ(own.read("README.md"), "# Edited\n");
    own.tolerate(".keep");
  }
}

// Programs and libraries are read again when somebody asks for something.
TEST(Daemon, OneThatWaitsGivesBackWhatARaceNeeded) {
  World world;
  world.project("[scoring]\nbuild_command = \"true\"\n" + script_agent("a", "echo fine >> src/app.txt"));
  const auto mapped_kib = [](pid_t daemon) {
    const auto status = slurp("/proc/" + std::to_string(daemon) + "/status");
    const auto at = status.find("RssFile:");
    return at == std::string::npos ? 0L : std::stol(status.substr(at + 8));
  };
  // The second one is over before the daemon looks again.
  for (int race = 0; race < 2; ++race) {
    EXPECT_EQ(world.race({"--agents", "a", "task"}).exit, 0);
    const auto daemon = world.daemons().front();
    const auto after_the_race = mapped_kib(daemon);
    ASSERT_GT(after_the_race, 0);
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (mapped_kib(daemon) > after_the_race / 2 && std::chrono::steady_clock::now() < give_up)
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_LE(mapped_kib(daemon), after_the_race / 2) << race;
  }
  EXPECT_EQ(world.results()["state"], "done");
  EXPECT_EQ(world.daemons().size(), 1u);
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

// As logind does at the last logout.
TEST(Daemon, RuntimeDirectoryThatVanishesIsMadeAgain) {
  World world;
  world.project(script_agent("good", "true"));
  EXPECT_EQ(world.hydra({"list", "--json"}).exit, 0);
  const auto before = world.daemons();
  ASSERT_EQ(before.size(), 1u);
  fs::remove_all(world.runtime().parent_path());
  fs::create_directories(world.runtime().parent_path());
  fs::permissions(world.runtime().parent_path(), fs::perms::owner_all);
  const auto run = world.hydra({"list", "--json"});
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_EQ(world.daemons(), before);
  fs::remove_all(world.runtime().parent_path());
  const auto stopped = world.hydra({"daemon", "stop"});
  EXPECT_EQ(stopped.exit, 0) << stopped.err;
  EXPECT_THAT(stopped.out, HasSubstr("Stopped."));
  EXPECT_TRUE(world.daemons().empty());
}

TEST(Daemon, OneThatDoesNotAnswerIsNamed) {
  World world;
  world.project(script_agent("good", "true"));
  EXPECT_EQ(world.hydra({"list", "--json"}).exit, 0);
  const auto daemons = world.daemons();
  ASSERT_EQ(daemons.size(), 1u);
  ASSERT_EQ(::kill(daemons[0], SIGSTOP), 0);
  fs::remove(world.socket());
  const auto status = world.hydra({"daemon", "status"});
  EXPECT_EQ(status.exit, 3) << status.out;
  EXPECT_THAT(status.err, HasSubstr("pid " + std::to_string(daemons[0])));
  const auto json = Json::parse(world.hydra({"daemon", "status", "--json"}).out);
  EXPECT_EQ(json["running"], true);
  EXPECT_EQ(json["answers"], false);
  EXPECT_EQ(world.hydra({"daemon", "stop"}).exit, 0);
  EXPECT_TRUE(world.daemons().empty());
}

TEST(Daemon, StatusDoesNotStartOne) {
  World world;
  world.init();
  const auto run = world.hydra({"daemon", "status", "--json"});
  EXPECT_EQ(Json::parse(run.out)["running"], false);
  EXPECT_TRUE(world.daemons().empty());
}

TEST(Daemon, ABrokenDatabaseIsMovedAsideAndItsRacesAreFoundByTheirFiles) {
  World world;
  world.project(script_agent("good", "echo fine >> src/app.txt"));
  const auto first = world.race({"--agents", "good", "task"});
  ASSERT_EQ(first.exit, 0) << first.out << first.err;
  ASSERT_EQ(world.hydra({"daemon", "stop"}).exit, 0);
  std::ofstream(world.state() / "hydra.db")
      << "this is no database, and longer than a header of one would be at all";
  const auto list = world.hydra({"list", "--json"});
  EXPECT_EQ(list.exit, 0) << list.out << list.err;
  EXPECT_THAT(list.out, HasSubstr("\"winner\":\"good\""));
  const auto results = world.hydra({"results", "last"});
  EXPECT_EQ(results.exit, 0) << results.out << results.err;
  EXPECT_THAT(results.out, HasSubstr("good"));
  const auto doctor = world.hydra({"doctor"});
  EXPECT_THAT(doctor.out, HasSubstr("the database was damaged and is kept as " +
                                    (world.state() / "hydra.db.damaged-").string()));
}

TEST(Daemon, StateDirectoryThatCannotBeMade) {
  World world;
  world.project(script_agent("good", "true"));
  std::ofstream(world.root() / "file") << "in the way";
  world.set_environment("XDG_STATE_HOME", (world.root() / "file" / "state").string());
  const auto run = world.hydra({"race", "--agents", "good", "task"});
  EXPECT_EQ(run.exit, 3) << run.out << run.err;
  EXPECT_THAT(run.err, HasSubstr((world.root() / "file").string()));
}

TEST(Daemon, WorksWithoutARuntimeDirectoryAndWithLongPaths) {
  World world;
  world.project(script_agent("good", "echo fine >> src/app.txt"));
  const auto state = world.root() / "state" / std::string(120, 'd');
  fs::create_directories(state);
  world.set_environment("XDG_RUNTIME_DIR", "");
  world.set_environment("XDG_STATE_HOME", state.string());
  const auto run = world.race({"--agents", "good", "task"});
  EXPECT_EQ(run.exit, 0) << run.out << run.err;
  EXPECT_EQ(world.results()["winner"], "good");
  EXPECT_EQ(world.hydra({"daemon", "stop"}).exit, 0);
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

TEST(Daemon, IsFoundFromAnotherRuntimeDirectory) {
  World world;
  world.project(script_agent("good", "echo fine >> src/app.txt"));
  ASSERT_EQ(world.race({"--agents", "good", "task"}).exit, 0);
  const auto before = world.daemons();
  ASSERT_EQ(before.size(), 1u);
  fs::create_directories(world.root() / "run2");
  fs::permissions(world.root() / "run2", fs::perms::owner_all);
  HydraOptions elsewhere;
  elsewhere.environment = {{"XDG_RUNTIME_DIR", (world.root() / "run2").string()}};
  const auto list = world.hydra({"list", "--json"}, elsewhere);
  EXPECT_EQ(list.exit, 0) << list.err;
  EXPECT_THAT(list.out, HasSubstr("\"winner\":\"good\""));
  EXPECT_EQ(world.daemons(), before);
}

TEST(Daemon, VerbsInADeletedDirectorySayWhatIsSo) {
  World world;
  world.project(script_agent("good", "echo fine >> src/app.txt"));
  ASSERT_EQ(world.race({"--agents", "good", "task"}).exit, 0);
  for (const char* verb : {"status", "results", "list", "cancel", "explain good", "merge --dry-run",
                           "config show", "config path", "doctor", "clean --dry-run", "rescore", "verify",
                           "check", "race task", "init --stdout", "retry good", "diff good", "logs good"}) {
    // A command that works goes on working where the repository is above; in "sub" it would begin a race.
    const bool begins = std::set<std::string>{"race task", "check", "verify", "retry good"}.contains(verb);
    for (const std::string place : {"../gone", "sub"}) {
      if (begins && place == "sub") continue;
      const auto script = "mkdir " + place + " && cd " + place + " && rmdir \"$PWD\" && exec " +
                          word_of_binary("hydra") + " " + verb;
      const auto run = Process({"/bin/sh", "-c", script}, world.repo(), world.environment()).wait();
      EXPECT_THAT(run.exit, ::testing::AnyOf(0, 1, 2, 3)) << verb << " in " << place << ": " << run.err;
      EXPECT_THAT(run.err, ::testing::Not(HasSubstr("terminate"))) << verb << " in " << place;
      EXPECT_THAT(run.err, ::testing::Not(HasSubstr("filesystem error"))) << verb << " in " << place;
    }
  }
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
