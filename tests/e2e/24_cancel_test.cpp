// A race that is cancelled at each of its steps: it ends, what began is kept, nothing runs or lies about
// afterwards, and status, list, results and explain say how far each result came.
#include "support/machine.hpp"
#include "support/world.hpp"

#include <gmock/gmock.h>

#include <fstream>

namespace hydra::e2e::HYDRA_FILE {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class CancelAt : public ::testing::Test {
 protected:
  CancelAt() : gate(world.outside() / "gate") {
    const auto out = world.outside().string();
    sandbox = "[sandbox]\nwrite = [\"" + out + "\"]\nread = [\"" + out + "\"]\n";
  }

  void start(const std::string& agents) {
    run = world.start({"race", "--agents", agents, "task"});
    ASSERT_TRUE(gate.arrived()) << run->out() << run->err();
  }
  /// Cancels; then what holds at every step.
  void cancel() {
    const auto before = world.fingerprint();
    EXPECT_EQ(world.hydra({"cancel"}).exit, 0);
    block = run->wait();
    EXPECT_EQ(block.exit, 1) << block.out << block.err;
    results = world.results();
    EXPECT_EQ(results["state"], "cancelled");
    const auto status = world.status();
    EXPECT_EQ(status["state"], "cancelled");
    EXPECT_EQ(world.list()["races"][0]["state"], "cancelled");
    EXPECT_THAT(world.hydra({"merge", "--yes"}).err, HasSubstr("ended without a ranking"));
    EXPECT_EQ(status["agents"].size(), results["agents"].size());
    EXPECT_FALSE(status["agents"].empty());
    for (const auto& agent : status["agents"]) {
      for (const char* live : {"queued", "preparing", "running", "capturing", "checking", "ranked"})
        EXPECT_NE(agent["state"], live);
      EXPECT_EQ(agent["state"], agent_of(results, agent["agent"])["state"]);
      const auto explained = world.hydra({"explain", agent["agent"]});
      EXPECT_EQ(explained.exit, 0) << explained.err;
      EXPECT_THAT(explained.out, HasSubstr("not ranked: the race was cancelled"));
      EXPECT_THAT(explained.out, Not(HasSubstr("tests: not configured")));
    }
    EXPECT_NE(status["baseline"]["state"], "checking");
    EXPECT_NE(status["baseline"]["state"], "preparing");
    EXPECT_EQ(status["baseline"]["state"], results["baseline"]["state"]);
    EXPECT_TRUE(world.fingerprint() == before) << world.fingerprint().differs_from(before);
    // Hydra's refs are the base's pin and the branches of results.
    for (const auto& agent : results["agents"]) {
      if (const auto branch = agent["branch"].get<std::string>(); !branch.empty()) {
        EXPECT_EQ(agent["commit"], world.git({"rev-parse", branch}));
      }
    }
    EXPECT_EQ(world.git({"worktree", "list", "--porcelain"}).find("worktree", 1), std::string::npos);
    EXPECT_FALSE(fs::exists(world.state() / "races" / results["race"] / "seals"));
    std::error_code none;
    for (const auto& entry :
         fs::directory_iterator(world.state() / "races" / results["race"] / "checks", none))
      ADD_FAILURE() << "a check workspace is left: " << entry.path();
  }

  World world;
  Gate gate;
  std::string sandbox;
  std::unique_ptr<Process> run;
  hydra::e2e::Run block;
  Json results;
};

// The first to have its worktree gets the only slot and waits at the gate; the other one is queued.
TEST_F(CancelAt, TheQueue) {
  const auto agent = "echo fine >> src/app.txt; " + gate.script();
  world.project(sandbox + "[limits]\nagents = 1\n[scoring]\ntest_command = \"true\"\n" +
                script_agent("a", agent) + script_agent("b", agent));
  start("a,b");
  cancel();
  const bool a_runs = !agent_of(results, "a")["branch"].get<std::string>().empty();
  const auto running = agent_of(results, a_runs ? "a" : "b"), queued = agent_of(results, a_runs ? "b" : "a");
  EXPECT_EQ(running["state"], "cancelled");
  EXPECT_EQ(running["unchecked"], true);
  EXPECT_EQ(world.show(running["branch"], "src/app.txt"), "one\ntwo\nthree\nfine\n");
  EXPECT_EQ(queued["state"], "cancelled");
  EXPECT_EQ(queued["branch"], "");
  EXPECT_EQ(queued["unchecked"], false);
}

TEST_F(CancelAt, TheSetUpOfTheTemplate) {
  HYDRA_NEEDS(machine::Ability::sandbox);
  world.project(sandbox + "[race]\npreflight = \"never\"\n" + "[workspace]\nsetup = \"\"\"" + gate.script() +
                "\"\"\"\n[scoring]\ntest_command = \"true\"\n" +
                script_agent("a", "echo fine >> src/app.txt"));
  start("a");
  cancel();
  EXPECT_EQ(agent_of(results, "a")["state"], "cancelled") << "agents wait for their dependencies";
  EXPECT_EQ(results["baseline"]["state"], "cancelled");
}

// The first race of a repository: its agents wait for the baseline.
TEST_F(CancelAt, ThePreflight) {
  HYDRA_NEEDS(machine::Ability::sandbox);
  world.project(sandbox + "[workspace]\nsetup = \"\"\"" + gate.script() +
                "\"\"\"\n[scoring]\ntest_command = \"true\"\n" +
                script_agent("a", "echo fine >> src/app.txt"));
  start("a");
  cancel();
  EXPECT_EQ(agent_of(results, "a")["state"], "cancelled");
  EXPECT_EQ(results["reason"], "");
  EXPECT_EQ(results["baseline"]["state"], "cancelled");
}

// git's own filter of the user's holds the capture up.
TEST_F(CancelAt, TheCapture) {
  world.project(sandbox + "[scoring]\ntest_command = \"true\"\n" +
                script_agent("a", "echo fine >> src/app.txt; echo text > src/a.slow"));
  world.write(".gitattributes", "*.slow filter=slow\n");
  world.write("../slow.sh", "#!/bin/sh\n" + gate.script() + "\ncat\n", true);
  world.git({"config", "filter.slow.clean", (world.repo().parent_path() / "slow.sh").string()});
  world.commit("filters");
  start("a");
  EXPECT_EQ(world.hydra({"cancel"}).exit, 0);
  gate.open(4);
  block = run->wait();
  results = world.results();
  EXPECT_EQ(results["state"], "cancelled");
  const auto a = agent_of(results, "a");
  EXPECT_EQ(a["state"], "not_checked") << a.dump(1);
  EXPECT_EQ(world.show(a["branch"], "src/a.slow"), "text\n");
}

TEST_F(CancelAt, TheChecks) {
  world.project(sandbox +
                "[scoring]\nbuild_command = \"true\"\ntest_command = \"\"\"grep -q fine src/app.txt "
                "|| exit 0; " +
                gate.script() + "\"\"\"\n" + script_agent("a", "echo fine >> src/app.txt") +
                script_agent("same", "true"));
  start("a,same");
  cancel();
  const auto a = agent_of(results, "a");
  EXPECT_EQ(a["state"], "not_checked");
  EXPECT_EQ(a["unchecked"], true);
  EXPECT_EQ(a["dimensions"]["tests"]["status"], "not_ranked");
  const auto status = world.status();
  EXPECT_EQ(agent_of(status, "a")["checks"]["build"], "passed");
  EXPECT_EQ(agent_of(status, "a")["checks"]["tests"], "cancelled");
  EXPECT_EQ(agent_of(results, "same")["state"], "no_changes");
}

// The second run of the tests, with the agent's own.
TEST_F(CancelAt, TheRunWithItsOwnTests) {
  HYDRA_NEEDS(machine::Ability::sandbox);
  world.init();
  world.write("tests/test_one.sh", "grep -q one src/app.txt\n");
  world.write("more.txt", gate.script() + "\n");
  world.project(sandbox +
                "[scoring]\ntest_command = \"for t in tests/test_*.sh; do sh $t || exit 1; done\"\n" +
                script_agent("a", "echo fine >> src/app.txt; cp more.txt tests/test_more.sh"));
  start("a");
  EXPECT_EQ(world.results()["agents"][0]["integrity"]["own_run"], true);
  cancel();
  EXPECT_EQ(agent_of(results, "a")["state"], "not_checked");
}

class Unchecked : public CancelAt {
 protected:
  void SetUp() override {
    world.project(sandbox + "[scoring]\ntest_command = \"\"\"grep -q fine src/app.txt || exit 0; test -e " +
                  (world.outside() / "open").string() + " && exit 0; " + gate.script() + "\"\"\"\n" +
                  script_agent("p", "echo fine >> src/app.txt"));
    start("p");
    cancel();
    race = results["race"];
  }
  std::string race;
};

TEST_F(Unchecked, AMergeNeedsTheWordAndNamesWhatHelps) {
  const auto before = world.git({"rev-parse", "HEAD"});
  const auto refused = world.hydra({"merge", "p"});
  EXPECT_EQ(refused.exit, 1) << refused.out;
  EXPECT_THAT(refused.err, HasSubstr("unchecked"));
  EXPECT_THAT(refused.err, HasSubstr("--allow unchecked"));
  EXPECT_THAT(refused.err, HasSubstr("hydra verify " + race));
  const auto dry = world.hydra({"merge", "p", "--dry-run"});
  EXPECT_EQ(dry.exit, 1);
  EXPECT_THAT(dry.out, HasSubstr("Needs --allow unchecked:"));
  EXPECT_EQ(world.git({"rev-parse", "HEAD"}), before);
  EXPECT_EQ(world.hydra({"merge", "p", "--yes"}).exit, 1) << "no word about checks";
  const auto merged = world.hydra({"merge", "p", "--allow", "unchecked"});
  EXPECT_EQ(merged.exit, 0) << merged.err;
  EXPECT_NE(world.git({"rev-parse", "HEAD"}), before);
}

// The command that the refusal advises does what it says.
TEST_F(Unchecked, VerifyChecksIt) {
  std::ofstream(world.outside() / "open") << "";
  const auto verified = world.hydra({"verify", race});
  EXPECT_THAT(verified.out, HasSubstr("Winner: p"));
  EXPECT_THAT(verified.out, HasSubstr("was not checked before"));
  EXPECT_EQ(verified.exit, 0) << verified.out << verified.err;
  EXPECT_THAT(verified.out, HasSubstr("`hydra merge " + race + "/p`"));
  const auto merged = world.hydra({"merge", race + "/p"});
  EXPECT_EQ(merged.exit, 0) << merged.out << merged.err;
  EXPECT_EQ(world.read("src/app.txt"), "one\ntwo\nthree\nfine\n");
}

TEST_F(Unchecked, RetryChecksItToo) {
  std::ofstream(world.outside() / "open") << "";
  const auto again = world.hydra({"retry", race + "/p"});
  EXPECT_EQ(again.exit, 0) << again.out << again.err;
  results = world.results(race);
  EXPECT_EQ(results["state"], "done");
  EXPECT_EQ(results["winner"], "p");
  EXPECT_EQ(results["baseline"]["state"], "checked");
  EXPECT_EQ(world.hydra({"merge", "p"}).exit, 0);
}

TEST_F(CancelAt, OneAgentOfARaceThatGoesOn) {
  world.project(sandbox + "[scoring]\ntest_command = \"true\"\n" +
                script_agent("a", "echo a >> src/app.txt; " + gate.script()) +
                script_agent("b", "echo b >> src/app.txt"));
  start("a,b");
  EXPECT_EQ(world.hydra({"cancel", "--agent", "a"}).exit, 0);
  EXPECT_EQ(run->wait().exit, 0);
  const auto a = agent_of(world.results(), "a");
  EXPECT_EQ(a["unchecked"], true);
  const auto refused = world.hydra({"merge", "a"});
  EXPECT_EQ(refused.exit, 1);
  EXPECT_THAT(refused.err, HasSubstr("--allow unchecked"));
  EXPECT_THAT(refused.err, HasSubstr("hydra retry"));
  EXPECT_EQ(world.hydra({"merge", "b"}).exit, 0);
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
