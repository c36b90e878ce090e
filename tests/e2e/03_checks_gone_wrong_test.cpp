// Checks: what they see, and what happens when they go wrong.
#include "support/machine.hpp"
#include "support/world.hpp"

#include <gmock/gmock.h>

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

namespace hydra::e2e::HYDRA_FILE {
namespace {

using ::testing::HasSubstr;

std::string good_agent() { return script_agent("good", "echo fine >> src/app.txt"); }

class Checks : public ::testing::Test {
 protected:
  World world;

  // Races the agents `names` over a project with this configuration.
  Json race(const std::string& config, const std::string& names = "good", Words more = {}, int exit = 0) {
    world.project(config);
    return race_again(names, std::move(more), exit);
  }
  Json race_again(const std::string& names = "good", Words more = {}, int exit = 0) {
    Words args{"--agents", names};
    args.insert(args.end(), more.begin(), more.end());
    args.emplace_back("task");
    const auto run = world.race(args);
    EXPECT_EQ(run.exit, exit) << run.out << run.err;
    output = run.out;
    auto results = world.results();
    EXPECT_EQ(results["state"], "done");
    return results;
  }
  [[nodiscard]] std::string check_log(const Json& results, const std::string& subject,
                                      const std::string& kind) const {
    return slurp(world.attempt(results["race"], subject, kind) / "stdout.log");
  }
  std::string output;
};

TEST_F(Checks, BuildHangs) {
  const auto results = race(
      "[scoring]\nbuild_command = \"if grep -q slow src/app.txt; then sleep 1000; fi\"\n"
      "test_command = \"true\"\ntimeout_per_check_seconds = 1\n" +
          good_agent() + script_agent("slow", "echo slow >> src/app.txt"),
      "good,slow");
  EXPECT_EQ(results["winner"], "good");
  const auto slow = agent_of(results, "slow");
  EXPECT_EQ(slow["dimensions"]["build"]["points"], 0.0);
  EXPECT_EQ(slow["dimensions"]["build"]["reason"], "timed_out");
  EXPECT_EQ(slow["dimensions"]["build"]["detail"]["message"],
            "longer than 1 s ([scoring] timeout_per_check_seconds)");
  EXPECT_EQ(slow["dimensions"]["tests"]["status"], "skipped");
  EXPECT_EQ(slow["eligible"], false);
  EXPECT_EQ(agent_of(results, "good")["dimensions"]["build"]["points"], 100.0);
}

TEST_F(Checks, BuildFailsAndTheRestIsSkipped) {
  const auto results = race(
      "[scoring]\nbuild_command = \"! grep -q broken src/app.txt\"\ntest_command = \"true\"\n"
      "lint_command = \"true\"\n" +
          good_agent() + script_agent("bad", "echo broken >> src/app.txt"),
      "good,bad");
  const auto bad = agent_of(results, "bad");
  EXPECT_EQ(bad["dimensions"]["build"]["status"], "scored");
  EXPECT_EQ(bad["dimensions"]["build"]["points"], 0.0);
  for (const char* name : {"tests", "lint"}) {
    EXPECT_EQ(bad["dimensions"][name]["status"], "skipped");
    EXPECT_EQ(bad["dimensions"][name]["points"], 0.0);
  }
  EXPECT_FALSE(fs::exists(world.attempt(results["race"], "bad", "tests")));
  EXPECT_EQ(bad["ineligible_reasons"], Json::array({"build_failed"}));
  EXPECT_THAT(output, HasSubstr("[TESTS: --]"));
  EXPECT_THAT(output, HasSubstr("[LINT: --]"));
}

TEST_F(Checks, TestsWithoutAnyOutputCountByTheirExitCode) {
  const auto results = race("[scoring]\ntest_command = \"! grep -q broken src/app.txt\"\n" + good_agent() +
                                script_agent("bad", "echo broken >> src/app.txt"),
                            "good,bad");
  const auto good = agent_of(results, "good")["dimensions"]["tests"],
             bad = agent_of(results, "bad")["dimensions"]["tests"];
  EXPECT_EQ(good["points"], 100.0);
  EXPECT_EQ(good["reason"], "exit_code_only");
  EXPECT_EQ(bad["points"], 0.0);
  EXPECT_EQ(agent_of(results, "bad")["eligible"], true);
  EXPECT_EQ(agent_of(results, "good")["dimensions"]["build"]["status"], "not_configured");
}

TEST_F(Checks, BaselineFails) {
  const auto results = race(
      "[scoring]\nbuild_command = \"grep -q fine src/app.txt\"\ntest_command = \"true\"\n" + good_agent());
  EXPECT_EQ(results["baseline"]["build"]["status"], "failed");
  EXPECT_EQ(results["baseline"]["tests"]["status"], "skipped");
  EXPECT_EQ(results["winner"], "good");
  EXPECT_EQ(agent_of(results, "good")["dimensions"]["build"]["points"], 100.0);
}

TEST_F(Checks, CommandDoesNotExist) {
  world.stop_at_a_bad_base();
  world.project("[scoring]\ntest_command = \"no-such-test-runner --all\"\n" + good_agent());
  const auto run = world.race({"--agents", "good", "task"});
  EXPECT_EQ(run.exit, 1) << run.out << run.err;
  const auto results = world.results();
  EXPECT_EQ(results["state"], "failed");
  EXPECT_THAT(run.out, HasSubstr("no-such-test-runner"));
  EXPECT_THAT(check_log(results, "baseline", "tests"), HasSubstr("not found"));
  EXPECT_FALSE(fs::exists(world.attempt(results["race"], "good", "agent")));
}

// A user who wants the race all the same says so.
TEST_F(Checks, CommandDoesNotExistWithoutPreflight) {
  const auto results =
      race("[race]\npreflight = \"never\"\n[scoring]\ntest_command = \"no-such-test-runner --all\"\n" +
               good_agent(),
           "good", {}, 1);
  EXPECT_EQ(agent_of(results, "good")["dimensions"]["tests"]["points"], 0.0);
  EXPECT_THAT(check_log(results, "good", "tests"), HasSubstr("not found"));
}

TEST_F(Checks, SetupIsThereBeforeEveryBuild) {
  const auto results = race(
      "[workspace]\nsetup = \"echo ready > ready.log\"\n"
      "[scoring]\nbuild_command = \"cat ready.log\"\n" +
      good_agent());
  EXPECT_EQ(results["baseline"]["build"]["status"], "passed");
  EXPECT_EQ(agent_of(results, "good")["dimensions"]["build"]["points"], 100.0);
  EXPECT_EQ(check_log(results, "good", "build"), "ready\n");
  // Once, in the template that all workspaces start from.
  EXPECT_FALSE(fs::exists(world.attempt(results["race"], "good", "setup")));
}

TEST_F(Checks, SetupFailsForOneCandidate) {
  const auto results = race(
      "[workspace]\nsetup = \"echo setting up; ! grep -qs broken package.json\"\n"
      "[scoring]\nbuild_command = \"true\"\ntest_command = \"true\"\n" +
          good_agent() + script_agent("bad", "echo broken > package.json"),
      "good,bad");
  EXPECT_EQ(results["winner"], "good");
  const auto bad = agent_of(results, "bad");
  EXPECT_EQ(bad["eligible"], false);
  EXPECT_EQ(bad["dimensions"]["build"]["points"], 0.0);
  EXPECT_FALSE(fs::exists(world.attempt(results["race"], "bad", "build")));
  EXPECT_THAT(output, HasSubstr("set-up"));
}

TEST_F(Checks, SetupFailsForAll) {
  world.project("[workspace]\nsetup = \"echo no; exit 7\"\n[scoring]\nbuild_command = \"true\"\n" +
                good_agent());
  const auto run = world.race({"--agents", "good", "task"});
  EXPECT_EQ(run.exit, 1) << run.out << run.err;
  const auto results = world.results();
  EXPECT_EQ(results["state"], "failed");
  EXPECT_EQ(results["baseline"]["state"], "failed");
  EXPECT_THAT(results["baseline"]["reason"], HasSubstr("7"));
  EXPECT_EQ(results["winner"], "");
  // No agent was paid for.
  EXPECT_FALSE(fs::exists(world.attempt(results["race"], "good", "agent")));
}

// Checks that have worked once don't make later races wait; the failure is in the results then.
TEST_F(Checks, SetupThatWorkedBeforeFailsBesideTheAgents) {
  const std::string config =
      "[workspace]\nsetup = \"test ! -e package.json\"\n[scoring]\nbuild_command = \"true\"\n" + good_agent();
  EXPECT_EQ(race(config)["winner"], "good");
  world.write("package.json", "{}\n");
  world.commit();
  const auto results = race_again("good", {}, 1);
  EXPECT_EQ(results["baseline"]["state"], "failed");
  EXPECT_TRUE(fs::exists(world.attempt(results["race"], "good", "agent")));
}

TEST_F(Checks, NoCommandsAtAll) {
  const auto results =
      race(good_agent() + script_agent("second", "echo two >> src/app.txt; seq 600 > src/long.txt"),
           "good,second");
  EXPECT_EQ(results["baseline"]["state"], "not_configured");
  for (const auto& agent : results["agents"])
    for (const char* name : {"build", "tests", "lint"})
      EXPECT_EQ(agent["dimensions"][name]["status"], "not_configured");
  // 15 and 10 of 25 points are what is left to weigh.
  const auto good = agent_of(results, "good");
  const double mean = (15 * good["dimensions"]["diff_size"]["points"].get<double>() +
                       10 * good["dimensions"]["speed"]["points"].get<double>()) /
                      25;
  EXPECT_NEAR(good["composite"].get<double>(), mean, 1e-9);
}

TEST_F(Checks, IdenticalTreesAreCheckedOnce) {
  const auto results = race("[scoring]\nbuild_command = \"true\"\ntest_command = \"echo tested\"\n" +
                                good_agent() + script_agent("same", "echo fine >> src/app.txt"),
                            "good,same");
  int checked = 0;
  for (const char* name : {"good", "same"})
    checked += fs::exists(world.attempt(results["race"], name, "tests")) ? 1 : 0;
  EXPECT_EQ(checked, 1);
  for (const char* name : {"good", "same"})
    EXPECT_EQ(agent_of(results, name)["dimensions"]["tests"]["points"], 100.0);
}

TEST_F(Checks, SecondRaceTakesTheBaselineFromTheCache) {
  const auto config = "[scoring]\nbuild_command = \"true\"\ntest_command = \"true\"\n" + good_agent();
  const auto first = race(config);
  EXPECT_EQ(first["baseline"]["cached"], false);
  const auto second = race_again();
  EXPECT_EQ(second["baseline"]["cached"], true);
  EXPECT_EQ(second["baseline"]["tests"]["status"], "passed");
  EXPECT_FALSE(fs::exists(world.attempt(second["race"], "baseline", "build")));
  const auto fresh = race_again("good", {"--fresh-baseline"});
  EXPECT_EQ(fresh["baseline"]["cached"], false);
  // Another command is another key.
  world.write("hydra.toml",
              "[scoring]\nbuild_command = \"true\"\ntest_command = \"true && true\"\n" + good_agent());
  EXPECT_EQ(race_again()["baseline"]["cached"], false);
}

TEST_F(Checks, TimedOutBaselineIsNotCached) {
  const auto config =
      "[scoring]\ntest_command = \"grep -q fine src/app.txt || sleep 1000\"\ntimeout_per_check_seconds = "
      "1\n" +
      good_agent();
  EXPECT_EQ(race(config)["baseline"]["tests"]["status"], "timed_out");
  EXPECT_EQ(race_again()["baseline"]["cached"], false);
}

TEST_F(Checks, RunAtThePathOfTheUsersCheckout) {
  HYDRA_NEEDS(machine::Ability::sandbox);
  const auto results = race(
      "[scoring]\ntest_command = \"pwd -P; tail -n 1 src/app.txt; git rev-parse HEAD^ --show-toplevel; "
      "git status --porcelain\"\n" +
      good_agent());
  const auto log = check_log(results, "good", "tests");
  EXPECT_EQ(log, world.repo().string() + "\nfine\n" + results["base"].get<std::string>() + "\n" +
                     world.repo().string() + "\n");
  EXPECT_EQ(check_log(results, "baseline", "tests").substr(0, world.repo().string().size() + 7),
            world.repo().string() + "\nthree\n");
}

TEST_F(Checks, CannotWriteToTheUsersCheckoutOrHome) {
  HYDRA_NEEDS(machine::Ability::sandbox);
  const auto results =
      race("[scoring]\ntest_command = \"echo owned >> src/app.txt; echo owned > ~/owned; echo owned > '" +
           (world.state() / "owned").string() + "'; true\"\n" + good_agent());
  EXPECT_EQ(agent_of(results, "good")["dimensions"]["tests"]["points"], 100.0);
  EXPECT_EQ(world.read("src/app.txt"), "one\ntwo\nthree\n");
  EXPECT_FALSE(fs::exists(world.home() / "owned"));
  EXPECT_FALSE(fs::exists(world.state() / "owned"));
}

TEST_F(Checks, OneCheckDoesNotSeeTheOthersFiles) {
  HYDRA_NEEDS(machine::Ability::sandbox);
  const auto results = race(
      "[scoring]\ntest_command = \"test ! -e left.log && test ! -e ~/left && test ! -e /tmp/left; "
      "echo $?; touch left.log ~/left /tmp/left\"\n" +
          good_agent() + script_agent("second", "echo two >> src/app.txt"),
      "good,second");
  for (const char* subject : {"baseline", "good", "second"})
    EXPECT_EQ(check_log(results, subject, "tests"), "0\n") << subject;
}

class Listener {
 public:
  Listener() : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    EXPECT_EQ(::bind(fd_, reinterpret_cast<sockaddr*>(&address), size), 0);
    EXPECT_EQ(::listen(fd_, 16), 0);
    EXPECT_EQ(::getsockname(fd_, reinterpret_cast<sockaddr*>(&address), &size), 0);
    port_ = ntohs(address.sin_port);
  }
  ~Listener() { ::close(fd_); }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  [[nodiscard]] std::string port() const { return std::to_string(port_); }

 private:
  int fd_;
  int port_ = 0;
};

TEST_F(Checks, HaveNoNetworkUnlessConfigured) {
  HYDRA_NEEDS(machine::Ability::sandbox);
  const Listener listener;
  const auto connect = "bash -c 'exec 3<>/dev/tcp/127.0.0.1/" + listener.port() +
                       "' 2>/dev/null && echo reached || echo refused";
  const auto config = "[scoring]\ntest_command = \"\"\"" + connect + "\"\"\"\n" + good_agent();
  const auto closed = race(config);
  EXPECT_EQ(check_log(closed, "good", "tests"), "refused\n");
  world.write("hydra.toml", "[sandbox]\ncheck_network = true\n" + config);
  EXPECT_EQ(check_log(race_again(), "good", "tests"), "reached\n");
}

TEST_F(Checks, CopiedAndSharedFilesAreThereAndStayTheUsers) {
  world.init();
  world.write(".env", "KEY=value\n");
  world.write("ignored/deps/lib.txt", "dependency\n");
  const auto results = race(
      "[workspace]\ncopy = [\".env\"]\nshare = [\"ignored/deps\"]\n"
      "[scoring]\ntest_command = \"cat .env ignored/deps/lib.txt; echo spoiled > ignored/deps/lib.txt\"\n" +
      script_agent("good", "cat .env >> src/app.txt; echo spoiled > .env"));
  EXPECT_EQ(check_log(results, "good", "tests"), "KEY=value\ndependency\n");
  EXPECT_EQ(check_log(results, "baseline", "tests"), "KEY=value\ndependency\n");
  EXPECT_EQ(world.read(".env"), "KEY=value\n");
  EXPECT_EQ(world.read("ignored/deps/lib.txt"), "dependency\n");
  const std::string branch = agent_of(results, "good")["branch"];
  EXPECT_EQ(world.show(branch, "src/app.txt"), "one\ntwo\nthree\nKEY=value\n");
  EXPECT_EQ(world.show(branch, ".env"), "");
}

TEST_F(Checks, UseTheConfigurationOfTheUserNotOfTheAgent) {
  const auto results =
      race("[scoring]\ntest_command = \"echo honest; false\"\n" +
               script_agent("cheat", "printf '[scoring]\\ntest_command = \"true\"\\n' > hydra.toml"),
           "cheat", {}, 1);
  EXPECT_EQ(agent_of(results, "cheat")["dimensions"]["tests"]["points"], 0.0);
  EXPECT_EQ(check_log(results, "cheat", "tests"), "honest\n");
}

TEST_F(Checks, LeftoverProcessesOfAChecksAreEnded) {
  race("[scoring]\ntest_command = \"setsid sleep 3001 & exit 0\"\n" + good_agent());
  EXPECT_TRUE(processes_with("sleep" + std::string(1, '\0') + "3001").empty());
}

TEST_F(Checks, FloodOfOutputIsBounded) {
  const auto results =
      race("[scoring]\ntest_command = \"yes | head -c 20000000; false\"\n" + good_agent(), "good", {}, 1);
  EXPECT_EQ(agent_of(results, "good")["dimensions"]["tests"]["points"], 0.0);
}

TEST_F(Checks, AReportThatTheLintCommandWritesIsRead) {
  const auto results = race(R"TOML([scoring]
lint_command = '''
grep -q bad src/app.txt && found='<error line="1" severity="error" message="m" source="s"/>'
echo "<checkstyle version=\"8.0\"><file name=\"src/app.txt\">$found</file></checkstyle>" > $HYDRA_REPORTS/lint.xml
test -z "$found"
'''
)TOML" + script_agent("bad", "echo bad >> src/app.txt"),
                            "bad");
  EXPECT_EQ(agent_of(results, "bad")["dimensions"]["lint"]["detail"]["new_errors"], 1.0);
}

TEST_F(Checks, InPlaceRunsInTheAgentsDirectory) {
  const auto results = race(
      "[workspace]\nchecks = \"in_place\"\n[scoring]\ntest_command = \"cat made.log; tail -n 1 "
      "src/app.txt\"\n" +
      script_agent("good", "echo fine >> src/app.txt; echo ignored by git > made.log"));
  EXPECT_EQ(check_log(results, "good", "tests"), "ignored by git\nfine\n");
  EXPECT_EQ(results["winner"], "good");
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
