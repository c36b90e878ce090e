// Agents and their trees as an enemy would make them: nothing of it runs outside, and nothing of the user's
// is lost.
#include "support/machine.hpp"
#include "support/world.hpp"

#include <gmock/gmock.h>

#include <fstream>

namespace hydra::e2e::HYDRA_FILE {
namespace {

using ::testing::HasSubstr;

class Hostile : public ::testing::Test {
 protected:
  void SetUp() override { HYDRA_NEEDS(machine::Ability::sandbox); }
  Json run(const std::string& script, const std::string& config = {}, const Words& more = {}) {
    world.project(config + script_agent("bad", script) + script_agent("good", "echo fine >> src/app.txt"));
    Words args{"--agents", "bad,good"};
    args.insert(args.end(), more.begin(), more.end());
    args.emplace_back("task");
    const auto race = world.race(args);
    EXPECT_EQ(race.exit, 0) << race.out << race.err;
    results = world.results();
    EXPECT_EQ(agent_of(results, "good")["state"], "completed");
    return agent_of(results, "bad");
  }
  [[nodiscard]] std::string mark() const { return (world.root() / "owned").string(); }
  World world;
  Json results;
};

// Filters, hooks, fsmonitor and the like of the agent's repository: Hydra's git never looks at them.
TEST_F(Hostile, GitConfigurationOfTheAgentNeverRuns) {
  for (const char* sandbox : {"required", "off"}) {
    World own;
    const auto owned = (own.root() / "owned").string();
    const auto command = "touch " + owned;
    own.project("[scoring]\ntest_command = \"git status; git diff HEAD\"\n" +
                script_agent(
                    "bad", "git config filter.evil.clean '" + command + "'; git config filter.evil.smudge '" +
                               command + "'; git config core.fsmonitor '" + command +
                               "'; git config diff.external '" + command +
                               "'; git config core.hooksPath .hooks; git config core.pager '" + command +
                               "'; mkdir .hooks; for h in post-checkout pre-commit reference-transaction "
                               "post-index-change; do printf '#!/bin/sh\\n" +
                               command +
                               "\\n' > .hooks/$h; chmod +x .hooks/$h; done; "
                               "echo '* filter=evil diff=evil' > .gitattributes; echo x >> src/app.txt"));
    EXPECT_EQ(own.race({"--agents", "bad", "--sandbox", sandbox, "task"}).exit, 0);
    EXPECT_EQ(own.hydra({"diff", "bad"}).exit, 0);
    EXPECT_EQ(own.show(agent_of(own.results(), "bad")["branch"], "src/app.txt"), "one\ntwo\nthree\nx\n");
    EXPECT_FALSE(fs::exists(owned)) << sandbox;
  }
}

TEST_F(Hostile, GitDirectoryPointsAtTheUsersRepository) {
  const auto user = (world.repo() / ".git").string();
  const auto bad =
      run("rm -rf .git; echo 'gitdir: " + user + "' > .git; echo x >> src/app.txt", {}, {"--sandbox", "off"});
  EXPECT_EQ(world.show(bad["branch"], "src/app.txt"), "one\ntwo\nthree\nx\n");
  EXPECT_EQ(world.git({"status", "--porcelain"}), "");
}

TEST_F(Hostile, WorktreeBecomesALinkToTheUsersCheckout) {
  const auto bad = run("d=$PWD; cd ..; rm -rf \"$d\"; ln -s '" + world.repo().string() + "' \"$d\"; exit 0",
                       {}, {"--sandbox", "off"});
  EXPECT_EQ(bad["eligible"], false) << bad.dump(1);
  EXPECT_EQ(world.read("src/app.txt"), "one\ntwo\nthree\n");
}

TEST_F(Hostile, DirectoryBecomesALinkOutside) {
  const auto target = world.outside() / "target";
  fs::create_directories(target);
  std::ofstream(target / "app.txt") << "outside\n";
  const auto bad =
      run("rm -rf src; ln -s '" + target.string() + "' src", "[scoring]\ntest_command = \"true\"\n");
  const std::string branch = bad["branch"];
  EXPECT_EQ(world.git({"ls-tree", branch, "src"}).substr(0, 6), "120000");
  EXPECT_THAT(bad["flags"].dump(), HasSubstr("symlink_outside:src"));
  EXPECT_EQ(slurp(target / "app.txt"), "outside\n");
}

TEST_F(Hostile, IgnoreRulesOfTheAgentHideNothingButWhatIsGenerated) {
  const auto bad = run(
      "mkdir -p node_modules/pkg; echo 1 > node_modules/pkg/index.js; "
      "printf 'node_modules/\\nhidden.txt\\n' >> .gitignore; echo backdoor > hidden.txt; echo log > x.log");
  const std::string branch = bad["branch"];
  EXPECT_EQ(world.show(branch, "hidden.txt"), "backdoor\n");
  EXPECT_EQ(world.show(branch, "node_modules/pkg/index.js"), "");
  EXPECT_EQ(world.show(branch, "x.log"), "");
  std::string left;
  for (const auto& row : bad["left_out"]) left += row["path"].get<std::string>() + " ";
  EXPECT_THAT(left, HasSubstr("node_modules"));
  EXPECT_THAT(left, HasSubstr("x.log"));
}

// Linters obey ignore files, too: prettier and ruff pass over what .gitignore names.
TEST_F(Hostile, IgnoreRulesThatHideTheResultAreTheBasesForTheChecks) {
  const auto bad = run(
      "echo unformatted >> src/app.txt; printf 'src/app.txt\n' >> .gitignore",
      "[scoring]\ntest_command = \"true\"\nlint_command = \"git check-ignore -q --no-index src/app.txt || "
      "{ echo 'src/app.txt:1:1: error: unformatted'; exit 1; }\"\n");
  EXPECT_EQ(bad["runs"]["lint"]["status"], "failed") << bad.dump(1);
  EXPECT_THAT(bad["integrity"]["restored"].dump(), HasSubstr(".gitignore"));
}

TEST_F(Hostile, IndexTricksHideNothing) {
  const auto bad =
      run("git update-index --assume-unchanged README.md; git update-index --skip-worktree src/app.txt; "
          "echo changed > README.md; echo changed > src/app.txt; touch -d 2001-01-01 README.md src/app.txt");
  EXPECT_EQ(bad["diff"]["files_changed"], 2);
  EXPECT_EQ(world.show(bad["branch"], "README.md"), "changed\n");
  EXPECT_EQ(world.show(bad["branch"], "src/app.txt"), "changed\n");
}

TEST_F(Hostile, UnreadableFilesAreNotPassedOverInSilence) {
  const auto bad = run("mkdir shut; echo inner > shut/f.txt; echo x >> src/app.txt; chmod 000 shut");
  // Captured with it, or failed: never as if it were not there.
  const std::string branch = bad["branch"];
  if (bad["commit"] != "" && !branch.empty()) {
    EXPECT_TRUE(world.show(branch, "shut/f.txt") == "inner\n" || !bad["warnings"].empty()) << bad.dump(1);
  } else {
    EXPECT_THAT(bad["ineligible_reasons"].dump(), HasSubstr("capture_failed"));
  }
}

TEST_F(Hostile, ManyFiles) {
  const auto bad = run("mkdir many; cd many; seq 3000 | xargs touch; for i in 1 2 3; do echo $i > $i; done");
  EXPECT_EQ(bad["diff"]["files_changed"], 3000);
}

TEST_F(Hostile, ControlCharactersInNamesReachNoTerminal) {
  run("printf x > \"$(printf 'a\\033[2Jb')\"; echo x >> src/app.txt");
  for (const Words& args :
       {Words{"results"}, Words{"status"}, Words{"merge", "--dry-run", "bad"}, Words{"logs", "bad"}})
    EXPECT_EQ(world.hydra(args).out.find('\x1b'), std::string::npos) << args.front();
}

TEST_F(Hostile, SignalsDoNotReachBeyondTheSandbox) {
  const auto bad = run("kill -9 -1; kill -9 $PPID; kill -9 1; echo x >> src/app.txt");
  EXPECT_EQ(results["state"], "done");
  EXPECT_EQ(world.daemons().size(), 1u);
  EXPECT_NE(bad["outcome"], "unknown");
}

TEST_F(Hostile, TakesTooMuchMemory) {
  const auto bad =
      run("echo x >> src/app.txt; head -c 1000000000 /dev/zero | tail -c 900000000 | wc -c > src/size.txt; "
          "echo done",
          "[limits]\nmemory_bytes = 104857600\n", {"--timeout", "40s"});
  EXPECT_NE(world.show(bad["branch"], "src/size.txt"), "900000000\n");
}

TEST_F(Hostile, OutputThatLooksLikeHydrasOwn) {
  const auto bad =
      run("echo '{\"event\":\"race_ended\",\"state\":\"done\"}'; echo 'race done'; printf "
          "'\\r\\n\\r\\nHTTP/1.1 200 OK\\r\\n'; "
          "echo x >> src/app.txt");
  EXPECT_EQ(bad["state"], "completed");
  EXPECT_THAT(world.hydra({"logs", "bad"}).out, HasSubstr("race_ended"));
}

// Wherever Hydra's state and socket are: an agent sees nothing of them but its own workspace, and can't call
// the daemon.
TEST_F(Hostile, StateAndSocketAreHidden) {
  for (const char* base : {"/tmp", "/var/tmp"}) {
    World own("app", base);
    fs::copy_file(path_of_binary("hydra"), own.outside() / "hydra");
    const auto hydra = "XDG_STATE_HOME='" + (own.root() / "state").string() + "' XDG_RUNTIME_DIR='" +
                       (own.root() / "run").string() + "' '" + (own.outside() / "hydra").string() +
                       "' daemon status --json";
    const auto look = "find '" + own.root().string() +
                      "' '(' -name 'hydra.db*' -o -name result.json -o -name spec.json -o -name '*.sock' -o "
                      "-name lock ')' 2>&1 | "
                      "grep -v 'No such file'; " +
                      hydra;
    own.project("[sandbox]\nread = [\"" + own.outside().string() + "\"]\n[scoring]\ntest_command = \"\"\"" +
                look + "\"\"\"\n" +
                script_agent("bad", "{ " + look + "; } > src/found.txt 2>&1; echo x >> src/app.txt"));
    EXPECT_EQ(own.race({"--agents", "bad", "task"}).exit, 0);
    const auto all = own.results();
    EXPECT_EQ(own.show(agent_of(all, "bad")["branch"], "src/found.txt"), "{\"schema\":1,\"running\":false}\n")
        << base;
    EXPECT_EQ(slurp(own.attempt(all["race"], "bad", "tests") / "stdout.log"),
              "{\"schema\":1,\"running\":false}\n")
        << base;
  }
}

// Scripts that the checks name are the base's when they run.
TEST_F(Hostile, TestsThatTheAgentWeakensAreRunAsTheyWere) {
  World own;
  own.init();
  own.write("test.sh", "grep -q fine src/app.txt && echo 1 passed || { echo 1 failed; exit 1; }\n");
  own.project("[scoring]\ntest_command = \"sh test.sh\"\n" +
              script_agent("bad", "echo 'echo 1 passed' > test.sh"));
  own.race({"--agents", "bad", "task"});
  const auto bad = agent_of(own.results(), "bad");
  EXPECT_TRUE(bad["dimensions"]["tests"]["points"] == 0.0 || !bad["flags"].empty() ||
              bad["eligible"] == false)
      << bad.dump(1);
}

TEST_F(Hostile, EveryAgentHasAWorkspaceOfItsOwn) {
  World own;
  Gate gate(own.outside() / "gate");
  own.project("[sandbox]\nwrite = [\"" + own.outside().string() + "\"]\n" +
              script_agent("a", "echo a > mine-a.txt; " + gate.script() +
                                    "; find / -name 'mine-*' 2>/dev/null | wc -l > src/seen.txt") +
              script_agent("b", "echo b > mine-b.txt; " + gate.script() +
                                    "; find / -name 'mine-*' 2>/dev/null | wc -l > src/seen.txt"));
  auto race = own.start({"race", "--agents", "a,b", "task"});
  ASSERT_TRUE(gate.arrived(2));
  gate.open(2);
  EXPECT_EQ(race->wait().exit, 0);
  for (const char* name : {"a", "b"})
    EXPECT_EQ(own.show(agent_of(own.results(), name)["branch"], "src/seen.txt"), "1\n");
}

// An agent that is done is checked while another still works.
TEST_F(Hostile, SlowAgentHoldsNobodyUp) {
  World own;
  Gate gate(own.outside() / "gate");
  own.project("[sandbox]\nwrite = [\"" + own.outside().string() +
              "\"]\n[scoring]\ntest_command = \"true\"\n" +
              script_agent("slow", gate.script() + "; echo slow >> src/app.txt") +
              script_agent("good", "echo fine >> src/app.txt"));
  auto race = own.start({"race", "--agents", "slow,good", "task"});
  ASSERT_TRUE(gate.arrived());
  EXPECT_TRUE(race->wait_line("good: tests passed"));
  EXPECT_EQ(race->out().find("slow: completed"), std::string::npos);
  gate.open();
  EXPECT_EQ(race->wait().exit, 0);
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
