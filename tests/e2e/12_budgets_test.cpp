// Runs that Hydra ends by itself, runs that go on, and what is told of both. The agents are scripts that
// speak a small JSON Lines dialect.
#include "budgets.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hydra::e2e::HYDRA_FILE {
namespace {

using ::testing::HasSubstr;

TEST_F(Budgets, DollarsStopAnAgentAndKeepItsWork) {
  const auto x = run("[scoring]\ntest_command = \"grep -q work src/app.txt\"\n" +
                         speaker("x", std::string(kWork) + "use 100 10 0.60; use 100 10 0.43; hang"),
                     {"--budget-usd", "1"});
  EXPECT_EQ(x["outcome"], "over_budget");
  EXPECT_EQ(x["state"], "over_budget");
  EXPECT_EQ(x["stopped"], "budget");
  EXPECT_THAT(x["message"], HasSubstr("stopped: budget of $1.00 reached at $1.03"));
  EXPECT_EQ(x["eligible"], false);
  EXPECT_EQ(world.show(x["branch"], "src/app.txt"), "one\ntwo\nthree\nwork\n") << "kept and captured";
  EXPECT_EQ(x["dimensions"]["tests"]["status"], "scored") << "and checked";
  EXPECT_THAT(output, HasSubstr("stopped: budget of $1.00 reached at $1.03"));
  EXPECT_NEAR(x["cost_usd"].get<double>(), 1.03, 1e-9);
  EXPECT_EQ(x["session"], "s1");
}

TEST_F(Budgets, TokensStopAnAgent) {
  const auto x = run(speaker("x", std::string(kWork) + "tokens 900 99; tokens 1000 500; hang"),
                     {"--budget-tokens", "2k"});
  EXPECT_EQ(x["outcome"], "over_budget");
  EXPECT_THAT(x["message"], HasSubstr("stopped: budget of 2,000 tokens reached at 2,499 tokens"));
  EXPECT_EQ(x["tokens_counted"], 2499);
}

TEST_F(Budgets, FromTheConfigurationAndBelowItNobodyIsStopped) {
  const auto x = run("[limits]\nbudget_usd = 5\nbudget_tokens = 100000\n" +
                         speaker("x", std::string(kWork) + "use 100 10 0.60; done_"),
                     {}, 0);
  EXPECT_EQ(x["outcome"], "completed");
  EXPECT_EQ(x["stopped"], "");
}

TEST_F(Budgets, TheRacesBudgetStopsAllOfThem) {
  Gate gate(world.outside() / "gate");
  const auto out = world.outside().string();
  // Each waits until the other is there: both run when the sum is reached.
  world.project("[sandbox]\nwrite = [\"" + out + "\"]\n[limits]\nrace_budget_usd = 1.0\n" +
                speaker("x", gate.script() + "; " + kWork + "use 1 1 0.70; hang") +
                speaker("y", gate.script() + "; " + kWork + "use 1 1 0.70; hang"));
  auto race = world.start({"race", "--agents", "x,y", "task"});
  ASSERT_TRUE(gate.arrived(2));
  gate.open(2);
  EXPECT_EQ(race->wait().exit, 1);
  results = world.results();
  for (const char* name : {"x", "y"}) {
    const auto agent = agent_of(results, name);
    EXPECT_EQ(agent["stopped"], "race_budget") << agent["message"];
    EXPECT_THAT(agent["message"], HasSubstr("stopped: the race's budget of $1.00 reached at $1.40"));
    EXPECT_EQ(world.show(agent["branch"], "src/app.txt"), "one\ntwo\nthree\nwork\n");
  }
}

TEST_F(Budgets, AnUnknownPriceIsTold) {
  const auto x = run(
      "[limits]\nbudget_usd = 1.0\n" +
          speaker("x", "session s1 house-model; say hi; tokens 5000 900; echo work >> src/app.txt; done_"),
      {}, 0);
  EXPECT_EQ(x["outcome"], "completed");
  EXPECT_THAT(results["notes"].dump(), HasSubstr("can't be applied"));
  EXPECT_THAT(output, HasSubstr("the budget of $1.00 can't be applied to it"));
}

TEST_F(Budgets, AKnownPriceIsAnEstimate) {
  const auto x =
      run("[limits]\nbudget_usd = 1.0\n[prices]\n\"house-model\" = { input = 100, output = 1000 }\n" +
          speaker("x", "session s1 house-model; say hi; tokens 5000 900; hang"));
  EXPECT_EQ(x["outcome"], "over_budget");
  EXPECT_THAT(x["message"], HasSubstr("reached at about $1.40 (estimated from the price table)"));
  EXPECT_EQ(x["cost_estimated"], true);
}

TEST_F(Budgets, ThreeRefusalsInARowEndARun) {
  const auto x = run(speaker("x", std::string(kWork) + "retry 401; retry 403; retry 401; hang"));
  EXPECT_EQ(x["outcome"], "failed");
  EXPECT_EQ(x["error_class"], "auth");
  EXPECT_EQ(x["stopped"], "auth");
  EXPECT_THAT(x["message"], HasSubstr("refused it 3 times in a row with status 401"));
  EXPECT_THAT(x["message"], HasSubstr("run `speak login`"));
  EXPECT_NE(x["branch"], "") << "its work is kept";
}

TEST_F(Budgets, AStalledRunIsStopped) {
  // Retries and bytes that are no line are no progress.
  const auto x = run(
      "[limits]\nidle_timeout = 1\n" +
      speaker("x", std::string(kWork) +
                       "while :; do retry 529; echo '{\"type\":\"ping\"}'; printf . >&2; sleep 0.1; done"));
  EXPECT_EQ(x["outcome"], "timed_out");
  EXPECT_EQ(x["stopped"], "idle");
  EXPECT_EQ(x["error_class"], "provider");
  EXPECT_THAT(x["message"], HasSubstr("stopped: no progress for 1s"));
  EXPECT_NE(x["branch"], "");
}

TEST_F(Budgets, OneThatGoesOnIsNotStalled) {
  const auto x = run(
      "[limits]\nidle_timeout = 2\n" +
          speaker("x", std::string(kWork) + "for i in 1 2 3 4 5 6; do tool \"t$i\"; sleep 0.5; done; done_"),
      {}, 0);
  EXPECT_EQ(x["outcome"], "completed");
}

TEST_F(Budgets, AnEndWithoutAnExitCounts) {
  const auto x = run(speaker("x", std::string(kWork) + "use 10 10 0.5; done_; hang"), {}, 0);
  EXPECT_EQ(x["outcome"], "completed") << x["message"];
  EXPECT_EQ(x["stopped"], "finished");
  EXPECT_EQ(x["eligible"], true);
}

TEST_F(Budgets, OneThatGoesOverWithItsLastWordIsDone) {
  // Both lines in one piece: whoever sees the cost sees the end.
  const auto x =
      run(speaker("x", std::string(kWork) + "printf '{\"type\":\"usage\",\"in\":1,\"out\":1,\"cost\":0.5}\\n"
                                            "{\"type\":\"result\",\"ok\":true}\\n'"),
          {"--budget-usd", "0.40"}, 0);
  EXPECT_EQ(x["outcome"], "completed") << x["message"];
  EXPECT_THAT(results["notes"].dump(),
              HasSubstr("budget of $0.40 reached at $0.50, which only its end told"));
}

TEST_F(Budgets, TheProvidersLimitMakesAgentsWaitVisibly) {
  Gate gate(world.outside() / "gate");
  const auto out = world.outside().string();
  world.project("[sandbox]\nwrite = [\"" + out + "\"]\n[limits]\nper_provider = 1\n" +
                speaker("x", kWork + gate.script() + "; done_", "provider = \"acme\"\n"));
  const auto race = race_id(world.hydra({"race", "--detach", "--json", "--agents", "x:2", "task"}));
  ASSERT_TRUE(gate.arrived(1));
  auto status = world.status(race);
  std::string waiting;
  for (const auto& agent : status["agents"])
    if (agent["state"] == "queued") waiting = agent["message"];
  EXPECT_EQ(waiting, "waits: 1 agents of acme run at once ([limits] per_provider)");
  EXPECT_THAT(world.hydra({"status", race}).out, HasSubstr("waits: 1 agents of acme"));
  gate.open(1);
  ASSERT_TRUE(gate.arrived(1)) << "the second one's turn";
  gate.open(1);
  EXPECT_EQ(world.hydra({"watch", race}).exit, 0);
  for (auto all = world.results(race); const auto& agent : all["agents"])
    EXPECT_EQ(agent["outcome"], "completed");
}

// "a" sorts before "b", which runs when the daemon dies: it must not take b's place.
TEST_F(Budgets, WhatRunsKeepsItsPlaceWhenTheDaemonIsStartedAnew) {
  Gate gate(world.outside() / "gate");
  const auto flag = (world.outside() / "tried").string();
  world.project("[sandbox]\nwrite = [\"" + world.outside().string() +
                "\"]\n[limits]\nagents = 1\nretries = 1\nretry_delay_seconds = 0\n" +
                speaker("a", "session s1; if [ ! -e '" + flag + "' ]; then touch '" + flag +
                                 "'; fail 'rate limited' 429; exit 1; fi; echo work >> src/app.txt; done_") +
                speaker("b", kWork + gate.script() + "; done_"));
  const auto race = race_id(world.hydra({"race", "--detach", "--json", "--agents", "a,b", "task"}));
  ASSERT_TRUE(gate.arrived(1));
  const auto of = [&](const char* name, const char* key) {
    return agent_of(world.status(race), name)[key].get<std::string>();
  };
  // Either it began before b, or its second attempt waits for b now.
  for (int i = 0; i < 200 && of("a", "message").find("waits: 1 agents") == std::string::npos; ++i) {
  }
  EXPECT_THAT(of("a", "message"), HasSubstr("waits: 1 agents"));
  world.kill_daemon(SIGKILL);
  EXPECT_EQ(of("b", "state"), "running");
  EXPECT_EQ(of("a", "state"), "queued");
  EXPECT_THAT(of("a", "message"), HasSubstr("waits: 1 agents"));
  gate.open(1);
  EXPECT_EQ(world.hydra({"watch", race}).exit, 0);
  for (auto all = world.results(race); const auto& agent : all["agents"])
    EXPECT_EQ(agent["outcome"], "completed");
}

TEST_F(Budgets, CancelledWhileItWaits) {
  Gate gate(world.outside() / "gate");
  const auto out = world.outside().string();
  world.project("[sandbox]\nwrite = [\"" + out + "\"]\n[limits]\nper_provider = 1\n" +
                speaker("x", kWork + gate.script() + "; done_", "provider = \"acme\"\n"));
  const auto race = race_id(world.hydra({"race", "--detach", "--json", "--agents", "x:2", "task"}));
  ASSERT_TRUE(gate.arrived(1));
  std::string waiting;
  const auto status = world.status(race);
  for (const auto& agent : status["agents"])
    if (agent["state"] == "queued") waiting = agent["agent"];
  EXPECT_EQ(world.hydra({"cancel", race, "--agent", waiting}).exit, 0);
  gate.open(1);
  EXPECT_EQ(world.hydra({"watch", race}).exit, 0);
  EXPECT_EQ(agent_of(world.results(race), waiting)["state"], "cancelled");
}

TEST_F(Budgets, ARateLimitRunsAgainInANewWorktree) {
  const auto flag = (world.outside() / "tried").string();
  const auto x =
      run("[sandbox]\nwrite = [\"" + world.outside().string() +
              "\"]\n[limits]\nretries = 1\nretry_delay_seconds = 0\n" +
              speaker("x", "session s1; use 10 5 0.25; if [ ! -e '" + flag + "' ]; then touch '" + flag +
                               "'; fail 'rate limited' 429; exit 1; fi; echo work >> src/app.txt; done_"),
          {}, 0);
  EXPECT_EQ(x["outcome"], "completed") << x["message"];
  EXPECT_EQ(x["attempt"], 2);
  ASSERT_EQ(x["earlier_attempts"].size(), 1u);
  EXPECT_EQ(x["earlier_attempts"][0]["error_class"], "rate_limit");
  EXPECT_NEAR(x["cost_usd"].get<double>(), 0.5, 1e-9) << "both were paid for";
  EXPECT_THAT(output, HasSubstr("it runs again in"));
  EXPECT_THAT(output, HasSubstr("x: runs again after: rate limit, from the base"));
}

TEST_F(Budgets, WorkIsKeptWhenItRunsAgain) {
  const auto flag = (world.outside() / "tried").string();
  const auto x =
      run("[sandbox]\nwrite = [\"" + world.outside().string() +
              "\"]\n[limits]\nretries = 1\nretry_delay_seconds = 0\n" +
              speaker("x", "session s1; echo part >> src/app.txt; if [ ! -e '" + flag + "' ]; then touch '" +
                               flag + "'; fail 'overloaded' 529; exit 1; fi; done_"),
          {}, 0);
  EXPECT_EQ(x["outcome"], "completed") << x["message"];
  EXPECT_EQ(world.show(x["branch"], "src/app.txt"), "one\ntwo\nthree\npart\npart\n");
}

// ---- usage in a side file

TEST_F(Budgets, UsageOfASideFileIsReadAndLimited) {
  const auto config =
      speaker("x", std::string(kWork) + "echo '{\"in\":1500,\"out\":700}' > \"$1/usage.json\"; hang") +
      "[agents.x.stream.usage_file]\npath = \"{run_dir}/usage.json\"\nformat = \"json_whole\"\nmode = "
      "\"last\"\n"
      "input = \"/in\"\noutput = \"/out\"\n";
  auto with_dir = config;
  const auto at = with_dir.find("\"agent\"]");
  with_dir.replace(at, 8, "\"agent\", \"{run_dir}\", \"{prompt}\"]");
  const auto x = run(with_dir, {"--budget-tokens", "2000"});
  EXPECT_EQ(x["outcome"], "over_budget") << x["message"];
  EXPECT_EQ(x["tokens"]["input"], 1500);
  EXPECT_EQ(x["tokens"]["output"], 700);
}

TEST_F(Budgets, TheLiveTableShowsWhatIsUsed) {
  Gate gate(world.outside() / "gate");
  world.project("[sandbox]\nwrite = [\"" + world.outside().string() +
                "\"]\n[prices]\n\"house-model\" = { input = 100, output = 1000 }\n" +
                speaker("x", "session s1 house-model; say thinking; tool Bash; tokens 5000 900; " +
                                 gate.script() + "; echo work >> src/app.txt; done_"));
  const auto race = race_id(world.hydra({"race", "--detach", "--json", "--agents", "x", "task"}));
  ASSERT_TRUE(gate.arrived());
  auto x = agent_of(world.status(race), "x");
  // Output that the agent printed before the gate may still be on its way to its log.
  for (const auto until = std::chrono::steady_clock::now() + kDeadline;
       x["tool"] != "Bash" && std::chrono::steady_clock::now() < until; ::usleep(10'000))
    x = agent_of(world.status(race), "x");
  EXPECT_EQ(x["tool"], "Bash");
  EXPECT_EQ(x["tokens_counted"], 5900);
  EXPECT_EQ(x["cost_estimated"], true);
  const auto table = world.hydra({"status", race}).out;
  EXPECT_THAT(table, HasSubstr("5.9k"));
  EXPECT_THAT(table, HasSubstr("~$1.40"));
  EXPECT_THAT(table, HasSubstr("[Bash] thinking"));
  gate.open();
  EXPECT_EQ(world.hydra({"watch", race}).exit, 0);
}

TEST_F(Budgets, WrongAmountsAreUsageErrors) {
  world.project(speaker("x", "done_"));
  for (const Words& args :
       {Words{"--budget-usd", "-1"}, Words{"--budget-usd", "inf"}, Words{"--budget-usd", "1e9"},
        Words{"--budget-tokens", "1.5"}, Words{"--budget-tokens", "k"}, Words{"--race-budget-usd", ""},
        Words{"--race-budget-tokens", "many"}}) {
    Words all{"race", "--agents", "x", "task"};
    all.insert(all.end(), args.begin(), args.end());
    const auto run = world.hydra(all);
    if (args[1].empty()) continue;  // as if it were not given
    EXPECT_EQ(run.exit, 2) << args[0] << " " << args[1] << run.out << run.err;
    EXPECT_THAT(run.err, HasSubstr(args[0]));
  }
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
