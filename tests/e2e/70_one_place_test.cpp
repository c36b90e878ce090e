// An agent sees its worktree at the user's path, with the dependencies that checks have.
#include "support/machine.hpp"
#include "support/world.hpp"

#include <gmock/gmock.h>

#include <fstream>

namespace hydra::e2e::HYDRA_FILE {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class OnePlace : public ::testing::Test {
 protected:
  /// A project with shared dependencies that git ignores.
  void project(const std::string& config) {
    world.init();
    world.write(".gitignore", "deps/\nout/\n*.log\n");
    world.write("src/app.txt", "one\n");
    world.write("deps/tool/run.sh", "echo tool of the user\n");
    world.write("hydra.toml", config);
    world.commit();
  }
  [[nodiscard]] std::string branch(const std::string& agent) const {
    return agent_of(world.results(), agent)["branch"].get<std::string>();
  }
  [[nodiscard]] std::string show(const std::string& agent, const std::string& path) const {
    return world.show(branch(agent), path);
  }
  World world;
};

TEST_F(OnePlace, TheWorktreeStandsAtTheUsersPath) {
  HYDRA_NEEDS(machine::Ability::sandbox);
  world.project(script_agent("a",
                             "pwd -P > where.txt; git rev-parse --show-toplevel >> where.txt; "
                             "git status --porcelain >> where.txt"));
  EXPECT_EQ(world.race({"--agents", "a", "task"}).exit, 0);
  const auto path = world.repo().string();
  EXPECT_EQ(show("a", "where.txt"), path + "\n" + path + "\n?? where.txt\n");
  EXPECT_FALSE(fs::exists(world.repo() / "where.txt"));
}

TEST_F(OnePlace, AnAgentStartsInTheDirectoryOfTheRace) {
  HYDRA_NEEDS(machine::Ability::sandbox);
  world.project(script_agent("a", "pwd -P > where.txt"));
  HydraOptions options;
  options.directory = world.repo() / "src";
  EXPECT_EQ(world.race({"--agents", "a", "task"}, options).exit, 0);
  EXPECT_EQ(show("a", "src/where.txt"), (world.repo() / "src").string() + "\n");
}

TEST_F(OnePlace, NoTwoAgentsServeOnOnePort) {
  const auto says = [](const std::string& name) {
    return script_agent(
        name, "echo $PORT > port.txt; echo $HYDRA_PORT_0 >> port.txt; echo \"$1\" | grep PORT > prompt.txt");
  };
  project("[workspace]\nrun = \"true\"\n" + says("a") + says("b"));
  EXPECT_EQ(world.race({"--agents", "a,b", "task"}).exit, 0);
  const auto a = show("a", "port.txt"), b = show("b", "port.txt");
  EXPECT_NE(a, b);
  const auto end = a.find('\n');
  ASSERT_GT(end, 0u);
  EXPECT_EQ(a.substr(0, end + 1), a.substr(end + 1));
  EXPECT_THAT(show("a", "prompt.txt"), HasSubstr("listen on $PORT"));
}

// Instructions and skills come with the agent, and so do hooks that its settings name; keys do not.
TEST_F(OnePlace, AnAgentHasTheSetUpOfItsUser) {
  HYDRA_NEEDS(machine::Ability::sandbox);
  const auto put = [&](const std::string& path, const std::string& text) {
    fs::create_directories((world.home() / path).parent_path());
    std::ofstream(world.home() / path) << text;
  };
  put(".speak/RULES.md", "be brief\n");
  put(".speak/skills/one/SKILL.md", "a skill\n");
  put(".speak/hooks/check.sh", "echo hook\n");
  put(".ssh/id", "a key\n");
  put("other/project.txt", "another project\n");
  put("code/server.py", "a server\n");
  fs::create_symlink(world.home() / ".ssh/id", world.home() / ".speak/link");
  put(".speak/settings.json", "{\"hook\": \"sh ~/.speak/hooks/check.sh\", \"key\": \"" +
                                  (world.home() / ".ssh/id").string() +
                                  "\", \"link\": \"~/.speak/link\", \"hooks\": [{\"type\": \"command\", "
                                  "\"command\": \"~/.speak/hooks/check.sh --all\"}], \"said\": "
                                  "\"one command nothing\", \"mcpServers\": {\"s\": {\"command\": "
                                  "\"no-such-program\", \"args\": [\"--directory\", \"~/code\"]}}, "
                                  "\"projects\": [\"" +
                                  (world.home() / "other").string() + "\"]}\n");
  const auto agent =
      script_agent(
          "x",
          "cat \"$CFG/RULES.md\" \"$CFG/skills/one/SKILL.md\" > seen.txt; "
          "sh ~/.speak/hooks/check.sh >> seen.txt; cat ~/.ssh/id ~/.speak/link ~/other/* >> seen.txt; "
          "sh -l -c 'echo $PATH' > path.txt; printenv PATH >> path.txt; true") +
      "[agents.x.home]\nvariable = \"CFG\"\npolicy = \"per_run\"\nseed = "
      "[\".speak/settings.json\"]\npersonal = [\".speak/RULES.md?\", \".speak/skills?\"]\n";
  world.project(agent);
  EXPECT_EQ(world.race({"--agents", "x", "task"}).exit, 0);
  EXPECT_EQ(show("x", "seen.txt"), "be brief\na skill\nhook\n");
  const std::string others =
      "left out of its home: ~/.ssh/id (it may hold keys), ~/.speak/link (it may hold keys), "
      "no-such-program (a program that is not found), ~/code (a directory outside of the agent's own); "
      "[sandbox] read shows a path to agents";
  EXPECT_EQ(world.results()["notes"], Json({"x: " + others}));
  const auto paths = show("x", "path.txt");
  EXPECT_EQ(paths.substr(0, paths.find('\n')), paths.substr(paths.find('\n') + 1, paths.find('\n')))
      << "a login shell has the PATH of the race";
  world.write("hydra.toml", "[workspace]\nhome = \"plain\"\n" + agent);
  world.commit();
  EXPECT_EQ(world.race({"--agents", "x", "task"}).exit, 0);
  EXPECT_EQ(show("x", "seen.txt"), "hook\n");
  EXPECT_EQ(world.results()["notes"],
            Json({"x: your instructions and skills are left out: ~/.speak/RULES.md, ~/.speak/skills "
                  "([workspace] home = \"plain\"); " +
                  others}));
}

TEST_F(OnePlace, ATaskThatLooksLikeACommandIsText) {
  world.project(script_agent("a", "printf '%s' \"$1\" > prompt.txt"));
  EXPECT_EQ(world.race({"--agents", "a", "/clear the cache"}).exit, 0);
  EXPECT_THAT(show("a", "prompt.txt"), ::testing::StartsWith("Task:\n/clear the cache"));
}

TEST_F(OnePlace, AnAgentHasTheDependenciesAndKeepsItsChangesToThem) {
  HYDRA_NEEDS(machine::Ability::sandbox, machine::Ability::overlays);
  const std::string use = "sh deps/tool/run.sh > seen.txt; mv deps/tool deps/other; echo mine > deps/mine; ";
  project(
      "[workspace]\nshare = [\"deps\"]\n[scoring]\ntest_command = \"sh deps/tool/run.sh && test ! -e "
      "deps/mine\"\n" +
      script_agent("a", use + "ls deps >> seen.txt; printf '%s' \"$1\" > prompt.txt") +
      script_agent("b", use + "git mv src lib"));
  const auto run = world.race({"--agents", "a,b", "the task"});
  EXPECT_EQ(run.exit, 0) << run.out << run.err;
  EXPECT_EQ(show("a", "seen.txt"), "tool of the user\nmine\nother\n");
  EXPECT_EQ(show("b", "seen.txt"), "tool of the user\n");
  EXPECT_EQ(show("b", "lib/app.txt"), "one\n");
  EXPECT_THAT(show("a", "prompt.txt"),
              HasSubstr("Dependencies are installed (deps). Run the tests with `sh deps/tool/run.sh"));
  EXPECT_EQ(world.git({"ls-tree", "-r", "--name-only", branch("a"), "deps"}), "");
  EXPECT_EQ(world.read("deps/tool/run.sh"), "echo tool of the user\n");
  EXPECT_FALSE(fs::exists(world.repo() / "deps/mine"));
  const auto results = world.results();
  for (const auto* agent : {"a", "b"})
    EXPECT_EQ(agent_of(results, agent)["dimensions"]["tests"]["points"], 100.0) << agent;
  EXPECT_EQ(agent_of(world.status(), "a")["dependencies"], Json({"deps"}));
  // The template of the next race is as before.
  EXPECT_EQ(world.race({"--agents", "a", "the task"}).exit, 0);
  EXPECT_EQ(show("a", "seen.txt"), "tool of the user\nmine\nother\n");
}

TEST_F(OnePlace, AnAgentHasWhatSetUpAndBuildMade) {
  HYDRA_NEEDS(machine::Ability::sandbox, machine::Ability::overlays);
  project(
      "[workspace]\nsetup = \"mkdir made.d; echo made > made.d/tool; echo set > settings.log\"\noutputs = "
      "[\"out\"]\n"
      "[scoring]\nbuild_command = \"mkdir -p out; cp src/app.txt out/built\"\ntest_command = \"true\"\n" +
      script_agent("a", "cat made.d/tool out/built settings.log > seen.txt"));
  const auto run = world.race({"--agents", "a", "task"});
  EXPECT_EQ(run.exit, 0) << run.out << run.err;
  EXPECT_EQ(show("a", "seen.txt"), "made\none\nset\n");
  EXPECT_EQ(world.git({"ls-tree", "-r", "--name-only", branch("a"), "made.d", "settings.log"}), "");
}

TEST_F(OnePlace, ABuildOfTheBaseIsUpToDateForAnAgent) {
  HYDRA_NEEDS(machine::Ability::sandbox, machine::Ability::overlays);
  world.init();
  world.write("src/app.txt", "one\n");
  world.write(".gitignore", "out/\n");
  world.write("Makefile", "out/app: src/app.txt\n\tmkdir -p out; cp src/app.txt out/app\n");
  world.write("hydra.toml",
              "[scoring]\nbuild_command = \"make out/app\"\ntest_command = \"true\"\n[workspace]\noutputs = "
              "[\"out\"]\n" +
                  script_agent("a",
                               "make -q out/app && echo fresh > seen.txt; echo two > src/app.txt; "
                               "make out/app; cat out/app >> seen.txt; git status --porcelain >> seen.txt"));
  world.commit();
  const auto run = world.race({"--agents", "a", "task"});
  EXPECT_EQ(run.exit, 0) << run.out << run.err;
  EXPECT_EQ(show("a", "seen.txt"), "fresh\ntwo\n M src/app.txt\n?? seen.txt\n");
}

TEST_F(OnePlace, ACleanTakesTheLayersWithTheWorkspace) {
  HYDRA_NEEDS(machine::Ability::sandbox, machine::Ability::overlays);
  project("[workspace]\nshare = [\"deps\"]\n" +
          script_agent("a", "echo more >> src/app.txt; touch deps/mine"));
  EXPECT_EQ(world.race({"--agents", "a", "task"}).exit, 0);
  const auto layers = world.state() / "races" / world.results()["race"].get<std::string>() / "dependencies/a";
  EXPECT_TRUE(fs::exists(layers / "deps/upper/mine"));
  EXPECT_EQ(world.hydra({"clean", "--yes"}).exit, 0);
  EXPECT_FALSE(fs::exists(layers));
}

// A virtual environment with an editable install: the path file means the agent's own code.
TEST_F(OnePlace, AnEditableInstallMeansTheAgentsCode) {
  HYDRA_NEEDS(machine::Ability::sandbox, machine::Ability::overlays, "python3");
  world.init();
  world.write(".gitignore", ".venv/\n__pycache__/\n");
  world.write("src/shop/__init__.py", "PRICE = 1\n");
  world.write(".venv/lib/app.pth", (world.repo() / "src").string() + "\n");
  world.write(".venv/run.sh", "exec python3 -c 'import site; site.addsitedir(\"" +
                                  (world.repo() / ".venv/lib").string() +
                                  "\"); import shop; print(shop.PRICE)'\n");
  world.write(
      "hydra.toml",
      "[scoring]\ntest_command = \"sh .venv/run.sh | grep -q .\"\n[workspace]\nshare = [\".venv\"]\n" +
          script_agent("a", "echo PRICE = 2 > src/shop/__init__.py; sh .venv/run.sh > seen.txt"));
  world.commit();
  EXPECT_EQ(world.race({"--agents", "a", "task"}).exit, 0);
  EXPECT_EQ(show("a", "seen.txt"), "2\n");
}

TEST_F(OnePlace, ASecondAttemptFindsItsOwnLayer) {
  HYDRA_NEEDS(machine::Ability::sandbox, machine::Ability::overlays);
  project("[workspace]\nshare = [\"deps\"]\n" +
          script_agent("a", "ls deps > seen.txt; echo more >> src/app.txt; touch deps/mine"));
  EXPECT_EQ(world.race({"--agents", "a", "task"}).exit, 0);
  EXPECT_EQ(world.hydra({"retry", "a", "--message", "again"}).exit, 0);
  world.hydra({"watch"});
  const auto directory = world.hydra({"worktree", "a"}).out;
  EXPECT_EQ(slurp(fs::path(directory.substr(0, directory.find('\n'))) / "seen.txt"), "mine\ntool\n");
}

TEST_F(OnePlace, SetUpChecksAndAgentHaveTheNamedVariables) {
  HYDRA_NEEDS(machine::Ability::sandbox);  // without one checks have the network, and its proxy
  world.set_environment("TOOL_HOME", "/opt/tool");
  world.set_environment("BUILD_MODE", "fast");
  world.set_environment("DATABASE_PASSWORD", "correct horse");
  world.set_environment("UNNAMED", "hidden");
  world.set_environment("HTTPS_PROXY", "http://proxy.example:3128");
  world.write("print.sh", "echo \"$TOOL_HOME $BUILD_MODE $DATABASE_PASSWORD $DATABASE_URL$UNNAMED\"\n");
  project(
      "[workspace]\nenv = [\"TOOL_HOME\", \"DATABASE_URL=sqlite:x\", \"DATABASE_PASSWORD\"]\n"
      "env_pass = [\"BUILD_*\"]\nsetup = \"sh print.sh > set.log\"\n[scoring]\n"
      "test_command = \"sh print.sh > now.log; cmp now.log set.log && grep -q horse now.log && test -z "
      "$HTTPS_PROXY\"\n" +
      script_agent("a", "sh print.sh > seen.txt; echo $HTTPS_PROXY >> seen.txt"));
  world.stop_at_a_bad_base();
  const auto run = world.race({"--agents", "a", "task"});
  EXPECT_EQ(run.exit, 0) << run.out << run.err;
  EXPECT_EQ(show("a", "seen.txt"), "/opt/tool fast correct horse sqlite:x\nhttp://proxy.example:3128\n");
  EXPECT_THAT(world.hydra({"export"}).out, Not(HasSubstr("correct horse")))
      << "no event has a secret's value";
}

TEST_F(OnePlace, FilesOfWorktreeincludeAreCopied) {
  world.init();
  world.write(".gitignore", ".env*\nlocal/\n");
  world.write(".worktreeinclude", "# secrets of the team\n.env*\n!.env.production\n/local/\n");
  for (const auto* path : {".env", "sub/.env.test", ".env.production", "local/settings"})
    world.write(path, "x\n");
  const std::string look = "find . -name '.env*' -o -name settings | sort";
  world.write("look.sh", look + "\n");
  world.write("hydra.toml",
              "[scoring]\ntest_command = \"sh look.sh > found.log; test $(wc -l < found.log) = 3\"\n" +
                  script_agent("a", "sh look.sh > seen.txt"));
  world.commit();
  world.stop_at_a_bad_base();
  const auto run = world.race({"--agents", "a", "task"});
  EXPECT_EQ(run.exit, 0) << run.out << run.err;
  EXPECT_EQ(show("a", "seen.txt"), "./.env\n./local/settings\n./sub/.env.test\n");
  EXPECT_EQ(show("a", ".env"), "") << "copied files are no part of a result";
}

// Tests and tools commit to repositories of their own making, and a private home has no .gitconfig.
TEST_F(OnePlace, OtherRepositoriesHaveTheUsersNameAndAddress) {
  HYDRA_NEEDS(machine::Ability::sandbox);  // without one the home is the user's, with a .gitconfig
  const std::string other =
      "rm -rf other; git init -q other; git -C other commit -q --allow-empty -m x; "
      "git -C other log --format='%an %ae'; rm -rf other";
  world.init();
  world.write("other.sh", other + "\n");
  world.write("hydra.toml", "[scoring]\ntest_command = \"sh other.sh | grep -qx 'Ada ada@example.org'\"\n" +
                                script_agent("a", "sh other.sh > seen.txt"));
  world.commit();
  world.git({"config", "user.name", "Ada"});
  world.git({"config", "user.email", "ada@example.org"});
  world.stop_at_a_bad_base();
  const auto run = world.race({"--agents", "a", "task"});
  EXPECT_EQ(run.exit, 0) << run.out << run.err;
  EXPECT_EQ(show("a", "seen.txt"), "Ada ada@example.org\n");
}

TEST_F(OnePlace, TheUsersBranchAndRefsOfTheBaseAreThere) {
  HYDRA_NEEDS(machine::Ability::sandbox);
  const std::string look =
      "git symbolic-ref --short HEAD; git merge-base origin/main HEAD; git rev-parse develop; "
      "git rev-parse -q --verify later || echo none";
  project("");
  const auto first = world.git({"rev-parse", "HEAD"});
  world.git({"branch", "develop"});
  world.git({"update-ref", "refs/remotes/origin/main", first});
  world.git({"checkout", "-q", "-b", "feature/x"});
  world.write("look.sh", look + "\n");
  world.write("hydra.toml",
              "[scoring]\ntest_command = \"sh look.sh | tee look.log | cmp - expected || { cat look.log; "
              "exit 1; }\"\n" +
                  script_agent("a", "sh look.sh > seen.txt"));
  const auto expected = "feature/x\n" + first + "\n" + first + "\nnone\n";
  world.write("expected", expected);
  const auto base = world.commit("of the feature");
  world.git({"branch", "later", world.git({"commit-tree", "HEAD^{tree}", "-p", base, "-m", "later"})});
  world.stop_at_a_bad_base();
  const auto run = world.race({"--agents", "a", "task"});
  EXPECT_EQ(run.exit, 0) << run.out << run.err;
  EXPECT_EQ(show("a", "seen.txt"), expected);
}

// An editable install of the user's environment: without walls, its path file leads every check to the user's
// code.
TEST_F(OnePlace, WithoutASandboxSharedPathsMustNotLeadToTheCheckout) {
  project("[sandbox]\nmode = \"off\"\n[workspace]\nshare = [\"deps\"]\n" +
          script_agent("a", "ls deps > seen.txt; touch deps/mine; git add -f deps/mine"));
  EXPECT_EQ(world.race({"--agents", "a", "task"}).exit, 0);
  EXPECT_EQ(show("a", "seen.txt"), "tool\n") << "a copy, without overlays";
  EXPECT_EQ(show("a", "deps/tool/run.sh"), "");
  EXPECT_FALSE(fs::exists(world.repo() / "deps/mine"));
  world.write("deps/lib/app.pth", (world.repo() / "src").string() + "\n");
  const auto run = world.race({"--agents", "a", "task"});
  EXPECT_EQ(run.exit, 3) << run.out;
  EXPECT_THAT(run.err, AllOf(HasSubstr("deps/lib/app.pth leads to your checkout"), HasSubstr("setup")));
}

TEST_F(OnePlace, SharedPathsDoNotReachChecksInPlace) {
  project("[workspace]\nchecks = \"in_place\"\nshare = [\"deps\"]\n[scoring]\ntest_command = \"true\"\n" +
          script_agent("a", "echo more >> src/app.txt"));
  const auto run = world.race({"--agents", "a", "task"});
  EXPECT_EQ(run.exit, 2) << run.out;
  EXPECT_THAT(run.err, HasSubstr("[workspace] share and setup"));
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
