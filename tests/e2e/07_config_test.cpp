// Configuration, sandbox modes and secrets.
#include "support/machine.hpp"
#include "support/world.hpp"

#include <gmock/gmock.h>

#include <fstream>

namespace hydra::e2e::HYDRA_FILE {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string good_agent() { return script_agent("good", "echo fine >> src/app.txt"); }

TEST(Config, MistakesAreNamedWithTheirPlaceAndNothingStarts) {
  const std::pair<const char*, const char*> cases[] = {
      {"[scoring]\nbuild_comand = \"make\"\n", "hydra.toml:2:1"},
      {"[scoring]\ntimeout_per_check_seconds = -1\n", "hydra.toml:2:"},
      {"[scoring.weights]\nbuild = \"many\"\n", "hydra.toml:2:"},
      {"[scoring\n", "hydra.toml:1:"},
      // Deep in the TOML library: its exceptions cross from one shared object to another.
      {"[scoring]\nbuild_command = \"a \\( b\"\n", "hydra.toml:2:"},
      {"[sandbox]\nmode = \"sometimes\"\n", "hydra.toml:2:"},
      {"[agents.mine]\ncommand = \"a shell line\"\n", "hydra.toml:2:"},
      {"[race]\nagents = [\"nobody\"]\n", "hydra.toml:2:"},
      {"[workspace]\ncopy = [\"../outside\"]\n", "hydra.toml:2:"},
      {"[scoring.weights]\nbuild = 0\ntests = 0\nlint = 0\ndiff_size = 0\nspeed = 0\n", "all weights are 0"},
  };
  World world;
  for (const auto& [config, where] : cases) {
    world.project(config + good_agent());
    const auto before = world.fingerprint();
    for (const Words& args : {Words{"race", "--agents", "good", "task"}, Words{"config", "check"}}) {
      const auto run = world.hydra(args);
      EXPECT_EQ(run.exit, 2) << config << run.out << run.err;
      EXPECT_THAT(run.err, HasSubstr(where)) << config;
    }
    EXPECT_TRUE(world.fingerprint() == before);
  }
  EXPECT_TRUE(world.daemons().empty()) << "a mistake must be told before a daemon starts";
  EXPECT_EQ(world.list()["races"], Json::array());
}

TEST(Config, AllMistakesAreToldAtOnce) {
  World world;
  world.project("[scoring]\nfirst_wrong = 1\n[limits]\nsecond_wrong = 2\n");
  const auto run = world.hydra({"config", "check"});
  EXPECT_EQ(run.exit, 2);
  EXPECT_THAT(run.err, HasSubstr("first_wrong"));
  EXPECT_THAT(run.err, HasSubstr("hydra.toml:4:1"));
}

TEST(Config, UnknownAgentOnTheCommandLine) {
  World world;
  world.project(good_agent());
  const auto run = world.hydra({"race", "--agents", "goood", "task"});
  EXPECT_EQ(run.exit, 2);
  EXPECT_THAT(run.err, HasSubstr("goood"));
  EXPECT_TRUE(world.daemons().empty());
}

TEST(Config, UserFileThenProjectThenCommandLine) {
  World world;
  std::ofstream(world.config_home() / "hydra/config.toml", std::ios::app)
      << "[limits]\nagent_timeout_seconds = 600\n[scoring]\ntest_command = \"echo of the "
         "user\"\nlint_command = \"echo lint of the user\"\n"
      << script_agent("mine", "echo mine >> src/app.txt; sleep 1000");
  world.project("[scoring]\ntest_command = \"echo of the project\"\n");
  const auto shown = Json::parse(world.hydra({"config", "show"}).out);
  EXPECT_EQ(shown["scoring"]["test_command"], "echo of the project");
  EXPECT_EQ(shown["scoring"]["lint_command"], "echo lint of the user");
  const auto run = world.race({"--agents", "mine", "--timeout", "1s", "task"});
  EXPECT_EQ(run.exit, 1) << run.out << run.err;
  EXPECT_EQ(agent_of(world.results(), "mine")["outcome"], "timed_out");
}

TEST(Config, MistakeInTheUserFileNamesThatFile) {
  World world;
  world.project(good_agent());
  std::ofstream(world.config_home() / "hydra/config.toml") << "\n\n[limits]\nagnets = 1\n";
  const auto run = world.hydra({"race", "--agents", "good", "task"});
  EXPECT_EQ(run.exit, 2);
  EXPECT_THAT(run.err, HasSubstr((world.config_home() / "hydra/config.toml").string() + ":4:1"));
}

TEST(Config, DefaultAgentsAndLimits) {
  World world;
  world.project("[race]\nagents = [\"good:3\"]\n[limits]\nagents = 1\n" +
                script_agent("good", "test ! -e /tmp/x; mkdir '" + (world.outside() / "lock").string() +
                                         "' || exit 9; echo $HYDRA_RUN_ID > src/x.txt; rmdir '" +
                                         (world.outside() / "lock").string() + "'") +
                "[sandbox]\nwrite = [\"" + world.outside().string() + "\"]\n");
  EXPECT_EQ(world.race({"task"}).exit, 0);
  const auto results = world.results();
  ASSERT_EQ(results["agents"].size(), 3u);
  for (const auto& agent : results["agents"]) EXPECT_EQ(agent["outcome"], "completed") << "two ran at once";
}

// The sandbox has a home and a /tmp of its own: what the command line names there is shown all the same,
// read-only.
TEST(Config, ScriptOfAnAgentBelowTheHomeIsSeen) {
  HYDRA_NEEDS(machine::Ability::sandbox);
  World world;
  fs::create_directories(world.home() / "agents");
  std::ofstream(world.home() / "agents/words.txt") << "from the sibling\n";
  std::ofstream(world.home() / "agents/mine.sh")
      << "cat \"$(dirname \"$0\")/words.txt\" >> src/app.txt; echo no > \"$0\" && exit 9; exit 0\n";
  std::ofstream(world.home() / "private.txt") << "nobody's business\n";
  world.project("[agents.mine]\ncommand = [\"sh\", \"" + (world.home() / "agents/mine.sh").string() +
                "\"]\n");
  EXPECT_EQ(world.race({"--agents", "mine", "task"}).exit, 0);
  const auto mine = agent_of(world.results(), "mine");
  EXPECT_EQ(mine["outcome"], "completed") << mine.dump(1);
  EXPECT_THAT(world.show(mine["branch"], "src/app.txt"), HasSubstr("from the sibling"));
}

// Two live copies of a sign-in file that its CLI rewrites would spend one refresh token twice.
TEST(Config, OneLiveRunASignInFileUnlessItIsStatic) {
  for (const bool is_static : {false, true}) {
    World world;
    std::ofstream(world.home() / "token.json") << "{}";
    const auto lock = (world.outside() / "lock").string();
    const auto both = (world.outside() / "both").string();
    // Each waits until it has met the other or has been alone for long enough to be sure.
    world.project(
        "[race]\nagents = [\"solo:2\"]\n" +
        script_agent("solo",
                     "test -f \"$SOLO_HOME/token.json\" || exit 8; if mkdir '" + lock +
                         "' 2>/dev/null; then for i in 1 2 3 4 5 6 7 8 9 10; do test -e '" + both +
                         "' && break; sleep 0.1; done; rmdir '" + lock + "'; else touch '" + both +
                         "'; fi; echo $HYDRA_RUN_ID > src/x.txt",
                     "home = { variable = \"SOLO_HOME\", policy = \"per_run\", seed = [\"token.json\"] }\n"
                     "auth = { files = [\"token.json\"], static = " +
                         std::string(is_static ? "true" : "false") + " }\n") +
        "[sandbox]\nwrite = [\"" + world.outside().string() + "\"]\n");
    EXPECT_EQ(world.race({"task"}).exit, 0);
    for (auto all = world.results(); const auto& agent : all["agents"])
      EXPECT_EQ(agent["outcome"], "completed");
    EXPECT_EQ(fs::exists(both), is_static);
  }
}

TEST(Sandbox, RequiredWithoutBwrapStopsBeforeAnAgentStarts) {
  HYDRA_NEEDS(machine::Ability::sandbox);
  World world;
  world.project(script_agent("good", "echo ran > '" + (world.outside() / "ran").string() + "'"));
  world.set_environment("PATH", world.path_without("bwrap").string());
  const auto run = world.race({"--agents", "good", "task"});
  EXPECT_EQ(run.exit, 3) << run.out << run.err;
  EXPECT_THAT(run.err, HasSubstr("bubblewrap"));
  EXPECT_THAT(run.err, HasSubstr("hint: "));
  EXPECT_FALSE(fs::exists(world.outside() / "ran"));
  EXPECT_EQ(world.list()["races"], Json::array());
}

TEST(Sandbox, AutoRunsWithoutBwrapAndSaysSo) {
  World world;
  world.project("[scoring]\ntest_command = \"true\"\n" + good_agent());
  world.set_environment("PATH", world.path_without("bwrap").string());
  const auto run = world.race({"--agents", "good", "--sandbox", "auto", "task"});
  EXPECT_EQ(run.exit, 0) << run.out << run.err;
  EXPECT_THAT(run.err, HasSubstr("not isolated"));
  EXPECT_EQ(agent_of(world.results(), "good")["sandbox"], "none");
  EXPECT_EQ(world.status()["sandbox"], "none");
}

TEST(Sandbox, OffMeansNoneEvenWithBwrap) {
  World world;
  world.project("[sandbox]\nmode = \"off\"\n[scoring]\ntest_command = \"true\"\n" + good_agent());
  const auto run = world.race({"--agents", "good", "task"});
  EXPECT_EQ(run.exit, 0) << run.out << run.err;
  EXPECT_EQ(agent_of(world.results(), "good")["sandbox"], "none");
  EXPECT_EQ(agent_of(world.results(), "good")["dimensions"]["tests"]["points"], 100.0);
}

TEST(Sandbox, HidesTheHomeAndTheState) {
  HYDRA_NEEDS(machine::Ability::sandbox);
  World world;
  fs::create_directories(world.home() / ".ssh");
  std::ofstream(world.home() / ".ssh/id_test") << "key\n";
  world.project(script_agent("good",
                             "ls -A ~ > src/home.txt; cat ~/.ssh/id_test >> src/home.txt 2>&1; "
                             "ls '" +
                                 world.state().string() +
                                 "/hydra.db' >> src/home.txt 2>&1; id -u > src/id.txt"));
  EXPECT_EQ(world.race({"--agents", "good", "task"}).exit, 0);
  const std::string branch = agent_of(world.results(), "good")["branch"];
  EXPECT_THAT(world.show(branch, "src/home.txt"), Not(HasSubstr("key\n")));
  EXPECT_THAT(world.show(branch, "src/home.txt"), HasSubstr("hydra.db': No such file"));
  EXPECT_NE(world.show(branch, "src/id.txt"), "0\n");
}

TEST(Secrets, ReachTheAgentAndNoFile) {
  const std::string secret = "s3cr3t-value-0f-the-test-7151";
  World world;
  Gate gate(world.outside() / "gate");
  world.project("[sandbox]\nwrite = [\"" + world.outside().string() +
                "\"]\n[scoring]\ntest_command = \"env\"\n" +
                script_agent("good",
                             "printf %s \"$MY_API_TOKEN\" | wc -c > src/length.txt; "
                             "echo \"other=$NOT_PASSED\" >> src/length.txt; " +
                                 gate.script(),
                             "env_pass = [\"MY_API_TOKEN\"]\n"));
  auto run = world.start(
      {"race", "--agents", "good", "task"},
      {.input = {}, .directory = {}, .environment = {{"MY_API_TOKEN", secret}, {"NOT_PASSED", secret}}});
  ASSERT_TRUE(gate.arrived());
  // While it runs: in no command line of any process of this world.
  for (const auto pid : processes_with(world.root().string())) {
    EXPECT_THAT(slurp("/proc/" + std::to_string(pid) + "/cmdline"), Not(HasSubstr(secret)))
        << describe_process(pid);
    if (process_name(pid) == "hydrad") {
      EXPECT_THAT(slurp("/proc/" + std::to_string(pid) + "/environ"), Not(HasSubstr(secret)));
    }
  }
  gate.open();
  EXPECT_EQ(run->wait().exit, 0) << run->err();
  EXPECT_EQ(world.show(agent_of(world.results(), "good")["branch"], "src/length.txt"),
            std::to_string(secret.size()) + "\nother=\n");
  int files = 0;
  for (const auto& place : {world.root() / "state", world.root() / "run", world.repo(), world.config_home()})
    // The kernel's scratch directory of an overlay is closed to its owner, and empty.
    for (const auto& entry :
         fs::recursive_directory_iterator(place, fs::directory_options::skip_permission_denied)) {
      if (!entry.is_regular_file()) continue;
      ++files;
      EXPECT_EQ(slurp(entry.path()).find(secret), std::string::npos) << entry.path();
    }
  EXPECT_GT(files, 20);
  EXPECT_THAT(run->out() + run->err(), Not(HasSubstr(secret)));
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
