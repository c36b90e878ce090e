// Check workspaces where the machine is unkind: full, read-only and case-insensitive disks, no user
// namespaces, directories that somebody writes into, set-ups that die. A clear error or the next way; never
// half a template, and nothing of the user's changed (race() compares fingerprints).
#include "disk.hpp"
#include "support/machine.hpp"
#include "support/world.hpp"

#include <gmock/gmock.h>

#include <atomic>
#include <csignal>
#include <fstream>
#include <sys/inotify.h>
#include <sys/mount.h>
#include <thread>
#include <tuple>
#include <unistd.h>

namespace hydra::e2e::HYDRA_FILE {
namespace {

using ::testing::HasSubstr;

const std::string kGood = script_agent("good", "echo two > src/a");

std::string toml(const std::string& workspace, const std::string& test = "true") {
  return "[scoring]\nbuild_command = \"true\"\ntest_command = \"" + test + "\"\n[workspace]\n" + workspace +
         kGood;
}

void project(const World& world, const std::string& config) {
  world.init();
  world.write(".gitignore", "deps/\nmade/\n");
  world.write("src/a", "one\n");
  world.write("hydra.toml", config);
  world.commit();
}

fs::path templates(const World& world) { return world.state() / "templates"; }

/// Names of finished templates.
std::size_t finished(const World& world) {
  std::size_t count = 0;
  std::error_code ec;
  for (const auto& entry : fs::directory_iterator(templates(world), ec))
    count += entry.path().extension() == ".new" ? 0u : 1u;
  return count;
}

// The set-up writes a part of its work and dies; later it finds nothing of that and does all of it.
TEST(BadPlaces, ASetUpThatIsKilledHalfWayIsNeverUsed) {
  HYDRA_NEEDS(machine::Ability::sandbox);
  World world("app", "/var/tmp");
  project(world, toml("setup = \"test ! -e made && mkdir made && echo half > made/x && { test -e " +
                          (world.outside() / "ok").string() + " || kill -9 $$; } && echo whole > made/x\"\n",
                      "grep -q whole made/x"));
  const auto first = world.race({"--agents", "good", "task"});
  EXPECT_EQ(first.exit, 1) << first.out;
  EXPECT_THAT(first.out, HasSubstr("the set-up"));
  EXPECT_EQ(finished(world), 0u);
  std::ofstream(world.outside() / "ok").close();
  const auto second = world.race({"--agents", "good", "task"});
  EXPECT_EQ(second.exit, 0) << second.out << second.err;
  const auto results = world.results();
  EXPECT_EQ(results["baseline"]["tests"]["status"], "passed") << results["baseline"].dump(1);
}

// Daemon and supervisor die in the middle of the set-up: nobody knows what it has done.
TEST(BadPlaces, ADaemonKilledDuringTheSetUpLeavesNoTemplateToUse) {
  HYDRA_NEEDS(machine::Ability::sandbox);
  World world("app", "/var/tmp");
  const auto ok = (world.outside() / "ok").string();
  project(world, toml("setup = \"test ! -e made && mkdir made && echo half > made/x && { test -e " + ok +
                          " || { echo now; sleep 1000; }; } && echo whole > made/x\"\n",
                      "grep -q whole made/x"));
  const auto started = world.hydra({"race", "--agents", "good", "--detach", "--json", "task"});
  ASSERT_EQ(started.exit, 0) << started.err;
  const auto race = race_id(started);
  const auto log = world.attempt(race, "baseline", "setup") / "stdout.log";
  const auto until = std::chrono::steady_clock::now() + kDeadline;
  while (slurp(log).find("now") == std::string::npos && std::chrono::steady_clock::now() < until)
    ::usleep(10'000);
  ASSERT_THAT(slurp(log), HasSubstr("now"));
  // The set-up runs, and no check.
  const auto baseline = world.status(race)["baseline"];
  EXPECT_EQ(baseline["state"], "preparing");
  EXPECT_EQ(baseline["step"], "setup");
  EXPECT_THAT(baseline["command"].get<std::string>(), HasSubstr("echo half"));
  EXPECT_EQ(baseline["checks"], (Json{{"build", "waiting"}, {"tests", "waiting"}}));
  world.kill_daemon();
  for (const auto pid : processes_with(world.root().string()))
    if (process_name(pid) == "hydra-shim") ::kill(pid, SIGKILL);
  std::ofstream(ok).close();
  const auto watched = world.hydra({"watch", race});
  EXPECT_NE(watched.exit, 0) << watched.out << watched.err;
  EXPECT_EQ(finished(world), 0u);
  const auto again = world.race({"--agents", "good", "task"});
  EXPECT_EQ(again.exit, 0) << again.out << again.err;
  EXPECT_EQ(world.results()["baseline"]["tests"]["status"], "passed");
}

TEST(BadPlaces, AFullDiskAtTheTemplateIsNamed) {
  Disk disk;
  disk.tmpfs("24m");
  HYDRA_SKIP_LACKING(disk.lack);
  World world("app", disk.path());
  project(world, toml("share = [\"deps\"]\n"));
  fs::create_directories(world.repo() / "deps");
  std::ofstream(world.repo() / "deps/big") << std::string(14u << 20, 'x');
  const auto run = world.race({"--agents", "good", "task"});
  EXPECT_EQ(run.exit, 1) << run.out << run.err;
  EXPECT_THAT(run.out + run.err, HasSubstr("No space left on device"));
  EXPECT_THAT(run.out + run.err, HasSubstr("make room"));
  EXPECT_THAT(run.out + run.err, HasSubstr(templates(world).string()));
  EXPECT_EQ(finished(world), 0u);
  EXPECT_FALSE(fs::exists(world.attempt(world.results()["race"], "good", "agent")));
}

// The agents' own workspaces: half of one is never started in, and nothing of it stays in the user's
// repository.
TEST(BadPlaces, AFullDiskAtTheWorkspaceIsNamed) {
  Disk disk;
  disk.tmpfs("24m");
  HYDRA_SKIP_LACKING(disk.lack);
  World world;
  world.set_environment("XDG_STATE_HOME", disk.path());
  world.init();
  // Compressed it is nothing, checked out it is more than the disk holds.
  world.write("big", std::string(40u << 20, 'x'));
  world.write("src/a", "one\n");
  world.write("hydra.toml", "[workspace]\nchecks = \"fresh\"\n" + kGood);
  world.commit();
  const auto run = world.race({"--agents", "good", "task"});
  EXPECT_EQ(run.exit, 1) << run.out << run.err;
  EXPECT_THAT(run.out + run.err, HasSubstr("No space left on device"));
  const auto results = world.results();
  EXPECT_EQ(results["state"], "done");
  EXPECT_EQ(agent_of(results, "good")["eligible"], false);
  EXPECT_FALSE(
      fs::exists(disk.path() / "hydra/races" / results["race"].get<std::string>() / "attempts/good"));
  // With room the same race runs.
  if (::mount("none", disk.path().c_str(), "tmpfs", MS_REMOUNT, "size=400m") != 0) return;
  const auto again = world.race({"--agents", "good", "task"});
  EXPECT_EQ(again.exit, 0) << again.out << again.err;
  world.hydra({"daemon", "stop"});
}

TEST(BadPlaces, AReadOnlyDirectoryOfTemplatesIsNamed) {
  HYDRA_NEEDS(machine::Ability::mounts);
  World world;
  project(world, toml("setup = \"true\"\n"));
  fs::create_directories(templates(world));
  HYDRA_NEEDS(machine::Ability::mounts);
  ASSERT_EQ(::mount("none", templates(world).c_str(), "tmpfs", MS_RDONLY, "size=1m"), 0);
  const auto run = world.race({"--agents", "good", "task"});
  ::umount2(templates(world).c_str(), MNT_DETACH);
  EXPECT_EQ(run.exit, 1) << run.out << run.err;
  EXPECT_THAT(run.out + run.err, HasSubstr("Read-only file system"));
  EXPECT_THAT(run.out + run.err, HasSubstr(templates(world).string()));
  const auto again = world.race({"--agents", "good", "task"});
  EXPECT_EQ(again.exit, 0) << again.out << again.err;
}

// The user's repository itself can't be written to: said before anything runs.
TEST(BadPlaces, AReadOnlyCheckoutIsNamed) {
  HYDRA_NEEDS(machine::Ability::mounts);
  World world;
  project(world, toml("setup = \"true\"\n"));
  const auto repo = world.repo();
  HYDRA_NEEDS(machine::Ability::mounts);
  ASSERT_EQ(::mount(repo.c_str(), repo.c_str(), "none", MS_BIND, nullptr), 0);
  ::mount("none", repo.c_str(), "none", MS_BIND | MS_REMOUNT | MS_RDONLY, nullptr);
  const auto run = world.race({"--agents", "good", "task"});
  ::umount2(repo.c_str(), MNT_DETACH);
  EXPECT_NE(run.exit, 0) << run.out << run.err;
  EXPECT_THAT(run.out + run.err, HasSubstr("Read-only file system"));
  const auto again = world.race({"--agents", "good", "task"});
  EXPECT_EQ(again.exit, 0) << again.out << again.err;
}

/// Writes into a directory whenever a file of it is opened by somebody.
class Writer {
 public:
  explicit Writer(fs::path directory) : directory_(std::move(directory)) {
    ::inotify_add_watch(notify_, directory_.c_str(), IN_OPEN);
    thread_ = std::thread([this] { run(); });
  }
  ~Writer() {
    stop_ = true;
    slurp(directory_ / "f0");  // wakes it
    thread_.join();
    ::close(notify_);
  }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

 private:
  void run() {
    alignas(inotify_event) char buffer[4096];
    for (int i = 0; !stop_; ++i) {
      const auto n = ::read(notify_, buffer, sizeof buffer);
      const auto* event = reinterpret_cast<const inotify_event*>(buffer);
      if (n > 0 && (event->mask & IN_ISDIR) == 0)
        std::ofstream(directory_ / ("n" + std::to_string(i % 50))) << i;
    }
  }
  fs::path directory_;
  int notify_ = ::inotify_init1(IN_CLOEXEC);
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

TEST(BadPlaces, ASharedDirectoryThatIsWrittenIntoIsNoFrozenState) {
  HYDRA_NEEDS(machine::Ability::sandbox);
  World world;
  project(world, toml("share = [\"deps\"]\n"));
  for (int i = 0; i < 4000; ++i) world.write("deps/f" + std::to_string(i), "x");
  const auto run = [&] {
    const Writer writer(world.repo() / "deps");
    return world.hydra({"race", "--agents", "good", "task"});
  }();
  EXPECT_EQ(run.exit, 1) << run.out << run.err;
  EXPECT_THAT(run.out + run.err, HasSubstr("'deps' was written to while it was copied"));
  EXPECT_EQ(finished(world), 0u);
  const auto quiet = world.race({"--agents", "good", "task"});
  EXPECT_EQ(quiet.exit, 0) << quiet.out << quiet.err;
}

TEST(BadPlaces, SharedPathsThatAreNoneOfTheCheckoutStopTheRace) {
  HYDRA_NEEDS(machine::Ability::sandbox);
  World world;
  world.init();
  world.write("src/a", "one\n");
  std::ofstream(world.outside() / "x") << "theirs";
  fs::create_directory_symlink(world.outside(), world.repo() / "link");
  for (const auto& [share, exit, words] : {std::tuple{"../outside", 2, "must stay inside the repository"},
                                           {"/etc", 2, "not an absolute one"},
                                           {"link/x", 1, "'link/x' leads out of the checkout"},
                                           {"link", 1, "'link' is a symbolic link"},
                                           {"gone", 1, "'gone' does not exist in the checkout"}}) {
    world.write("hydra.toml", toml("share = [\"" + std::string(share) + "\"]\n"));
    world.commit();
    const auto run = world.race({"--agents", "good", "task"});
    EXPECT_EQ(run.exit, exit) << share << run.out << run.err;
    EXPECT_THAT(run.out + run.err, HasSubstr(words)) << share;
  }
  EXPECT_EQ(slurp(world.outside() / "x"), "theirs");
}

// A namespace below this one where the kernel gives no further ones, as hardened hosts and containers do.
TEST(BadPlaces, WithoutUserNamespacesItIsSaidOrDoneWithoutASandbox) {
  HYDRA_NEEDS(machine::Ability::namespaces);
  World world;
  project(world, toml("setup = \"echo made > made.txt\"\n", "test -e made.txt"));
  const auto hydra = [&](const std::string& words) {
    const auto script =
        "echo 0 > /proc/sys/user/max_user_namespaces && exec " + word_of_binary("hydra") + " " + words;
    return Process({"/usr/bin/unshare", "--user", "--map-root-user", "/bin/sh", "-c", script}, world.repo(),
                   world.environment())
        .wait();
  };
  ASSERT_EQ(hydra("--version").exit, 0);
  const auto required = hydra("race --agents good task");
  EXPECT_EQ(required.exit, 3) << required.out << required.err;
  EXPECT_THAT(required.err, HasSubstr("namespace"));
  const auto automatic = hydra("race --sandbox auto --agents good task");
  EXPECT_EQ(automatic.exit, 0) << automatic.out << automatic.err;
  const auto results = world.results();
  EXPECT_EQ(results["baseline"]["tests"]["status"], "passed");
  EXPECT_EQ(agent_of(results, "good")["workspace"]["tree"], "checkout");
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
