// Messages to people where a disk is full, an agent misbehaves or a check fails; and things that jobs may not
// reach or take from the others.
#include "disk.hpp"
#include "support/machine.hpp"
#include "support/world.hpp"

#include <gmock/gmock.h>

#include <fcntl.h>
#include <fstream>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

namespace hydra::e2e::HYDRA_FILE {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

/// Takes all the room that a file system has, in bytes or in files, until it is removed.
class Filler {
 public:
  explicit Filler(const fs::path& directory) : path_(directory / "filler") { fs::create_directories(path_); }
  void bytes() const {
    std::ofstream file(path_ / "bytes");
    const std::string block(1 << 12, 'x');
    while (file.write(block.data(), static_cast<std::streamsize>(block.size())).flush()) {
    }
  }
  /// All but so many bytes.
  void leave(std::uint64_t bytes) const {
    std::ofstream(path_ / "bytes").close();
    const int fd = ::open((path_ / "bytes").c_str(), O_WRONLY | O_CLOEXEC);
    EXPECT_EQ(::fallocate(fd, 0, 0, static_cast<off_t>(fs::space(path_).available - bytes)), 0);
    ::close(fd);
  }
  void files() const {
    for (int i = 0; std::ofstream(path_ / std::to_string(i)).is_open(); ++i) {
    }
  }
  void remove() const { fs::remove_all(path_); }

 private:
  fs::path path_;
};

/// A race of an agent that waits at a gate, with Hydra's state on a disk of its own.
class FullDisk : public ::testing::Test {
 protected:
  static constexpr const char* kNoFloor = "[limits]\ndisk_free_mib = 0\n";

  void begin(const std::string& options, const std::string& limits = kNoFloor,
             const std::string& script = "echo fine >> src/app.txt; ") {
    const auto state = world.root() / "state";
    mounted = ::mount("none", state.c_str(), "tmpfs", 0, options.c_str()) == 0;
    HYDRA_NEEDS(machine::Ability::mounts);
    ASSERT_TRUE(mounted);
    const auto out = world.outside().string();
    world.project(limits + ("[sandbox]\nread = [\"" + out + "\"]\n") +
                  script_agent("a", script + gate.script()));
  }
  void TearDown() override {
    if (!mounted) return;
    world.hydra({"daemon", "stop"});
    world.finish();
    ::umount2((world.root() / "state").c_str(), MNT_DETACH);
  }
  std::unique_ptr<Process> race(const Words& more = {}) {
    Words args{"race", "--agents", "a"};
    args.insert(args.end(), more.begin(), more.end());
    args.emplace_back("task");
    auto run = world.start(args);
    EXPECT_TRUE(gate.arrived()) << run->out() << run->err();
    return run;
  }
  /// With room again it ends as if nothing had been.
  void ends_well(Process& run) const {
    const auto end = run.wait();
    EXPECT_EQ(end.exit, 0) << end.out << end.err;
    EXPECT_EQ(world.show(agent_of(world.results(), "a")["branch"], "src/app.txt"), "one\ntwo\nthree\nfine\n");
  }

  World world;
  Gate gate{world.outside() / "gate"};
  bool mounted = false;
};

TEST_F(FullDisk, ARaceThatCannotBeRecordedSaysWhatItWaitsFor) {
  begin("size=24m");
  if (!mounted) return;
  auto run = race();
  const Filler filler(world.state());
  filler.bytes();
  gate.open();
  ASSERT_TRUE(run->wait_line("waiting: ")) << run->out() << run->err();
  EXPECT_THAT(run->out(), HasSubstr("MiB are free on the disk of " + world.state().string()));
  EXPECT_THAT(world.status()["reason"].dump(), HasSubstr("MiB are free on the disk of"));
  filler.remove();
  EXPECT_TRUE(run->wait_line("goes on")) << run->out();
  ends_well(*run);
}

TEST_F(FullDisk, ACaptureThatHasNoFilesLeftSaysSo) {
  begin("size=64m,nr_inodes=2000");
  if (!mounted) return;
  auto run = race({"--json"});
  const Filler filler(world.state());
  filler.files();
  gate.open();
  ASSERT_TRUE(run->wait_line("\"event\":\"waits\"")) << run->out() << run->err();
  EXPECT_THAT(run->out(), HasSubstr("its capture waits for room"));
  const auto status = world.status();
  EXPECT_THAT(status["reason"].dump(), ContainsRegex("MiB and [0-9]+ files are free on the disk of"));
  EXPECT_THAT(status["agents"][0]["message"].dump(), HasSubstr("files are free on the disk of"));
  filler.remove();
  ends_well(*run);
}

TEST_F(FullDisk, TheReserveIsEnoughForWhatWasBegun) {
  begin("size=400m");
  if (!mounted) return;
  auto run = race();
  const auto whole = world.state() / "reserve/whole";
  EXPECT_TRUE(fs::exists(whole));  // also in a daemon that the race has started
  const Filler filler(world.state());
  filler.bytes();
  gate.open();
  ends_well(*run);
  EXPECT_FALSE(fs::exists(whole));
  EXPECT_THAT(run->out(), Not(HasSubstr("waiting: ")));
}

// 30 MiB of the agent's directory, as many of its capture, and as many of its check workspace.
TEST_F(FullDisk, ACheckWorkspaceAsksForItsRoomFirst) {
  constexpr std::uint64_t kMiB = 1 << 20;
  begin("size=200m", "[limits]\ndisk_free_mib = 20\n[scoring]\ntest_command = \"test -e big\"\n",
        "head -c 31457280 /dev/urandom > big; ");
  if (!mounted) return;
  auto run = race();
  const Filler filler(world.state());
  filler.leave(65 * kMiB);
  gate.open();
  ASSERT_TRUE(run->wait_line("no room for a check workspace")) << run->out() << run->err();
  EXPECT_THAT(world.status()["agents"][0]["message"].dump(), HasSubstr("no room for a check workspace"));
  filler.remove();
  EXPECT_EQ(run->wait().exit, 0) << run->out() << run->err();
  EXPECT_EQ(agent_of(world.results(), "a")["dimensions"]["tests"]["detail"]["exit_code"], 0);
}

TEST_F(FullDisk, TheWorktreeOfWhoFilledItIsRemovedOnceItIsCaptured) {
  begin("size=600m", "[limits]\ndisk_free_mib = 0\ndisk_bytes = 30000000\n" +
                         script_agent("hog",
                                      "echo hog >> src/app.txt; head -c 400000000 /dev/zero > big; "
                                      "exec sleep 600"));
  if (!mounted) return;
  auto run = world.start({"race", "--agents", "a,hog", "task"});
  ASSERT_TRUE(gate.arrived()) << run->out() << run->err();
  ASSERT_TRUE(run->wait_line("its worktree was removed")) << run->out() << run->err();
  const std::string id = world.status()["race"];
  const auto work = world.state() / "races" / id / "work/hog";
  EXPECT_FALSE(fs::exists(work));
  gate.open();
  ends_well(*run);
  const auto undone = world.hydra({"clean", "--undo", id});
  EXPECT_EQ(undone.exit, 0) << undone.out << undone.err;
  EXPECT_THAT(slurp(work / "src/app.txt"), HasSubstr("hog"));
  EXPECT_FALSE(fs::exists(work / "big"));
}

TEST_F(FullDisk, ACleanByNameMakesRoom) {
  begin("size=24m");
  if (!mounted) return;
  auto run = race();
  gate.open();
  ends_well(*run);
  const std::string id = world.results()["race"];
  const auto work = world.state() / "races" / id / "work/a";
  std::ofstream(work / "later") << "typed after the race\n";
  const Filler filler(world.state());
  filler.bytes();
  // The work can't be captured now, and the clean says what goes with it before it goes.
  const auto shown = world.hydra({"clean", id, "--keep", "0", "--uncaptured"});
  EXPECT_THAT(shown.out, HasSubstr("lost with it")) << shown.err;
  EXPECT_TRUE(fs::exists(work));
  const auto gone = world.hydra({"clean", id, "--yes", "--keep", "0", "--uncaptured"});
  EXPECT_EQ(gone.exit, 0) << gone.out << gone.err;
  EXPECT_FALSE(fs::exists(work));
}

TEST_F(FullDisk, ACleanComparesOnAFullDiskAndHasMadeRoomWhenItAnswers) {
  begin("size=400m");
  if (!mounted) return;
  auto run = race();
  gate.open();
  ends_well(*run);
  const std::string id = world.results()["race"];
  const Filler filler(world.state());
  filler.bytes();
  const auto gone = world.hydra({"clean", id, "--yes", "--keep", "0"});
  EXPECT_EQ(gone.exit, 0) << gone.out << gone.err;
  EXPECT_FALSE(fs::exists(world.state() / "races" / id / "work/a")) << gone.out;
  EXPECT_TRUE(fs::is_empty(world.state() / "trash"));
}

int niceness(pid_t pid) { return ::getpriority(PRIO_PROCESS, static_cast<id_t>(pid)); }
int offered(pid_t pid) {
  const auto text = slurp("/proc/" + std::to_string(pid) + "/oom_score_adj");
  return text.empty() ? 0 : std::stoi(text);
}

// A watcher comes before what it watches: in the queue for a CPU, and last where memory runs out.
TEST(Watchers, StandAboveTheirJobs) {
  World world;
  Gate gate(world.outside() / "gate");
  world.project("[sandbox]\nread = [\"" + world.outside().string() + "\"]\n" +
                script_agent("a", "sleep 1007 & until grep -q sleep /proc/$!/comm; do :; done; " +
                                      gate.script() + "; kill $!; echo a >> src/app.txt"));
  auto run = world.start({"race", "--agents", "a", "task"});
  ASSERT_TRUE(gate.arrived()) << run->out() << run->err();
  const auto jobs = processes_with("sleep" + std::string(1, '\0') + "1007" + std::string(1, '\0'));
  ASSERT_EQ(jobs.size(), 1u);
  pid_t shim = parent_of(jobs.front());
  for (; shim > 1 && process_name(shim) != "hydra-shim"; shim = parent_of(shim)) {
  }
  ASSERT_GT(shim, 1);
  while (process_name(parent_of(shim)) == "hydra-shim") shim = parent_of(shim);  // the outermost watches
  const auto daemons = world.daemons();
  ASSERT_EQ(daemons.size(), 1u);
  EXPECT_GE(niceness(jobs.front()), niceness(shim) + 5);
  EXPECT_GE(niceness(shim), niceness(daemons.front()));
  EXPECT_GT(offered(jobs.front()), offered(shim));
  EXPECT_GE(offered(shim), offered(daemons.front()));
  gate.open();
  EXPECT_EQ(run->wait().exit, 0) << run->err();
}

// Facts of a result that are in no point are in the summary and in the explanation.
TEST(Told, WhatAnAgentLeftAndWhatNoResultHas) {
  World world;
  world.project(script_agent("a",
                             "echo a >> src/app.txt; ln -s /etc/hostname away; mkdir .GIT; echo x > "
                             ".GIT/config; setsid sleep 1008 & exit 0"));
  const auto run = world.race({"--agents", "a", "task"});
  EXPECT_EQ(run.exit, 0) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("a: left 1 process running, which was ended"));
  EXPECT_THAT(run.out, HasSubstr("a: a new link leads out of the repository: away"));
  EXPECT_THAT(run.out, HasSubstr(".GIT/config (refused by git)"));
  const auto explained = world.hydra({"explain", "a"});
  EXPECT_THAT(explained.out, HasSubstr("Processes that it left running, ended: 1"));
  EXPECT_THAT(explained.out, HasSubstr("symlink outside: away"));
  EXPECT_THAT(explained.out, HasSubstr("Left out: .GIT/config (refused by git)"));
}

TEST(Told, AnAgentThatIsBeingCancelledHasNoOutcomeYet) {
  World world;
  Gate gate(world.outside() / "gate"), leaves(world.outside() / "leaves");
  const auto out = world.outside().string();
  world.project("[sandbox]\nread = [\"" + out + "\"]\n" +
                script_agent("a",
                             "trap '" + leaves.script() + "; exit 1' TERM; " + gate.script() +
                                 "; while :; do sleep 0.05; done",
                             "stop = [{ signal = \"TERM\", wait_seconds = 600 }]\n"));
  auto run = world.start({"race", "--agents", "a", "task"});
  ASSERT_TRUE(gate.arrived());
  gate.open();
  EXPECT_EQ(world.hydra({"cancel"}).exit, 0);
  ASSERT_TRUE(leaves.arrived());
  const auto status = world.status();
  EXPECT_EQ(status["state"], "cancelling");
  EXPECT_EQ(status["agents"][0]["state"], "cancelling");
  EXPECT_EQ(status["agents"][0]["outcome"], "unknown");
  leaves.open();
  run->wait();
  EXPECT_EQ(agent_of(world.results(), "a")["state"], "cancelled");
  EXPECT_EQ(agent_of(world.results(), "a")["outcome"], "cancelled");
}

TEST(Told, TheEndOfWhatFailedAndWhatHelps) {
  World world;
  world.write(".keep", "");
  world.project(
      "[scoring]\nbuild_command = \"sh build.sh\"\ntest_command = \"true\"\n" +
      script_agent("good", "echo good >> src/app.txt") +
      script_agent(
          "bad",
          "printf 'for i in 1 2 3 4 5 6 7 8 9 10 11 12; do echo line-$i; done\\nprintf "
          "\"\\\\033[31mred\\\\033[0m\\\\n\"\\nnosuchtool-1\\n' > build.sh; echo bad >> src/app.txt"));
  world.write("build.sh", "true\n");
  world.commit();
  const auto run = world.race({"--agents", "good,bad", "task"});
  EXPECT_EQ(run.exit, 0) << run.out << run.err;
  for (const auto& text : {run.out, world.hydra({"results"}).out}) {
    EXPECT_THAT(text, HasSubstr("bad: its build failed: sh build.sh\n"));
    EXPECT_THAT(text, HasSubstr("  line-12\n  red\n  build.sh: 3: nosuchtool-1: not found\n"));
    EXPECT_THAT(text, Not(HasSubstr("line-3\n"))) << "ten lines and no more";
    EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  }
}

// Outside of /tmp, which the sandbox hides anyhow.
class Reach : public ::testing::Test {
 protected:
  void SetUp() override { HYDRA_NEEDS(machine::Ability::sandbox); }
  World world{"app", "/var/tmp"};
  void results_pass(const HydraOptions& options = {}) {
    const auto run = world.race({"--agents", "a", "task"}, options);
    EXPECT_EQ(run.exit, 0) << run.out << run.err;
    EXPECT_EQ(agent_of(world.results(), "a")["dimensions"]["tests"]["detail"]["exit_code"], 0)
        << world.hydra({"logs", "a", "--kind", "tests"}).out;
  }
};

TEST_F(Reach, WhatIsRelativeInThePathIsNot) {
  world.set_environment("PATH", ".:bin:" + world.environment().at("PATH") + "::");
  world.project("[scoring]\ntest_command = '''case \":$PATH:\" in *::*|*:.:*|*:bin:*) exit 1;; esac'''\n" +
                script_agent("a", "echo a >> src/app.txt"));
  results_pass();
}

TEST_F(Reach, TheUsersConfigurationIsNot) {
  const auto other = world.root() / "other";
  fs::create_directories(other / "hydra");
  for (const auto& file : {world.config_home() / "hydra/config.toml", other / "hydra/config.toml"})
    std::ofstream(file) << "[notify]\nwebhook = \"http://127.0.0.1:1/token\"\n";
  std::string test = "true";
  for (const auto& file : {world.config_home() / "hydra/config.toml", other / "hydra/config.toml"})
    test += " && ! cat " + file.string();
  world.project("[scoring]\ntest_command = '''" + test + "'''\n" +
                script_agent("a", "echo a >> src/app.txt"));
  world.hydra({"list"});  // starts the daemon; who races then has another configuration
  results_pass({.input = {}, .directory = {}, .environment = {{"XDG_CONFIG_HOME", other.string()}}});
}

TEST_F(Reach, AProgramsCacheIsReadAndNotWritten) {
  fs::create_directories(world.home() / ".cache/tool/1");
  std::ofstream(world.home() / ".cache/tool/1/unpacked") << "large\n";
  std::ofstream(world.home() / ".cache/secret") << "secret\n";
  world.project(
      script_agent("a",
                   "cat ~/.cache/tool/1/unpacked > src/cache.txt; echo x > ~/.cache/tool/1/unpacked; "
                   "mkdir ~/.cache/tool/2 && echo made >> src/cache.txt; test -e ~/.cache/secret || "
                   "echo hidden >> src/cache.txt",
                   "home = { cache = [\".cache/tool/*\"] }\n"));
  const auto run = world.race({"--agents", "a", "task"});
  EXPECT_EQ(run.exit, 0) << run.out << run.err;
  EXPECT_EQ(world.show(agent_of(world.results(), "a")["branch"], "src/cache.txt"), "large\nmade\nhidden\n");
  EXPECT_EQ(slurp(world.home() / ".cache/tool/1/unpacked"), "large\n");
  EXPECT_FALSE(fs::exists(world.home() / ".cache/tool/2"));
}

TEST(Damage, RacesThatACleanTookAwayAreFoundAgain) {
  World world;
  world.project(script_agent("a", "echo fine >> src/app.txt"));
  ASSERT_EQ(world.race({"--agents", "a", "task"}).exit, 0);
  const std::string race = world.results()["race"];
  ASSERT_EQ(world.hydra({"clean", race, "--yes", "--older-than", "0", "--keep", "0.001"}).exit, 0);
  ASSERT_TRUE(fs::exists(world.state() / "removed" / race));
  ASSERT_EQ(world.hydra({"daemon", "stop"}).exit, 0);
  for (const char* end : {"-wal", "-shm"}) fs::remove(world.state() / ("hydra.db" + std::string(end)));
  std::ofstream(world.state() / "hydra.db") << std::string(4096, 'x');
  EXPECT_EQ(world.results(race)["winner"], "a");
  const auto back = world.hydra({"clean", "--undo", race});
  EXPECT_EQ(back.exit, 0) << back.err;
  EXPECT_EQ(slurp(world.state() / "races" / race / "work/a/src/app.txt"), "one\ntwo\nthree\nfine\n");
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
