// Agents that work in overlays over one checkout of the base ([workspace] worktrees): nothing of a race is
// different but what it costs.
#include "support/machine.hpp"
#include "support/world.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <sys/stat.h>

namespace hydra::e2e::HYDRA_FILE {
namespace {

using ::testing::HasSubstr;

class Worktrees : public ::testing::Test {
 protected:
  void SetUp() override { HYDRA_NEEDS(machine::Ability::overlays, machine::Ability::sandbox); }
  static std::string config(const std::string& worktrees) {
    return "[workspace]\nworktrees = \"" + worktrees + "\"\n";
  }
  [[nodiscard]] fs::path work(const std::string& race) const {
    return world.state() / "races" / race / "work";
  }
  [[nodiscard]] int bases() const {
    int count = 0;
    std::error_code ec;
    for (const auto& entry : fs::directory_iterator(world.state() / "shared-bases", ec))
      count += entry.is_directory() ? 1 : 0;
    return count;
  }
  std::string race_of(const std::string& script, const std::string& more = {}) {
    world.project(config("overlay") + more + script_agent("a", script));
    const auto run = world.race({"--agents", "a", "task"});
    EXPECT_EQ(run.exit, 0) << run.out << run.err;
    return world.results()["race"];
  }
  World world;
};

constexpr const char* kWork =
    "test -z \"$(git status --porcelain)\" || exit 3; echo four >> src/app.txt; mkdir new; echo n > "
    "new/file; "
    "echo l > x.log; rm README.md; git mv src/app.txt src/renamed.txt; chmod +x src/renamed.txt";

TEST_F(Worktrees, OverlaysGiveTheResultOfCheckouts) {
  std::string trees[2], names[2];
  for (const auto* kind : {"checkout", "overlay"}) {
    const bool overlay = kind == std::string("overlay");
    world.project(config(kind) + "[scoring]\ntest_command = \"test -x src/renamed.txt\"\n" +
                  script_agent("a", kWork) + script_agent("b", kWork));
    const auto run = world.race({"--agents", "a,b", "--fresh-baseline", "task"});
    EXPECT_EQ(run.exit, 0) << run.out << run.err;
    const auto results = world.results();
    const std::string race = results["race"];
    const auto a = agent_of(results, "a");
    EXPECT_EQ(a["dimensions"]["tests"]["detail"]["exit_code"], 0);
    names[overlay] = world.git({"diff", "--name-status", "main", a["branch"], "--", ".", ":!hydra.toml"});
    trees[overlay] = world.show(a["branch"], "src/renamed.txt");
    EXPECT_EQ(fs::exists(work(race) / "a/upper"), overlay) << "made in the way that was asked for";
    EXPECT_EQ(bases(), overlay ? 1 : 0) << "one for both agents";
    EXPECT_EQ(world.git({"rev-parse", std::string(agent_of(results, "b")["branch"]) + "^{tree}"}),
              world.git({"rev-parse", std::string(a["branch"]) + "^{tree}"}));
  }
  EXPECT_EQ(trees[1], "one\ntwo\nthree\nfour\n");
  EXPECT_EQ(trees[1], trees[0]);
  EXPECT_EQ(names[1], names[0]);
  EXPECT_EQ(world.hydra({"merge", "a", "--yes"}).exit, 0);
}

TEST_F(Worktrees, AnAgentOutlivesItsDaemon) {
  Gate gate(world.outside() / "gate");
  world.project(
      config("overlay") + "[sandbox]\nread = [\"" + world.outside().string() + "\"]\n" +
      script_agent("a", "echo before >> src/app.txt; " + gate.script() + "; echo after >> src/app.txt"));
  const auto race = race_id(world.hydra({"race", "--detach", "--json", "--agents", "a", "task"}));
  ASSERT_TRUE(gate.arrived());
  world.kill_daemon();
  gate.open();
  EXPECT_EQ(world.hydra({"watch", race}).exit, 0);
  EXPECT_EQ(world.show(agent_of(world.results(race), "a")["branch"], "src/app.txt"),
            "one\ntwo\nthree\nbefore\nafter\n");
}

TEST_F(Worktrees, ARetryGoesOnInTheSameOne) {
  race_of("echo again >> src/app.txt; echo kept >> x.log; echo $(wc -l < x.log) > count");
  EXPECT_EQ(world.hydra({"retry", "a", "--message", "once more"}).exit, 0);
  const auto branch = agent_of(world.results(), "a")["branch"];
  EXPECT_EQ(world.show(branch, "src/app.txt"), "one\ntwo\nthree\nagain\nagain\n");
  EXPECT_EQ(world.show(branch, "count"), "2\n") << "what is ignored is there, too";
}

TEST_F(Worktrees, AreCleanedComparedAndMadeAgain) {
  const auto race = race_of("echo fine >> src/app.txt");
  std::ofstream(work(race) / "a/upper/src/app.txt") << "typed after the race\n";
  EXPECT_EQ(world.hydra({"clean", "--yes"}).exit, 0);
  EXPECT_TRUE(fs::exists(work(race) / "a")) << "it was changed after its capture";
  std::ofstream(work(race) / "a/upper/src/app.txt") << "one\ntwo\nthree\nfine\n";
  std::ofstream(work(race) / "a/note.txt") << "typed beside it\n";
  EXPECT_EQ(world.hydra({"clean", "--yes"}).exit, 0);
  EXPECT_TRUE(fs::exists(work(race) / "a/note.txt")) << "nobody captured it";
  EXPECT_NE(world.hydra({"worktree", "a"}).exit, 0) << "it would be lost";
  EXPECT_TRUE(fs::exists(work(race) / "a/note.txt"));
  fs::remove(work(race) / "a/note.txt");
  EXPECT_EQ(world.hydra({"clean", "--yes"}).exit, 0);
  EXPECT_FALSE(fs::exists(work(race) / "a"));
  EXPECT_EQ(world.hydra({"clean", "--undo", race}).exit, 0);
  EXPECT_EQ(slurp(work(race) / "a/src/app.txt"), "one\ntwo\nthree\nfine\n") << "a real directory";
  EXPECT_EQ(world.hydra({"retry", "a"}).exit, 0);
  EXPECT_EQ(world.show(agent_of(world.results(), "a")["branch"], "src/app.txt"),
            "one\ntwo\nthree\nfine\nfine\n");
}

TEST_F(Worktrees, AreDirectoriesOnDemand) {
  const auto race = race_of(kWork);
  const auto made = world.hydra({"worktree", "a"});
  ASSERT_EQ(made.exit, 0) << made.err;
  EXPECT_EQ(made.out, (work(race) / "a").string() + "\n");
  EXPECT_FALSE(fs::exists(work(race) / "a/upper"));
  EXPECT_EQ(slurp(work(race) / "a/src/renamed.txt"), "one\ntwo\nthree\nfour\n");
  EXPECT_EQ(slurp(work(race) / "a/x.log"), "l\n") << "what is ignored is there, too";
  EXPECT_EQ(world.try_git({"status", "--porcelain"}, work(race) / "a").out,
            " D README.md\nRM src/app.txt -> src/renamed.txt\n?? new/\n");
  EXPECT_EQ(world.hydra({"worktree", "a"}).out, made.out) << "again nothing has to be made";
  EXPECT_EQ(world.hydra({"clean", "--yes"}).exit, 0);
  EXPECT_FALSE(fs::exists(work(race) / "a")) << "it holds what was captured";
  EXPECT_EQ(world.hydra({"worktree", "a"}).out, made.out);
  EXPECT_TRUE(fs::exists(work(race) / "a/src/renamed.txt"));
  const auto none = world.hydra({"worktree", race + "/b"});
  EXPECT_NE(none.exit, 0);
  EXPECT_THAT(none.err, HasSubstr("b"));
}

TEST_F(Worktrees, CopiesInThePlaceOfTheBasesFilesNeedACheckout) {
  world.project("");
  world.write(".env", "secret\n");
  const auto race = race_of("grep -q secret .env && echo done > n", "copy = [\".env\"]\n");
  EXPECT_EQ(slurp(work(race) / "a/upper/.env"), "secret\n");
  EXPECT_EQ(world.show(agent_of(world.results(), "a")["branch"], ".env"), "") << "no work of the agent's";
  world.write("src/app.txt", "mine again\n");
  world.write("hydra.toml", "[workspace]\nworktrees = \"overlay\"\ncopy = [\"src\"]\n" +
                                script_agent("a", "grep -q again src/app.txt && echo done > n"));
  const auto run = world.race({"--agents", "a", "task"});
  EXPECT_EQ(run.exit, 0) << run.out << run.err;
  const std::string second = world.results()["race"];
  EXPECT_FALSE(fs::exists(work(second) / "a/upper"));
  EXPECT_EQ(slurp(work(second) / "a/src/app.txt"), "mine again\n");
}

TEST_F(Worktrees, AgentsSeeNothingOfHowTheyAreMade) {
  const auto race = race_of(
      "for f in upper work; do test ! -e $f || exit 4; done; touch \"$HOME/x\"; "
      "ls -d \"$OLDPWD\"/../shared-bases 2>/dev/null && exit 5; echo fine > n");
  EXPECT_EQ(slurp(work(race) / "a/upper/n"), "fine\n");
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
