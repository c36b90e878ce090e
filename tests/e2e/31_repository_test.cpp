// The user's repository at the end of a race: what an agent without a sandbox did to it is named in the
// result block, in the status and in JSON, blocks merging, and can be repaired; what the user did is told.
#include "support/machine.hpp"
#include "support/world.hpp"

#include <gmock/gmock.h>

namespace hydra::e2e::HYDRA_FILE {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class RepositoryAtTheEnd : public ::testing::Test {
 protected:
  std::string in_repo(const std::string& git) const {
    return "git -C '" + world.repo().string() + "' " + git;
  }
  World world;
};

TEST_F(RepositoryAtTheEnd, WhatAnUnsandboxedAgentDidIsShownBlocksAndIsRepaired) {
  const auto git_dir = (world.repo() / ".git").string();
  world.project("[scoring]\ntest_command = \"true\"\n" +
                script_agent("bad", "echo 'backdoor*' >> '" + git_dir + "/info/exclude'; " +
                                        in_repo("update-index --assume-unchanged README.md") +
                                        "; printf '#!/bin/sh\\ntouch " + (world.root() / "owned").string() +
                                        "\\n' > '" + git_dir + "/hooks/pre-merge-commit'; chmod +x '" +
                                        git_dir + "/hooks/pre-merge-commit'; echo x >> src/app.txt") +
                script_agent("good", "echo fine >> src/app.txt"));
  const auto exclude = world.read(".git/info/exclude");
  const auto race = world.hydra({"race", "--agents", "bad,good", "--sandbox", "off", "--auto-merge", "task"});
  const std::string hook = "hooks/pre-merge-commit";
  EXPECT_THAT(race.out, AllOf(HasSubstr("not by Hydra: hooks/pre-merge-commit, info/exclude"),
                              HasSubstr("hydra merge --repair-only")));
  EXPECT_THAT(race.out + race.err, HasSubstr("by the end of bad, the repository itself has changed"));
  auto results = world.results();
  const Json expected = Json::array({hook, "info/exclude"});
  EXPECT_EQ(results["repository_changes"]["blocking"], expected) << results.dump(1);
  EXPECT_EQ(results["auto_merged"], false);
  EXPECT_EQ(agent_of(results, "bad")["repository_changed"], expected);
  EXPECT_EQ(world.status()["repository_changes"]["blocking"], expected);
  EXPECT_THAT(world.hydra({"status"}).out, HasSubstr(hook));
  EXPECT_THAT(world.hydra({"results"}).out, HasSubstr(hook));
  const auto refused = world.hydra({"merge", "good"});
  EXPECT_EQ(refused.exit, 1);
  EXPECT_THAT(refused.err, HasSubstr(hook));
  // Flags of the index are asked for once nothing else differs.
  const auto repaired = world.hydra({"merge", "--repair-only"});
  EXPECT_EQ(repaired.exit, 0) << repaired.out << repaired.err;
  EXPECT_THAT(repaired.out, HasSubstr(hook));
  EXPECT_EQ(world.read(".git/info/exclude"), exclude);
  EXPECT_FALSE(fs::exists(world.repo() / ".git/hooks/pre-merge-commit"));
  EXPECT_EQ(world.git({"ls-files", "-v", "README.md"}), "H README.md");
  EXPECT_EQ(world.results()["repository_changes"], nullptr);
  EXPECT_THAT(world.hydra({"merge", "--repair-only"}).out, HasSubstr("is as it was"));
  EXPECT_EQ(world.hydra({"merge", "good"}).exit, 0);
  EXPECT_FALSE(fs::exists(world.root() / "owned"));
}

TEST_F(RepositoryAtTheEnd, RewrittenHistoryIsShownWithWhatItWas) {
  world.project("[scoring]\ntest_command = \"true\"\n" +
                script_agent("bad", in_repo("update-ref refs/heads/kept \"$(") +
                                        in_repo("commit-tree HEAD: -m evil") + ")\"; echo x >> src/app.txt"));
  world.git({"branch", "kept"});
  const auto was = "refs/heads/kept (was " + world.git({"rev-parse", "kept"}).substr(0, 12) + ")";
  world.hydra({"race", "--agents", "bad", "--sandbox", "off", "task"});
  EXPECT_EQ(world.results()["repository_changes"]["blocking"], Json::array({was}));
  const auto repaired = world.hydra({"merge", "--repair-only"});
  EXPECT_EQ(repaired.exit, 1) << "refs are the user's to judge";
  EXPECT_THAT(repaired.out, HasSubstr(was));
  EXPECT_EQ(world.hydra({"merge", "bad"}).exit, 1);
  EXPECT_EQ(world.hydra({"merge", "bad", "--accept-changes"}).exit, 0);
  EXPECT_EQ(world.results()["repository_changes"], nullptr);
}

TEST_F(RepositoryAtTheEnd, TheUsersOwnWorkMeanwhileIsToldAndBlocksNothing) {
  HYDRA_NEEDS(machine::Ability::sandbox);
  for (const std::string sandbox : {"required", "off"}) {
    World own;
    Gate gate(own.outside() / "gate");
    own.project("[sandbox]\nwrite = [\"" + own.outside().string() +
                "\"]\n[scoring]\ntest_command = \"true\"\n" +
                script_agent("a", gate.script() + "; echo fine >> src/app.txt"));
    auto race = own.start({"race", "--agents", "a", "--sandbox", sandbox, "task"});
    ASSERT_TRUE(gate.arrived());
    own.write("mine.txt", "mine\n");
    own.commit("mine");
    own.git({"tag", "v1"});
    own.git({"update-ref", "refs/remotes/origin/main", "HEAD"});
    own.git({"worktree", "add", "-q", "--detach", (own.root() / "beside").string()});
    own.write("README.md", "edited\n");
    gate.open();
    const auto run = race->wait();
    EXPECT_EQ(run.exit, 0) << run.out << run.err;
    const auto changes = own.results()["repository_changes"];
    EXPECT_THAT(changes["blocking"], IsEmpty()) << sandbox << changes.dump();
    for (const char* name :
         {"refs/heads/main", "refs/tags/v1 (new)", "refs/remotes", "worktrees/beside (new)"})
      EXPECT_THAT(changes["meanwhile"], Contains(name)) << sandbox << changes.dump();
    EXPECT_EQ(changes.dump().find("README.md") != std::string::npos, sandbox == "off") << changes.dump();
    EXPECT_THAT(run.out, AllOf(HasSubstr("Changed while the race ran: "), Not(HasSubstr("not by Hydra"))));
    own.git({"checkout", "-q", "README.md"});
    EXPECT_EQ(own.hydra({"merge", "a"}).exit, 0) << sandbox;
  }
}

TEST_F(RepositoryAtTheEnd, NothingIsSaidWhereNothingChanged) {
  HYDRA_NEEDS(machine::Ability::sandbox);
  world.project("[scoring]\ntest_command = \"true\"\n" + script_agent("a", "echo fine >> src/app.txt"));
  for (const char* sandbox : {"required", "off"}) {
    const auto race = world.race({"--agents", "a", "--sandbox", sandbox, "task"});
    EXPECT_EQ(world.results()["repository_changes"], nullptr) << sandbox;
    EXPECT_THAT(race.out, Not(HasSubstr("hile the race ran"))) << sandbox;
  }
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
