// hydra retry: agents that run again because the user says so.
#include "budgets.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <signal.h>
#include <sys/stat.h>

namespace hydra::e2e::HYDRA_FILE {
namespace {

using ::testing::HasSubstr;

const std::string kResume = "resume_command = [\"sh\", \"-c\", '''" + kSpeak +
                            "session $1; say resumed; echo \"$2\" >> src/app.txt; cat \"$CFG/memory\" >> "
                            "src/app.txt; use 10 10 0.25; "
                            "done_\n''', \"agent\", \"{session}\", \"{prompt}\"]\n";
const std::string kOwnHome = "[agents.x.home]\nvariable = \"CFG\"\npolicy = \"per_run\"\n";

class Retry : public Budgets {
 protected:
  void first(const std::string& script, const std::string& config = {}, Words more = {}) {
    world.project(config + speaker("x", script, kResume) + kOwnHome);
    Words args{"--agents", "x"};
    args.insert(args.end(), more.begin(), more.end());
    args.emplace_back("task");
    const auto race = world.race(args);
    results = world.results();
    EXPECT_EQ(results["state"], "done") << race.out << race.err;
  }
};

TEST_F(Retry, GoesOnWithTheSessionInTheSameWorktree) {
  first(std::string(kWork) + "echo remembered > \"$CFG/memory\"; use 10 10 0.50; done_",
        "[scoring]\ntest_command = \"grep -q 'once more' src/app.txt\"\n");
  const auto before = agent_of(results, "x");
  const auto run = world.hydra({"retry", "x", "--message", "once more"});
  EXPECT_EQ(run.exit, 0) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("x runs again (attempt 2), going on with its session"));
  EXPECT_THAT(run.out, HasSubstr("ranked: x wins"));
  const auto after = world.results();
  EXPECT_EQ(after["race"], results["race"]) << "of the same race";
  const auto x = agent_of(after, "x");
  EXPECT_EQ(x["attempt"], 2);
  EXPECT_EQ(x["session"], "s1");
  EXPECT_EQ(world.show(x["branch"], "src/app.txt"), "one\ntwo\nthree\nwork\nonce more\nremembered\n");
  EXPECT_NE(x["branch"], before["branch"]);
  EXPECT_EQ(world.show(before["branch"], "src/app.txt"), "one\ntwo\nthree\nwork\n")
      << "the first result stays";
  EXPECT_EQ(x["earlier_attempts"][0]["branch"], before["branch"]);
  EXPECT_EQ(x["dimensions"]["tests"]["detail"]["exit_code"], 0) << "checked again";
  EXPECT_NEAR(x["cost_usd"].get<double>(), 0.75, 1e-9);
  EXPECT_EQ(world.list()["races"].size(), 1u);
  EXPECT_EQ(world.list()["races"][0]["state"], "done");
  EXPECT_EQ(world.hydra({"merge", "--yes"}).exit, 0);
}

TEST_F(Retry, ARateLimitAfterAMessageDoesNotLoseTheMessage) {
  const auto flag = (world.outside() / "tried").string();
  const auto resume = "resume_command = [\"sh\", \"-c\", '''" + kSpeak +
                      "session $1; echo part >> src/app.txt; if [ ! -e '" + flag + "' ]; then touch '" +
                      flag +
                      "'; fail 'rate limited' 429; exit 1; fi; echo \"$2\" >> src/app.txt; done_\n''', "
                      "\"agent\", \"{session}\", \"{prompt}\"]\n";
  world.project("[sandbox]\nwrite = [\"" + world.outside().string() +
                "\"]\n[limits]\nretries = 1\nretry_delay_seconds = 0\n" +
                speaker("x", std::string(kWork) + "done_", resume) + kOwnHome);
  EXPECT_EQ(world.race({"--agents", "x", "task"}).exit, 0);
  const auto run = world.hydra({"retry", "x", "--message", "mind the tests"});
  EXPECT_EQ(run.exit, 0) << run.out << run.err;
  const auto x = agent_of(world.results(), "x");
  EXPECT_EQ(x["attempt"], 3);
  EXPECT_EQ(world.show(x["branch"], "src/app.txt"), "one\ntwo\nthree\nwork\npart\npart\nmind the tests\n");
}

TEST_F(Retry, AfterAStopWithABudgetOfItsOwn) {
  first(std::string(kWork) + "touch \"$CFG/memory\"; use 10 10 1.20; hang", {}, {"--budget-usd", "1"});
  EXPECT_EQ(agent_of(results, "x")["outcome"], "over_budget");
  const auto run = world.hydra({"retry", "x", "--json"});
  EXPECT_EQ(run.exit, 0) << run.out << run.err;
  const auto x = agent_of(world.results(), "x");
  EXPECT_EQ(x["outcome"], "completed") << x["message"];
  EXPECT_EQ(x["stopped"], "");
  EXPECT_EQ(x["earlier_attempts"][0]["stopped"], "budget");
}

TEST_F(Retry, WithoutASessionANewOneBeginsThere) {
  world.project(script_agent("x", "echo \"$1\" >> src/app.txt"));
  EXPECT_EQ(world.race({"--agents", "x", "the task"}).exit, 0);
  const auto run = world.hydra({"retry", "x", "-m", "and more"});
  EXPECT_EQ(run.exit, 0) << run.out << run.err;
  EXPECT_THAT(run.err, HasSubstr("a new session begins in the same worktree (its CLI can't be resumed)"));
  EXPECT_EQ(world.show(agent_of(world.results(), "x")["branch"], "src/app.txt"),
            "one\ntwo\nthree\nthe task\nthe task\n\nYou have worked on this before, in this directory; what "
            "you did "
            "then is still there.\n\nand more\n");
}

TEST_F(Retry, CredentialsAreNotKeptForIt) {
  fs::create_directories(world.home() / ".speak");
  { std::ofstream(world.home() / ".speak/auth.json") << "{\"token\":\"very-secret-token\"}"; }
  world.project(
      speaker("x", std::string(kWork) + "echo mine > \"$CFG/memory\"; done_", kResume) +
      "[agents.x.home]\nvariable = \"CFG\"\npolicy = \"per_run\"\nseed = [\".speak/auth.json?\"]\n" +
      "[agents.x.auth]\nfiles = [\".speak/auth.json\"]\n");
  EXPECT_EQ(world.race({"--agents", "x", "task"}).exit, 0);
  const auto race = world.results()["race"].get<std::string>();
  const auto run = world.state() / "races" / race / "run/x/config";
  EXPECT_TRUE(fs::exists(run / "memory")) << "the session's own files stay";
  EXPECT_FALSE(fs::exists(run / "auth.json"));
  EXPECT_EQ(world.hydra({"retry", "x"}).exit, 0);
}

TEST_F(Retry, ARenewedSignInIsCarriedBackAndTheNextRunHasIt) {
  fs::create_directories(world.home() / ".speak");
  const auto users = world.home() / ".speak/auth.json";
  { std::ofstream(users) << "{\"token\":1}"; }
  ::chmod(users.c_str(), 0600);
  // Each run spends the token and writes the next one.
  world.project(
      speaker("x",
              "session s1; cat \"$CFG/auth.json\" >> src/app.txt; n=$(tr -dc 0-9 < \"$CFG/auth.json\"); "
              "echo \"{\\\"token\\\":$((n+1))}\" > \"$CFG/auth.json\"; done_") +
      "[agents.x.home]\nvariable = \"CFG\"\npolicy = \"per_run\"\nseed = [\".speak/auth.json\"]\n" +
      "[agents.x.auth]\nfiles = [\".speak/auth.json\"]\n");
  const auto race = world.race({"--agents", "x:2", "task"});
  EXPECT_EQ(race.exit, 0) << race.out << race.err;
  EXPECT_EQ(slurp(users), "{\"token\":3}\n");
  struct stat st {};
  ASSERT_EQ(::stat(users.c_str(), &st), 0);
  EXPECT_EQ(st.st_mode & 0777u, 0600u);
  EXPECT_THAT(race.out, HasSubstr("carried back to ~/.speak/auth.json"));
  // The second one was given what the first one left, not the same token again.
  const auto all = world.results();
  const auto text = world.show(agent_of(all, "x")["branch"], "src/app.txt") +
                    world.show(agent_of(all, "x-2")["branch"], "src/app.txt");
  EXPECT_THAT(text, HasSubstr("{\"token\":1}"));
  EXPECT_THAT(text, HasSubstr("{\"token\":2}"));
}

TEST_F(Retry, Refusals) {
  first(std::string(kWork) + "touch \"$CFG/memory\"; done_");
  auto refused = world.hydra({"retry", "nobody"});
  EXPECT_NE(refused.exit, 0);
  EXPECT_THAT(refused.err, HasSubstr("nobody"));
  EXPECT_EQ(world.hydra({"retry"}).exit, 2);
  EXPECT_EQ(world.hydra({"retry", "x", "--budget-usd", "lots"}).exit, 2);
  const auto race = results["race"].get<std::string>();
  // Gone.
  const auto work = world.state() / "races" / race / "work/x";
  fs::rename(work, work.string() + ".away");
  refused = world.hydra({"retry", "x"});
  EXPECT_EQ(refused.exit, 1);
  EXPECT_THAT(refused.err, HasSubstr("the worktree of x is gone"));
  fs::rename(work.string() + ".away", work);
  // Merged.
  EXPECT_EQ(world.hydra({"merge", "--yes"}).exit, 0);
  refused = world.hydra({"retry", "x"});
  EXPECT_EQ(refused.exit, 1);
  EXPECT_THAT(refused.err, HasSubstr("merged already"));
}

TEST_F(Retry, NotWhileItRuns) {
  Gate gate(world.outside() / "gate");
  world.project("[sandbox]\nwrite = [\"" + world.outside().string() + "\"]\n" +
                speaker("x", kWork + gate.script() + "; done_"));
  const auto race = race_id(world.hydra({"race", "--detach", "--json", "--agents", "x", "task"}));
  ASSERT_TRUE(gate.arrived());
  const auto refused = world.hydra({"retry", race + "/x"});
  EXPECT_EQ(refused.exit, 1);
  EXPECT_THAT(refused.err, HasSubstr("still runs"));
  gate.open();
  EXPECT_EQ(world.hydra({"watch", race}).exit, 0);
}

TEST_F(Retry, ADaemonThatDiesMeanwhileGoesOnWithIt) {
  Gate gate(world.outside() / "gate");
  world.project("[sandbox]\nwrite = [\"" + world.outside().string() + "\"]\n" +
                script_agent("x", "if grep -q first src/app.txt; then " + gate.script() +
                                      "; echo second >> src/app.txt; else echo first >> src/app.txt; fi"));
  EXPECT_EQ(world.race({"--agents", "x", "task"}).exit, 0);
  const auto race = world.results()["race"].get<std::string>();
  EXPECT_EQ(world.hydra({"retry", "x", "--detach"}).exit, 0);
  ASSERT_TRUE(gate.arrived());
  world.kill_daemon(SIGKILL);
  EXPECT_EQ(world.status(race)["state"], "running");
  gate.open();
  EXPECT_EQ(world.hydra({"watch", race}).exit, 0);
  const auto x = agent_of(world.results(race), "x");
  EXPECT_EQ(x["outcome"], "completed");
  EXPECT_EQ(x["attempt"], 2);
  EXPECT_EQ(world.show(x["branch"], "src/app.txt"), "one\ntwo\nthree\nfirst\nsecond\n");
}

TEST_F(Retry, IsInHelpAndCompletion) {
  const auto help = world.hydra({"retry", "--help"});
  EXPECT_EQ(help.exit, 0);
  EXPECT_THAT(help.out, HasSubstr("hydra retry codex"));
  EXPECT_THAT(world.hydra({"__complete", "retry", "--m"}).out, HasSubstr("--message"));
  EXPECT_THAT(world.hydra({"--help"}).out, HasSubstr("retry"));
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
