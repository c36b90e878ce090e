// Races beyond this machine's own files: in containers of podman, and on a private Slurm of three nodes. They
// run where HYDRA_REQUIRE names the engine; elsewhere only the messages without an engine are tested.
#include "support/machine.hpp"
#include "support/places.hpp"
#include "support/world.hpp"

#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>
#include <set>
#include <signal.h>
#include <unistd.h>

namespace hydra::e2e::HYDRA_FILE {
namespace {

using ::testing::HasSubstr;

int shell_of_test(const std::string& command) { return std::system((command + " >/dev/null 2>&1").c_str()); }

/// Speed is of no weight: what is left of a result has nothing to do with how long it took.
std::string clustered(const std::string& more = "") {
  return "[scoring]\ntest_command = \"grep -qx good src/app.txt\"\n[scoring.weights]\nspeed = 0\n" + more +
         script_agent("good", "printf 'good\\n' > src/app.txt") +
         script_agent("bad", "printf 'bad\\n' > src/app.txt");
}

/// Returns the configuration that lets agents reach a gate.
std::string open_to_agents(const World& world) {
  return "[sandbox]\nwrite = [\"" + world.outside().string() + "\"]\n";
}

/// A result without what no two races have in common: durations, and names that are made of times.
Json but_for_durations(Json value) {
  const std::set<std::string> apart{"race",  "attempt", "commit", "branch",    "seed",
                                    "steps", "cached",  "speed",  "placement", "speed_by_task"};
  if (value.is_object())
    for (auto it = value.begin(); it != value.end();) {
      const auto& key = it.key();
      if (apart.contains(key) || key.find("seconds") != std::string::npos || key.ends_with("_ms")) {
        it = value.erase(it);
      } else {
        *it = but_for_durations(*it);
        ++it;
      }
    }
  if (value.is_array())
    for (auto& each : value) each = but_for_durations(each);
  return value;
}

/// Returns the results without what the trees of checks were made of, which is another matter.
Json but_for_trees(Json results) {
  for (auto& agent : results["agents"]) agent.erase("workspace");
  results["baseline"].erase("workspace");
  return results;
}

class SlurmRace : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!machine::required("slurm")) GTEST_SKIP() << "no HYDRA_REQUIRE=slurm";
    ::setenv("HYDRA_SLURM_PORT", std::to_string(41000 + ::getpid() % 2000 * 10).c_str(), 1);
    up = shell_of_test(script + " up " + place() + " 3") == 0;
    ASSERT_TRUE(up) << "no private Slurm can be started: see tools/private-slurm";
    world.set_environment("SLURM_CONF", place() + "/slurm.conf");
  }
  void TearDown() override {
    if (!up) return;
    world.finish();  // before the cluster: its jobs end by Hydra's word
    shell_of_test(script + " down " + place() + "; rm -rf " + place());
  }
  /// Not below the world, which wants nothing of it to be left.
  static std::string place() { return "/tmp/hydra-e2e-slurm-" + std::to_string(::getpid()); }
  const std::string script = places::source("/tools/private-slurm");
  bool up = false;
  World world;
};

TEST_F(SlurmRace, RanksAsAtHomeBitForBit) {
  world.project(clustered());
  ASSERT_EQ(world.race({"--agents", "good,bad", "--fresh-baseline", "task"}).exit, 0);
  const auto home = world.results();
  const auto run = world.race({"--agents", "good,bad", "--fresh-baseline", "--placement", "slurm", "task"});
  ASSERT_EQ(run.exit, 0) << run.out << run.err;
  const auto away = world.results();
  EXPECT_EQ(home["placement"], "local");
  EXPECT_EQ(away["placement"], "slurm");
  EXPECT_EQ(away["winner"], "good");
  EXPECT_EQ(but_for_durations(away), but_for_durations(home));
  for (const char* name : {"good", "bad"})
    for (const char* kind : {"agent", "tests"})
      EXPECT_TRUE(fs::exists(world.attempt(away["race"], name, kind) / "queued"))
          << "it ran as a job of Slurm";
}

TEST_F(SlurmRace, ALostAgentIsANewAttemptAndIsReported) {
  Gate gate(world.outside() / "gate");
  world.project("[limits]\nretry_delay_seconds = 0\n" + open_to_agents(world) + clustered() +
                script_agent("waits", gate.script() + "; printf 'good\\n' > src/app.txt"));
  auto race = world.start({"race", "--agents", "waits", "--placement", "slurm", "task"});
  ASSERT_TRUE(gate.arrived());
  const auto id = world.status()["race"].get<std::string>();
  const auto started = Json::parse(slurp(world.attempt(id, "waits", "agent") / "started.json"));
  ::kill(started["pid"].get<int>(), SIGKILL);  // its node is gone
  ASSERT_TRUE(gate.arrived()) << "the second attempt";
  gate.open(1);
  const auto run = race->wait();
  EXPECT_EQ(run.exit, 0) << run.out << run.err;
  const auto results = world.results();
  EXPECT_EQ(results["winner"], "waits");
  EXPECT_THAT(results["notes"].dump(), HasSubstr("its node was lost; it runs again"));
  EXPECT_EQ(agent_of(results, "waits")["attempt"], 2);
}

TEST_F(SlurmRace, ADaemonThatIsKilledFindsItsJobsAgain) {
  Gate gate(world.outside() / "gate");
  world.project(open_to_agents(world) + clustered() +
                script_agent("waits", gate.script() + "; printf 'good\\n' > src/app.txt"));
  const auto begun =
      world.hydra({"race", "--json", "--detach", "--agents", "waits", "--placement", "slurm", "task"});
  ASSERT_EQ(begun.exit, 0) << begun.err;
  ASSERT_TRUE(gate.arrived());
  world.kill_daemon();
  gate.open();
  const auto waited = world.hydra({"watch", race_id(begun)});
  EXPECT_EQ(waited.exit, 0) << waited.out << waited.err;
  const auto results = world.results(race_id(begun));
  EXPECT_EQ(results["winner"], "waits");
  EXPECT_EQ(agent_of(results, "waits")["attempt"], 1);
}

// The nodes' own disk has the worktrees of agents and checks: where they stand is what the kernel says.
TEST_F(SlurmRace, OnScratchItRanksAsAtHomeBitForBit) {
  const auto scratch = world.root() / "scratch";
  fs::create_directory(scratch);
  const auto seen = [&](const std::string& who) {
    return "grep \" $(pwd -P) \" /proc/self/mountinfo > " + (world.outside() / who).string() + "; ";
  };
  const auto config =
      open_to_agents(world) + "[scoring]\ntest_command = \"grep -qx good src/app.txt\"\n" +
      "[scoring.weights]\nspeed = 0\n" +
      script_agent("good", seen("good") +
                               "printf 'good\\n' > src/app.txt; git add -A; git commit -qm work; "
                               "rm README.md; mkdir new; printf 'x\\n' > new/file") +
      script_agent("bad", "printf 'bad\\n' > src/app.txt");
  world.project(config);
  ASSERT_EQ(world.race({"--agents", "good,bad", "--fresh-baseline", "task"}).exit, 0);
  const auto home = world.results();
  EXPECT_THAT(slurp(world.outside() / "good"), ::testing::Not(HasSubstr("/scratch/hydra-")));
  fs::create_directories(world.config_home() / "hydra");
  std::ofstream(world.config_home() / "hydra/config.toml")
      << "[execution]\nscratch = \"" << scratch.string() << "\"\n";
  const auto run = world.race({"--agents", "good,bad", "--fresh-baseline", "--placement", "slurm", "task"});
  ASSERT_EQ(run.exit, 0) << run.out << run.err;
  const auto away = world.results();
  EXPECT_THAT(slurp(world.outside() / "good"), HasSubstr("/scratch/hydra-"));
  EXPECT_EQ(away["winner"], "good");
  EXPECT_EQ(agent_of(away, "good")["workspace"]["tree"], "copy");
  EXPECT_EQ(but_for_trees(but_for_durations(away)), but_for_trees(but_for_durations(home)));
  const auto branch = agent_of(away, "good")["branch"].get<std::string>();
  EXPECT_EQ(world.show(branch, "new/file"), "x\n");
  EXPECT_EQ(world.show(branch, "README.md"), "");
  EXPECT_TRUE(fs::is_empty(scratch)) << "nothing is left on the nodes";
}

TEST_F(SlurmRace, ScratchWithoutASandboxIsRefusedBeforeAnythingRuns) {
  world.project(clustered());
  fs::create_directories(world.config_home() / "hydra");
  std::ofstream(world.config_home() / "hydra/config.toml") << "[execution]\nscratch = \"/tmp\"\n";
  const auto run =
      world.hydra({"race", "--agents", "good", "--sandbox", "off", "--placement", "slurm", "task"});
  EXPECT_NE(run.exit, 0);
  EXPECT_THAT(run.err, HasSubstr("[execution] scratch needs a sandbox"));
}

/// Pids from this one up to Slurm's supervisor of the step.
std::vector<pid_t> up_to_its_step(pid_t pid) {
  std::vector<pid_t> pids;
  while (pid > 1) {
    pids.push_back(pid);
    const auto stat = slurp("/proc/" + std::to_string(pid) + "/stat");
    if (stat.find("(slurmstepd") != std::string::npos) break;
    std::istringstream after(stat.substr(stat.rfind(')') + 1));
    std::string state;
    after >> state >> pid;
  }
  return pids;
}

/// Slurm finds out after half a minute that a node is gone, and is asked twice.
constexpr std::chrono::seconds kLong{300};

class NodeOfARace : public SlurmRace {
 protected:
  /// A race whose only agent waits at the gate; what its job's processes are, and the node that it is on.
  void begin() {
    gate = std::make_unique<Gate>(world.outside() / "gate");
    world.project("[limits]\nretry_delay_seconds = 0\n" + open_to_agents(world) + clustered() +
                  script_agent("waits", "echo run >> " + runs().string() + "; " + gate->script() +
                                            "; printf 'good\\n' > src/app.txt"));
    race = world.start({"race", "--agents", "waits", "--placement", "slurm", "task"});
    ASSERT_TRUE(gate->arrived());
    const auto id = world.status()["race"].get<std::string>();
    const auto started = Json::parse(slurp(world.attempt(id, "waits", "agent") / "started.json"));
    job = up_to_its_step(started["pid"].get<pid_t>());
    const auto environment = slurp("/proc/" + std::to_string(job.front()) + "/environ");
    const std::string name = "SLURMD_NODENAME=";
    const auto at = environment.find(name);
    ASSERT_NE(at, std::string::npos);
    node = environment.substr(at + name.size(), environment.find('\0', at) - at - name.size());
    ::kill(std::stoi(slurp(place() + "/slurmd." + node + ".pid")), SIGKILL);
  }
  fs::path runs() const { return world.outside() / "runs"; }
  std::unique_ptr<Gate> gate;
  std::unique_ptr<Process> race;
  std::vector<pid_t> job;
  std::string node;
};

TEST_F(NodeOfARace, ThatGoesAwayIsALossAndItsWorkIsDoneAgainOnce) {
  begin();
  for (const auto pid : job) ::kill(pid, SIGKILL);
  ASSERT_TRUE(gate->arrived(1, kLong)) << "the second attempt";
  gate->open(1);
  const auto run = race->wait(kLong);
  EXPECT_EQ(run.exit, 0) << run.out << run.err;
  const auto results = world.results();
  EXPECT_EQ(results["winner"], "waits");
  EXPECT_THAT(results["notes"].dump(), HasSubstr("its node was lost; it runs again"));
  EXPECT_EQ(agent_of(results, "waits")["attempt"], 2);
  EXPECT_EQ(slurp(runs()), "run\nrun\n") << "twice, and the first of them came to nothing";
}

TEST_F(NodeOfARace, WhoseSlurmdAloneDiesLosesNothing) {
  begin();
  ASSERT_EQ(shell_of_test(script + " node " + place() + " " + node), 0);
  gate->open(1);
  const auto run = race->wait(kLong);
  EXPECT_EQ(run.exit, 0) << run.out << run.err;
  const auto results = world.results();
  EXPECT_EQ(results["winner"], "waits");
  EXPECT_EQ(agent_of(results, "waits")["attempt"], 1) << "its step went on, and its result counts";
  EXPECT_EQ(slurp(runs()), "run\n");
}

TEST_F(SlurmRace, DoctorShowsTheNodesAndWhyOneTakesNoJobs) {
  world.project(clustered());
  std::filesystem::create_directories(world.config_home() / "hydra");
  std::ofstream(world.config_home() / "hydra/config.toml") << "[execution]\nplacement = \"slurm\"\n";
  ASSERT_EQ(shell_of_test("SLURM_CONF=" + place() +
                          "/slurm.conf scontrol update nodename=n2 state=drain reason='bad disk'"),
            0);
  const auto shown = world.hydra({"doctor"});
  EXPECT_THAT(shown.out, HasSubstr("node n1 (main): idle, 8 CPUs"));
  EXPECT_THAT(shown.out, HasSubstr("node n2 (main): takes no jobs, it is drained: bad disk"));
  EXPECT_THAT(shown.out, HasSubstr("16 CPUs take jobs"));
}

TEST(ClusterRace, WithoutSlurmNothingIsPaidFor) {
  World world;
  world.project(clustered());
  world.set_environment("PATH", world.path_without("sbatch").string());
  const auto run =
      world.hydra({"race", "--agents", "good", "--sandbox", "off", "--placement", "slurm", "task"});
  EXPECT_NE(run.exit, 0);
  EXPECT_THAT(run.err, HasSubstr("Slurm's commands are not installed"));
  EXPECT_THAT(run.err, HasSubstr("apt install slurm-client"));
}

TEST(ClusterRace, WithoutPodmanNothingIsPaidFor) {
  HYDRA_NEEDS(machine::Ability::sandbox);
  World world;
  world.project("[sandbox]\nimage = \"any\"\n" + clustered());
  world.set_environment("PATH", world.path_without("podman").string());
  const auto run = world.hydra({"race", "--agents", "good", "--isolation", "podman", "task"});
  EXPECT_NE(run.exit, 0);
  EXPECT_THAT(run.err, HasSubstr("podman, which is not installed"));
  EXPECT_THAT(run.err, HasSubstr("apt install podman"));
}

class PodmanRace : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!machine::required("podman")) GTEST_SKIP() << "no HYDRA_REQUIRE=podman";
    const auto dir = (world.root() / "podman").string();
    ASSERT_EQ(shell_of_test(R"(set -e; d=)" + dir + R"(
      mkdir -p $d/root; cd $d/root; mkdir usr etc proc dev sys tmp run home var
      for l in bin sbin lib lib64; do ln -s usr/$l $l; done; tar -cf ../image.tar .
      runtime=$(command -v runc >/dev/null && echo 'runtime = "runc"' || true)
      printf '[engine]\ncgroup_manager = "cgroupfs"\nevents_logger = "none"\n%s\n[containers]\ndefault_ulimits = ["nofile=1024:1024", "nproc=4096:4096"]\n' "$runtime" > $d/containers.conf
      printf '[storage]\ndriver = "vfs"\ngraphroot = "%s/s"\nrunroot = "%s/r"\n' $d $d > $d/storage.conf
      CONTAINERS_CONF=$d/containers.conf CONTAINERS_STORAGE_CONF=$d/storage.conf podman import $d/image.tar hydra-e2e:1)"),
              0);
    world.set_environment("CONTAINERS_CONF", dir + "/containers.conf");
    world.set_environment("CONTAINERS_STORAGE_CONF", dir + "/storage.conf");
  }
  World world;
};

TEST_F(PodmanRace, RanksAsAtHomeAndNamesTheImage) {
  world.project(
      "[sandbox]\nisolation = \"podman\"\nimage = \"hydra-e2e:1\"\n"
      "read = [\"/usr\", \"/etc/alternatives\"]\n" +
      clustered());
  const auto run = world.race({"--agents", "good,bad", "--fresh-baseline", "task"});
  ASSERT_EQ(run.exit, 0) << run.out << run.err;
  const auto results = world.results();
  EXPECT_EQ(results["winner"], "good");
  EXPECT_EQ(results["sandbox"], "podman");
  EXPECT_TRUE(results["image"].get<std::string>().starts_with("sha256:")) << results["image"];
  EXPECT_EQ(agent_of(results, "good")["sandbox"], "podman");
  EXPECT_EQ(agent_of(results, "good")["workspace"]["tree"], "copy");
}

// Made once, of the project's own recipe, and named by what came out of it.
TEST_F(PodmanRace, AContainerfileOfTheProjectIsBuilt) {
  world.write("Containerfile", "FROM localhost/hydra-e2e:1\nCOPY marker /marker\n");
  world.write("marker", "of the image\n");
  world.project(
      "[sandbox]\nisolation = \"podman\"\nimage = \"./Containerfile\"\n"
      "read = [\"/usr\", \"/etc/alternatives\"]\n"
      "[scoring]\ntest_command = \"grep -q image /marker && grep -qx good src/app.txt\"\n" +
      script_agent("good", "printf 'good\\n' > src/app.txt"));
  std::set<std::string> images;
  for (int i = 0; i < 2; ++i) {
    const auto run = world.race({"--agents", "good", "--fresh-baseline", "task"});
    ASSERT_EQ(run.exit, 0) << run.out << run.err;
    const auto results = world.results();
    EXPECT_EQ(agent_of(results, "good")["dimensions"]["tests"]["points"], 100.0);
    images.insert(results["image"]);
  }
  EXPECT_EQ(images.size(), 1u);
  EXPECT_TRUE(images.begin()->starts_with("sha256:")) << *images.begin();
}

// Its Dockerfile asks for more than this machine can stand in for.
TEST_F(PodmanRace, ATaskOfASuiteRunsInTheImageOfItsDockerfile) {
  const auto spill = [](const fs::path& file, const std::string& text) {
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
  };
  const auto task = world.root() / "suite/one";
  spill(task / "task.toml", "version = \"1.0\"\n");
  spill(task / "instruction.md", "Write good into out.txt.\n");
  spill(task / "environment/Dockerfile",
        "FROM localhost/hydra-e2e:1\nWORKDIR /app\nCOPY seed /app/seed\nCOPY seed /marker\n");
  spill(task / "environment/seed", "of the image\n");
  spill(task / "tests/test.sh", "#!/bin/sh\ngrep -q image /marker && grep -qx good /app/out.txt\n");
  world.project("[sandbox]\nisolation = \"podman\"\nread = [\"/usr\", \"/etc/alternatives\"]\n" +
                script_agent("good", "grep -q image /marker && echo good > /app/out.txt") +
                script_agent("bad", "echo bad > /app/out.txt"));
  const auto run =
      world.hydra({"bench", (world.root() / "suite").string(), "--agents", "good,bad", "--json"});
  ASSERT_EQ(run.exit, 0) << run.out << run.err;
  EXPECT_THAT(run.err, ::testing::Not(HasSubstr("needs an image")));
  const auto table = Json::parse(run.out);
  EXPECT_EQ(table["needs_image"].size(), 0u) << run.out;
  for (const auto& race : fs::directory_iterator(world.state() / "races")) {
    const auto results = world.results(race.path().filename());
    EXPECT_EQ(results["winner"], "good");
    EXPECT_EQ(results["sandbox"], "podman");
    EXPECT_TRUE(results["image"].get<std::string>().starts_with("sha256:")) << results["image"];
  }
}

TEST_F(PodmanRace, AnImageThatCannotBeHadIsNamedBeforeAnythingRuns) {
  world.project("[sandbox]\nisolation = \"podman\"\nimage = \"localhost:1/none/such:1\"\n" + clustered());
  const auto run = world.hydra({"race", "--agents", "good", "task"});
  EXPECT_NE(run.exit, 0);
  EXPECT_THAT(run.err, HasSubstr("the image localhost:1/none/such:1 can't be pulled"));
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
