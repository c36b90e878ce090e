// Agents that go wrong, each beside a good one: the outcome is named, the good one wins, nothing is left
// behind.
#include "support/machine.hpp"
#include "support/world.hpp"

#include <gmock/gmock.h>

#include <sys/stat.h>

namespace hydra::e2e::HYDRA_FILE {
namespace {

using ::testing::HasSubstr;

// A race of the agent "bad" and of one that works; the good one must come through whatever the other does.
class GoneWrong : public ::testing::Test {
 protected:
  World world;

  Json run(const std::string& bad_script, const std::string& config = {}, Words more = {}) {
    return run_agent(script_agent("bad", bad_script), config, std::move(more));
  }

  Json run_agent(const std::string& bad_agent, const std::string& config = {}, Words more = {}) {
    base = world.project(config + script_agent("good", "echo fine >> src/app.txt") + bad_agent);
    Words args{"--agents", "bad,good"};
    args.insert(args.end(), more.begin(), more.end());
    args.emplace_back("task");
    const auto race = world.race(args);
    EXPECT_EQ(race.exit, 0) << race.out << race.err;
    output = race.out;
    results = world.results();
    EXPECT_EQ(results["state"], "done");
    const auto good = agent_of(results, "good");
    EXPECT_EQ(good["state"], "completed");
    EXPECT_EQ(good["eligible"], true);
    EXPECT_EQ(world.show(good["branch"], "src/app.txt"), "one\ntwo\nthree\nfine\n");
    expect_only_the_daemon();
    return agent_of(results, "bad");
  }

  // The race has ended: of all its processes only the daemon may live.
  void expect_only_the_daemon() const {
    for (const auto pid : processes_with(world.root().string()))
      if (process_name(pid) != "hydrad" && !wait_gone(pid, std::chrono::seconds(5)))
        ADD_FAILURE() << "outlives its race: " << describe_process(pid);
  }

  std::string base, output;
  Json results;
};

TEST_F(GoneWrong, ProgramIsMissing) {
  const auto bad =
      run_agent("[agents.bad]\ncommand = [\"/no-such-program-anywhere\"]\ninstall_hint = \"npm i -g bad\"\n");
  EXPECT_EQ(bad["outcome"], "launch_error");
  EXPECT_EQ(bad["state"], "launch_error");
  EXPECT_EQ(bad["eligible"], false);
  EXPECT_THAT(bad["message"], HasSubstr("no-such-program-anywhere"));
  EXPECT_THAT(bad["message"], HasSubstr("npm i -g bad"));
  EXPECT_EQ(results["winner"], "good");
}

TEST_F(GoneWrong, ExitsWithOneAtOnce) {
  const auto bad = run("exit 1");
  EXPECT_EQ(bad["outcome"], "launch_error");
  EXPECT_EQ(bad["exit_code"], 1);
  EXPECT_EQ(bad["eligible"], false);
  EXPECT_EQ(results["winner"], "good");
}

TEST_F(GoneWrong, FailsAfterSomeWork) {
  const auto bad = run("echo half >> src/app.txt; echo working; exit 3");
  EXPECT_EQ(bad["outcome"], "failed");
  EXPECT_EQ(bad["exit_code"], 3);
  EXPECT_EQ(bad["eligible"], false);
  EXPECT_EQ(results["winner"], "good");
  // Its work is kept all the same.
  EXPECT_EQ(world.show(bad["branch"], "src/app.txt"), "one\ntwo\nthree\nhalf\n");
}

TEST_F(GoneWrong, KillsItself) {
  const auto bad = run("echo working; kill -SEGV $$");
  EXPECT_EQ(bad["outcome"], "crashed");
  EXPECT_EQ(bad["signal"], 11);
  EXPECT_EQ(bad["eligible"], false);
}

TEST_F(GoneWrong, Hangs) {
  const auto bad = run("echo started >> src/app.txt; sleep 1000", {}, {"--timeout", "1s"});
  EXPECT_EQ(bad["outcome"], "timed_out");
  EXPECT_EQ(bad["eligible"], false);
  EXPECT_THAT(bad["ineligible_reasons"], ::testing::Contains("timed_out"));
  EXPECT_EQ(world.show(bad["branch"], "src/app.txt"), "one\ntwo\nthree\nstarted\n");
}

TEST_F(GoneWrong, HangsAndIgnoresTheStopSignal) {
  const auto bad = run_agent(script_agent("bad", "trap '' TERM INT HUP; while :; do sleep 1000; done",
                                          "stop = [{ signal = \"TERM\", wait_seconds = 0.2 }]\n"),
                             {}, {"--timeout", "1s"});
  EXPECT_EQ(bad["outcome"], "timed_out");
}

TEST_F(GoneWrong, FloodsItsOutput) {
  const auto bad =
      run("echo x >> src/app.txt; yes 0123456789012345678901234567890123456789012345678 | head -c 200000000; "
          "echo the end");
  EXPECT_EQ(bad["outcome"], "completed");
  EXPECT_EQ(bad["output_bytes"], 200000000 + 8);
  const auto log = world.attempt(results["race"], "bad", "agent") / "stdout.log";
  struct stat st {};
  ASSERT_EQ(::stat(log.c_str(), &st), 0) << log;
  EXPECT_LE(st.st_blocks * 512, 6 << 20);
  const auto logs = world.hydra({"logs", "bad"});
  EXPECT_THAT(logs.out, HasSubstr("the end"));
  EXPECT_LT(logs.out.size(), 6u << 20);
}

TEST_F(GoneWrong, LeavesDaemonsBehind) {
  const auto bad =
      run("echo x >> src/app.txt; setsid sleep 1001 & (setsid sh -c 'sleep 1002 & exec sleep 1003' &) ; "
          "env -i setsid sleep 1004 & exit 0");
  EXPECT_EQ(bad["outcome"], "completed");
  EXPECT_GE(bad["leaked_processes"], 3);
  for (const char* number : {"1001", "1002", "1003", "1004"})
    EXPECT_TRUE(processes_with("sleep" + std::string(1, '\0') + number + std::string(1, '\0')).empty())
        << number;
}

TEST_F(GoneWrong, ForksOnAndOn) {
  const auto bad =
      run("echo x >> src/app.txt; f() { while :; do sleep 1009 & done; }; while :; do f & f & wait; done",
          "[limits]\nprocesses = 200\nagent_timeout_seconds = 20\n");
  EXPECT_NE(bad["outcome"], "completed") << bad.dump(1);
  EXPECT_EQ(bad["eligible"], false);
  // The agent has no place among agents that came to their end, whatever its files are worth.
  EXPECT_THAT(output, ::testing::ContainsRegex("#1 +good"));
  EXPECT_THAT(output, ::testing::ContainsRegex("-- +bad"));
  EXPECT_THAT(output, ::testing::Not(HasSubstr("#2")));
}

TEST_F(GoneWrong, LeavesDaemonsBehindWithoutASandbox) {
  const auto bad = run(
      "echo x >> src/app.txt; setsid sleep 2001 & (setsid sh -c 'sleep 2002 & exec sleep 2003' &) ; exit 0",
      {}, {"--sandbox", "off"});
  EXPECT_EQ(bad["outcome"], "completed");
  EXPECT_EQ(bad["sandbox"], "none");
  for (const char* number : {"2001", "2002", "2003"})
    EXPECT_TRUE(processes_with("sleep" + std::string(1, '\0') + number + std::string(1, '\0')).empty())
        << number;
}

TEST_F(GoneWrong, DeletesItsGitDirectory) {
  const auto bad = run("rm -rf .git; echo x >> src/app.txt");
  EXPECT_EQ(bad["state"], "completed");
  EXPECT_EQ(bad["diff"]["files_changed"], 1);
  EXPECT_EQ(world.show(bad["branch"], "src/app.txt"), "one\ntwo\nthree\nx\n");
  EXPECT_EQ(world.git({"rev-parse", bad["branch"].get<std::string>() + "^"}), base);
}

// Whatever it is called, it is no unchanged tree: all four files are gone, or the capture failed.
TEST_F(GoneWrong, DeletesItsWorktree) {
  HYDRA_NEEDS(machine::Ability::sandbox);
  for (const bool sandboxed : {true, false}) {
    World own;
    own.project(script_agent("good", "echo fine >> src/app.txt") +
                script_agent("bad", "d=$PWD; cd /; rm -rf \"$d\"; exit 0"));
    const auto race = own.race({"--agents", "bad,good", "--sandbox", sandboxed ? "required" : "off", "task"});
    EXPECT_EQ(race.exit, 0) << race.out << race.err;
    const auto all = own.results();
    const auto bad = agent_of(all, "bad");
    EXPECT_NE(bad["state"], "no_changes");
    if (bad["commit"] != "")
      EXPECT_EQ(bad["diff"]["files_changed"], 4);
    else
      EXPECT_THAT(bad["ineligible_reasons"], ::testing::Contains("capture_failed"));
    EXPECT_EQ(agent_of(all, "good")["state"], "completed");
  }
}

TEST_F(GoneWrong, ChangesNothing) {
  const auto bad = run("echo I thought about it");
  EXPECT_EQ(bad["state"], "no_changes");
  EXPECT_EQ(bad["outcome"], "completed");
  EXPECT_EQ(bad["eligible"], false);
  EXPECT_EQ(bad["ineligible_reasons"], Json::array({"no_changes"}));
  EXPECT_EQ(bad["branch"], "");
  EXPECT_EQ(results["winner"], "good");
}

TEST_F(GoneWrong, ChangesWhiteSpaceOnly) {
  const auto bad = run("sed -i 's/^two$/  two  /' src/app.txt");
  EXPECT_EQ(bad["eligible"], false);
  EXPECT_EQ(bad["ineligible_reasons"], Json::array({"trivial"}));
  EXPECT_EQ(results["winner"], "good");
}

TEST_F(GoneWrong, CommitsItsWorkItself) {
  const auto bad =
      run("echo x >> src/app.txt; git add -A && git commit -qm 'my work'; echo y >> src/app.txt");
  EXPECT_EQ(bad["state"], "completed");
  EXPECT_EQ(bad["agent_commits"], 1);
  EXPECT_EQ(bad["diff"]["lines_added"], 2);
  EXPECT_EQ(world.show(bad["branch"], "src/app.txt"), "one\ntwo\nthree\nx\ny\n");
  EXPECT_EQ(world.git({"rev-parse", bad["branch"].get<std::string>() + "^"}), base);
}

TEST_F(GoneWrong, WritesToGitsOwnPlaces) {
  const auto bad = run(
      "echo x >> src/app.txt; git branch -f main HEAD; git tag v1; git checkout -qb other; "
      "printf '#!/bin/sh\\ntouch /tmp/owned\\n' > .git/hooks/post-commit; chmod +x .git/hooks/post-commit; "
      "touch .git/index.lock");
  EXPECT_EQ(bad["state"], "completed");
  EXPECT_EQ(bad["diff"]["lines_added"], 1);
  EXPECT_EQ(world.git({"tag"}), "");
}

TEST_F(GoneWrong, MakesANestedRepository) {
  const auto bad =
      run("git init -q sub && cd sub && echo inner > f.txt && git add f.txt && git commit -qm inner; "
          "git init -q ../empty; echo loose > ../empty/g.txt");
  EXPECT_EQ(bad["state"], "completed");
  EXPECT_EQ(world.show(bad["branch"], "sub/f.txt"), "inner\n");
  EXPECT_EQ(world.show(bad["branch"], "empty/g.txt"), "loose\n");
  EXPECT_EQ(bad["diff"]["files_changed"], 2);
}

TEST_F(GoneWrong, ReadsStandardInput) {
  const auto bad = run("cat > src/stdin.txt; echo over >> src/stdin.txt", {}, {"--timeout", "20s"});
  EXPECT_EQ(bad["outcome"], "completed");
  EXPECT_EQ(world.show(bad["branch"], "src/stdin.txt"), "over\n");
}

TEST_F(GoneWrong, WritesEscapesAndBrokenBytes) {
  const auto bad = run("printf '\\033]0;owned\\007\\033[2J\\377\\376\\n'; echo x >> src/app.txt");
  EXPECT_EQ(bad["outcome"], "completed");
  EXPECT_EQ(output.find('\x1b'), std::string::npos);
  EXPECT_EQ(world.hydra({"status"}).out.find('\x1b'), std::string::npos);
}

TEST_F(GoneWrong, WritesStrangeNames) {
  const auto bad = run(
      "mkdir 'a b'; echo 1 > 'a b/new\nline'; echo 2 > -rf; echo 3 > '\"q\".txt'; ln -s /etc/passwd link; "
      "mkfifo pipe; echo 4 > ä.txt");
  EXPECT_EQ(bad["state"], "completed");
  const std::string branch = bad["branch"];
  EXPECT_EQ(world.show(branch, "a b/new\nline"), "1\n");
  EXPECT_EQ(world.show(branch, "-rf"), "2\n");
  EXPECT_EQ(world.show(branch, "ä.txt"), "4\n");
  EXPECT_EQ(world.git({"ls-tree", branch, "link"}).substr(0, 6), "120000");
  EXPECT_EQ(bad["diff"]["files_changed"], 5);
}

TEST_F(GoneWrong, CannotReachTheUsersFiles) {
  HYDRA_NEEDS(machine::Ability::sandbox);
  const auto target = world.repo() / "src/app.txt";
  const auto bad =
      run("echo x >> src/app.txt; echo owned > '" + target.string() + "'; rm -rf '" + world.home().string() +
          "/.gitconfig'; echo owned > '" + (world.state() / "hydra.db").string() + "'; exit 0");
  EXPECT_EQ(bad["state"], "completed");
  EXPECT_EQ(world.read("src/app.txt"), "one\ntwo\nthree\n");
  EXPECT_TRUE(fs::exists(world.home() / ".gitconfig"));
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
