// Rows of the reliability matrix that no other suite has: a daemon with few descriptors, one that is stopped
// for a while or ended while it starts agents, a power loss, a full disk, and what an agent plants in git.
#include "support/http.hpp"
#include "support/machine.hpp"
#include "support/world.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <signal.h>
#include <sys/mount.h>
#include <unistd.h>

namespace hydra::e2e::HYDRA_FILE {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;

std::string counting(const World& world, const std::string& name, const std::string& more = {}) {
  return script_agent(name, "echo " + name + " >> " + world.outside().string() + "/ran; " + more + "echo " +
                                name + " >> src/app.txt");
}
std::string writable(const World& world) {
  return "[sandbox]\nwrite = [\"" + world.outside().string() + "\"]\n";
}

// P21: too few descriptors are said, or waited for; nothing crashes.
TEST(Rows, ADaemonWithFewDescriptorsEndsItsRaces) {
  World world;
  world.project(writable(world) + counting(world, "a"));
  Process daemon(
      {"/bin/sh", "-c", "ulimit -n 64; exec \"$0\" --foreground --ready-fd 1", path_of_binary("hydrad")},
      world.root(), world.environment());
  ASSERT_TRUE(daemon.wait_text("1"));
  const auto run = world.race({"--agents", "a:20", "task"});
  EXPECT_THAT(run.exit, AnyOf(0, 1)) << run.out << run.err;
  ASSERT_EQ(world.daemons(), std::vector<pid_t>{daemon.pid()});
  const auto results = world.results();
  EXPECT_EQ(results["state"], "done");
  for (const auto& agent : results["agents"])
    EXPECT_TRUE(agent["state"] == "completed" || !agent["message"].get<std::string>().empty())
        << agent.dump(1);
}

// P23: none is lost, none runs twice.
TEST(Rows, ADaemonThatIsEndedWhileItStartsAgents) {
  World world;
  world.project(writable(world) + counting(world, "a") + counting(world, "b"));
  for (int round = 0; round < 8; ++round) {
    const auto race = race_id(world.hydra({"race", "--detach", "--json", "--agents", "a,b", "task"}));
    ASSERT_FALSE(race.empty());
    for (int looks = 0; looks < round * 3; ++looks) (void)world.status(race);  // another moment each time
    world.kill_daemon(SIGTERM);
    ASSERT_EQ(world.hydra({"watch", race}).exit, 0);
    for (const char* name : {"a", "b"}) EXPECT_EQ(agent_of(world.results(race), name)["state"], "completed");
  }
  EXPECT_EQ(slurp(world.outside() / "ran").size(), 8u * 4u) << slurp(world.outside() / "ran");
}

// P27: stands in for a machine that sleeps.
TEST(Rows, AStoppedDaemonGoesOnWhereItWas) {
  World world;
  Gate gate(world.outside() / "gate");
  world.project(writable(world) + counting(world, "a", gate.script() + "; "));
  const auto race = race_id(world.hydra({"race", "--detach", "--json", "--agents", "a", "task"}));
  ASSERT_TRUE(gate.arrived());
  const auto pid = world.daemons().at(0);
  ASSERT_EQ(::kill(pid, SIGSTOP), 0);
  gate.open();
  const auto result = world.attempt(race, "a", "agent") / "result.json";
  for (const auto until = std::chrono::steady_clock::now() + kDeadline;
       !fs::exists(result) && std::chrono::steady_clock::now() < until;) {
  }
  ASSERT_TRUE(fs::exists(result)) << "its supervisor needs no daemon";
  ASSERT_EQ(::kill(pid, SIGCONT), 0);
  EXPECT_EQ(world.hydra({"watch", race}).exit, 0);
  EXPECT_EQ(agent_of(world.results(race), "a")["state"], "completed");
  EXPECT_EQ(world.daemons(), std::vector<pid_t>{pid});
}

// C24: everything dies, and the state directory is what a copy of some moment holds.
TEST(Rows, AStateDirectoryOfAnyMomentIsConsistent) {
  for (int moment = 0; moment < 3; ++moment) {
    SCOPED_TRACE(moment);
    World world;
    Gate gate(world.outside() / "gate");
    world.project(writable(world) + counting(world, "a", gate.script() + "; ") + counting(world, "b"));
    const auto race = race_id(world.hydra({"race", "--detach", "--json", "--agents", "a,b", "task"}));
    ASSERT_TRUE(gate.arrived());
    const auto copy = world.root() / "copy";
    // Of one moment, as a power loss is: nobody writes while it is taken.
    const auto take = [&] {
      const auto all = processes_with(world.root().string());
      for (const auto pid : all) ::kill(pid, SIGSTOP);
      const auto run = Process({"/bin/cp", "-a", world.state().string(), copy.string()}, "/", {}).wait();
      for (const auto pid : all) ::kill(pid, SIGCONT);
      EXPECT_EQ(run.exit, 0) << run.err;
    };
    if (moment == 0) take();
    if (moment == 1) {
      while (agent_of(world.status(race), "b")["state"] != "ranked" &&
             agent_of(world.status(race), "b")["state"] != "completed" &&
             agent_of(world.status(race), "b")["state"] != "checking") {
      }
      take();
    }
    if (moment == 2) {
      gate.open();
      ASSERT_EQ(world.hydra({"watch", race}).exit, 0);
      take();
    }
    world.kill_daemon();
    for (const auto pid : processes_with(world.root().string()))
      if (process_name(pid) == "hydra-shim") ::kill(pid, SIGKILL);
    fs::rename(world.state(), world.root() / "lost");
    fs::rename(copy, world.state());
    EXPECT_THAT(world.hydra({"watch", race}).exit, AnyOf(0, 1));
    const auto results = world.results(race);
    EXPECT_EQ(results["state"], "done");
    for (const char* name : {"a", "b"}) {
      const auto agent = agent_of(results, name);
      const auto work = slurp(world.state() / "races" / race / "work" / name / "src/app.txt");
      const bool changed = work != "one\ntwo\nthree\n";
      // The first moment may be before it wrote, or before it was started: then it runs.
      if (moment == 2 || (moment == 1 && *name == 'b')) {
        EXPECT_EQ(agent["state"], "completed");
        EXPECT_TRUE(changed) << name;
      }
      if (changed) {
        EXPECT_EQ(world.show(agent["branch"], "src/app.txt"), work) << agent.dump(1);
      }
    }
    const auto ran = slurp(world.outside() / "ran");
    if (moment > 0) {
      EXPECT_EQ(std::count(ran.begin(), ran.end(), 'b'), 1) << "what had ended runs no second time";
    }
  }
}

// C10, C11: what stands in the way is named.
TEST(Rows, AFullDiskIsNamed) {
  World world;
  const auto state = world.root() / "state";
  HYDRA_NEEDS(machine::Ability::mounts);
  ASSERT_EQ(::mount("none", state.c_str(), "tmpfs", 0, "size=12m"), 0);
  world.project(script_agent("a", "echo fine >> src/app.txt; head -c 50000000 /dev/zero > big || exit 1"));
  const auto race = race_id(world.hydra({"race", "--detach", "--json", "--agents", "a", "task"}));
  // The supervisor has room for its result; the daemon waits for some for its record of it, and says so.
  const auto result = world.attempt(race, "a", "agent") / "result.json";
  std::string problem;
  for (const auto until = std::chrono::steady_clock::now() + kDeadline;
       (!fs::exists(result) || problem.empty()) && std::chrono::steady_clock::now() < until;)
    problem = world.status(race).value("reason", "");
  ASSERT_TRUE(fs::exists(result));
  EXPECT_THAT(problem, HasSubstr("disk"));
  fs::remove(world.state() / "races" / race / "work/a/big");
  EXPECT_THAT(world.hydra({"watch", race}).exit, AnyOf(0, 1));
  const auto a = agent_of(world.results(race), "a");
  EXPECT_THAT(a["message"].dump(), HasSubstr("the disk is full"));
  EXPECT_EQ(world.show(a["branch"], "src/app.txt"), "one\ntwo\nthree\nfine\n");
  world.hydra({"daemon", "stop"});
  world.finish();
  ::umount2(state.c_str(), MNT_DETACH);
}

TEST(Rows, ACancelActsWhereNothingCanBeStored) {
  World world;
  const auto state = world.root() / "state";
  HYDRA_NEEDS(machine::Ability::mounts);
  ASSERT_EQ(::mount("none", state.c_str(), "tmpfs", 0, "size=24m"), 0);
  Gate gate(world.outside() / "gate");
  world.project("[sandbox]\nread = [\"" + world.outside().string() + "\"]\n" +
                script_agent("a", gate.script()));
  const auto race = race_id(world.hydra({"race", "--detach", "--json", "--agents", "a", "task"}));
  ASSERT_TRUE(gate.arrived());
  {
    std::ofstream filler(world.state() / "filler");
    const std::string block(1 << 16, 'x');
    while (filler.write(block.data(), static_cast<std::streamsize>(block.size())).flush()) {
    }
  }
  EXPECT_EQ(world.hydra({"cancel", race}).exit, 0);
  // The room for it was taken before the agent began.
  const auto result = world.attempt(race, "a", "agent") / "result.json";
  for (const auto until = std::chrono::steady_clock::now() + kDeadline;
       !fs::exists(result) && std::chrono::steady_clock::now() < until;)
    ::usleep(20'000);
  EXPECT_TRUE(fs::exists(result));
  fs::remove(world.state() / "filler");
  world.hydra({"watch", race});
  EXPECT_EQ(world.results(race)["state"], "cancelled");
  world.hydra({"daemon", "stop"});
  world.finish();
  ::umount2(state.c_str(), MNT_DETACH);
}

// A request is answered where nothing can be stored, and leaves nothing that happens later.
TEST(Rows, AFullDiskAnswersRequestsAndStoresNothingOfThem) {
  World world;
  const auto state = world.root() / "state";
  HYDRA_NEEDS(machine::Ability::mounts);
  ASSERT_EQ(::mount("none", state.c_str(), "tmpfs", 0, "size=24m"), 0);
  world.project(script_agent("a", "echo fine >> src/app.txt"));
  const auto race = race_id(world.race({"--json", "--agents", "a", "task"}));
  {
    std::ofstream filler(world.state() / "filler");
    const std::string block(1 << 12, 'x');
    while (filler.write(block.data(), static_cast<std::streamsize>(block.size())).flush()) {
    }
  }
  const auto rated = ask(world, "POST", "/v1/races/" + race + "/rate", {{"agent", "a"}, {"rating", 5}});
  EXPECT_EQ(rated.status, 507) << rated.body;
  EXPECT_THAT(rated.body, HasSubstr("make room on"));
  const auto refused = world.hydra({"race", "--detach", "--agents", "a", "task"});
  EXPECT_NE(refused.exit, 0);
  EXPECT_THAT(refused.err, AnyOf(HasSubstr("full"), HasSubstr("No space left")));
  fs::remove(world.state() / "filler");
  EXPECT_EQ(world.list()["total"], 1);
  EXPECT_EQ(world.hydra({"rate", race + "/a", "3"}).exit, 0);
  EXPECT_EQ(agent_of(world.results(race), "a").dump().find("\"rating\":5"), std::string::npos);
  world.hydra({"daemon", "stop"});
  world.finish();
  ::umount2(state.c_str(), MNT_DETACH);
}

// G01, G03, G32: what an agent does to refs and plants in its repository stays in it, and runs nowhere.
TEST(Rows, NothingThatAnAgentPlantsInGitReachesTheUser) {
  World world;
  const auto owned = (world.outside() / "owned").string();
  const auto evil = "touch " + owned;
  world.project(
      writable(world) +
      script_agent("bad",
                   "git update-ref refs/heads/main 0000000000000000000000000000000000000000; "
                   "git branch -f main HEAD~0; git tag -f v1; git stash; "
                   "printf '[core]\\n\\tfsmonitor = " +
                       evil + "\\n\\thooksPath = hooks\\n[diff \"e\"]\\n\\ttextconv = " + evil +
                       "; cat\\n[merge \"e\"]\\n\\tdriver = " + evil +
                       "\\n[filter \"e\"]\\n\\tclean = " + evil + "; cat\\n\\tsmudge = " + evil +
                       "; cat\\n' > .git/planted; git config include.path planted; "
                       "git config extensions.worktreeConfig true; cp .git/planted .git/config.worktree; "
                       "mkdir -p .git/info; echo '* diff=e merge=e filter=e' > .git/info/attributes; "
                       "echo '* diff=e merge=e filter=e' > .gitattributes; "
                       "mkdir -p hooks; printf '#!/bin/sh\\n" +
                       evil +
                       "\\n' > hooks/post-merge; chmod +x hooks/*; "
                       "echo x >> src/app.txt"));
  ASSERT_EQ(world.race({"--agents", "bad", "--", "-x; $(touch " + owned + ") <svg/onload=1>"}).exit, 0);
  fs::remove(owned);  // its own git may run what is its own
  for (const Words& words :
       {Words{"status"}, Words{"diff", "HEAD"}, Words{"log", "-p", "--all"}, Words{"stash", "list"}})
    EXPECT_EQ(world.try_git(words).exit, 0);
  EXPECT_EQ(world.hydra({"diff", "bad"}).exit, 0);
  const auto merged = world.hydra({"merge", "bad"});
  EXPECT_NE(merged.exit, 0) << "attributes and hooks need a word: " << merged.out;
  EXPECT_FALSE(fs::exists(owned));
  EXPECT_EQ(world.git({"for-each-ref", "--format=%(refname)", "refs/tags", "refs/stash"}), "");
}

// G37: no file of the user's repository has another name in Hydra's places.
TEST(Rows, NoObjectOfTheUserIsHardLinked) {
  World world;
  world.project(
      script_agent("a", "chmod -R u+w .git; find .git -type f -links +1; echo fine >> src/app.txt"));
  ASSERT_EQ(world.race({"--agents", "a", "task"}).exit, 0);
  for (const auto& entry : fs::recursive_directory_iterator(world.repo() / ".git")) {
    if (!entry.is_regular_file()) continue;
    EXPECT_EQ(fs::hard_link_count(entry), 1u) << entry.path();
  }
  EXPECT_EQ(world.try_git({"fsck", "--strict"}).exit, 0);
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
