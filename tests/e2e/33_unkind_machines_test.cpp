// Rows of the reliability matrix that need a machine of their own kind: a process that the kernel does not
// let die, a thousand races in the database, programs that are none, twins.
#include "storage/sum.hpp"
#include "support/machine.hpp"
#include "support/world.hpp"

#include <gmock/gmock.h>
#include <sqlite3.h>

#include <fcntl.h>
#include <fstream>
#include <linux/fs.h>
#include <set>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <unistd.h>

namespace hydra::e2e::HYDRA_FILE {
namespace {

using ::testing::HasSubstr;

/// A file system that can be frozen: who writes to it then is in state D, deaf to SIGKILL.
class Freezer {
 public:
  Freezer() {
    char pattern[] = "/tmp/hydra-freeze-XXXXXX";
    dir_ = ::mkdtemp(pattern);
    fs::create_directories(path());
    const Environment env{{"PATH", "/usr/sbin:/sbin:/usr/bin:/bin"}};
    const auto image = dir_ / "image";
    std::ofstream(image).close();
    fs::resize_file(image, 32u << 20);
    lack = machine::lack({machine::Ability::mounts});
    if (!lack.text.empty()) return;
    if (!fs::exists("/usr/sbin/mkfs.ext4"))
      lack.text = "no mkfs.ext4";
    else if (Process({"/usr/sbin/mkfs.ext4", "-q", "-F", image}, "/", env).wait().exit != 0 ||
             Process({"/bin/mount", "-o", "loop", image, path()}, "/", env).wait().exit != 0)
      lack.text = "no loop device";
    else
      mounted_ = true;
  }
  ~Freezer() {
    thaw();
    if (mounted_) ::umount2(path().c_str(), MNT_DETACH);
    std::error_code ec;
    fs::remove_all(dir_, ec);
  }
  Freezer(const Freezer&) = delete;
  Freezer& operator=(const Freezer&) = delete;

  /// Nothing where the disk is not mounted: the directory would be on the machine's own file system.
  void freeze() {
    if (!mounted_) return;
    const int fd = ::open(path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    frozen_ = ::ioctl(fd, FIFREEZE, 0) == 0;
    ::close(fd);
    if (!frozen_) lack.text = "no file system that freezes";
  }
  void thaw() {
    if (!frozen_) return;
    const int fd = ::open(path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    frozen_ = ::ioctl(fd, FITHAW, 0) != 0;
    ::close(fd);
  }
  [[nodiscard]] fs::path path() const { return dir_ / "disk"; }
  machine::Lack lack;

 private:
  fs::path dir_;
  bool mounted_ = false, frozen_ = false;
};

class Stuck : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    disk.freeze();
    HYDRA_SKIP_LACKING(disk.lack);
  }
  /// The agent `bad` does `script`, its race ends without it, and its processes end with the freeze.
  Json race(const std::string& script) {
    const auto where = disk.path().string();
    world.project(std::string("[sandbox]\nmode = \"") + GetParam() + "\"\nwrite = [\"" + where + "\"]\n" +
                  script_agent("good", "echo fine >> src/app.txt") +
                  script_agent("bad", script, "stop = [{ signal = \"TERM\", wait_seconds = 0.2 }]\n"));
    const auto run = world.race({"--agents", "bad,good", "--timeout", "2s", "task"});
    EXPECT_EQ(run.exit, 0) << run.out << run.err;
    const auto results = world.results();
    EXPECT_EQ(results["state"], "done");
    EXPECT_EQ(results["winner"], "good");
    EXPECT_EQ(world.hydra({"list"}).exit, 0);
    disk.thaw();
    return agent_of(results, "bad");
  }
  Freezer disk;
  World world;
};

// Matrix row P30.
TEST_P(Stuck, AnAgentThatTheKernelDoesNotLetDieEndsItsRaceNotItself) {
  const auto bad = race("echo begun >> src/app.txt; echo x > '" + disk.path().string() + "/f'");
  EXPECT_EQ(bad["eligible"], false) << bad.dump(1);
  EXPECT_NE(bad["state"], "completed") << bad.dump(1);
}

TEST_P(Stuck, AChildThatTheKernelDoesNotLetDieIsSaid) {
  const auto bad = race("echo done >> src/app.txt; (echo x > '" + disk.path().string() +
                        "/f') >/dev/null 2>&1 & sleep 0.3");
  EXPECT_EQ(bad["state"], "completed") << bad.dump(1);
  EXPECT_GE(bad["leaked_processes"], 1) << bad.dump(1);
}

INSTANTIATE_TEST_SUITE_P(Sandbox, Stuck, ::testing::Values("off", "auto"));

// Matrix row P18.
TEST(Rows, ProgramsThatAreNoneAreNamedAndTheOthersRun) {
  World world;
  const auto directory = world.outside() / "a-directory", plain = world.outside() / "not-executable";
  fs::create_directories(directory);
  std::ofstream(plain) << "#!/bin/sh\n";
  const auto agent = [](const std::string& name, const fs::path& program) {
    return "[agents." + name + "]\ncommand = [\"" + program.string() + "\"]\n";
  };
  world.project(script_agent("good", "echo fine >> src/app.txt") + agent("directory", directory) +
                agent("plain", plain) + agent("missing", world.outside() / "missing"));
  EXPECT_EQ(world.race({"--agents", "directory,plain,missing,good", "task"}).exit, 0);
  const auto results = world.results();
  EXPECT_EQ(results["winner"], "good");
  for (const auto& [name, word] : {std::pair{"directory", "is a directory"},
                                   {"plain", "not executable"},
                                   {"missing", "does not exist"}}) {
    const auto bad = agent_of(results, name);
    EXPECT_EQ(bad["state"], "launch_error") << name;
    EXPECT_THAT(bad["message"].get<std::string>(), HasSubstr(word)) << name;
  }
}

// Matrix row P28.
TEST(Rows, TwinsShareNeitherFilesNorLogNorId) {
  World world;
  world.project(script_agent("twin", "echo \"$HYDRA_RUN_ID\" | tee src/where.txt"));
  EXPECT_EQ(world.race({"--agents", "twin:2", "task"}).exit, 0);
  const auto results = world.results();
  const std::string race = results["race"];
  std::set<std::string> logs, files, branches;
  for (const char* name : {"twin", "twin-2"}) {
    logs.insert(slurp(world.attempt(race, name, "agent") / "stdout.log"));
    branches.insert(agent_of(results, name)["branch"].get<std::string>());
    files.insert(world.show(agent_of(results, name)["branch"], "src/where.txt"));
  }
  EXPECT_EQ(logs.size(), 2u);
  EXPECT_FALSE(logs.contains(""));
  EXPECT_EQ(branches.size(), 2u);
  EXPECT_EQ(files.size(), 2u);
}

std::int64_t resident_kib(pid_t pid) {
  const auto status = slurp("/proc/" + std::to_string(pid) + "/status");
  const auto at = status.find("VmRSS:");
  return at == std::string::npos ? -1 : std::stoll(status.substr(at + 6));
}

// Matrix row C20. What has ended is not read when a daemon starts.
TEST(Rows, AThousandEndedRacesCostADaemonNoMemory) {
  World world;
  world.project(script_agent("a", "echo fine >> src/app.txt"));
  ASSERT_NE(world.race({"--agents", "a", "task"}).exit, -1);
  const std::string race = world.results()["race"];
  const auto restarted = [&] {
    EXPECT_EQ(world.hydra({"daemon", "stop"}).exit, 0);
    EXPECT_EQ(world.hydra({"daemon", "start"}).exit, 0);
    const auto daemons = world.daemons();
    return daemons.size() == 1 ? resident_kib(daemons.front()) : -1;
  };
  const auto before = restarted();
  ASSERT_GT(before, 0);
  EXPECT_EQ(world.hydra({"daemon", "stop"}).exit, 0);
  storage::know_sums();
  sqlite3* db = nullptr;
  ASSERT_EQ(sqlite3_open((world.state() / "hydra.db").c_str(), &db), SQLITE_OK);
  const std::string numbers =
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) ";
  const std::string copies =
      numbers +
      "INSERT INTO races SELECT printf('zz%08d', i), created_ms, repository, task, agents, state, winner "
      "FROM n, races WHERE id = '" +
      race + "'; " + numbers +
      "INSERT INTO events (race, at_ms, kind, body) SELECT printf('zz%08d', i), at_ms, kind, body FROM n, "
      "events WHERE race = '" +
      race + "' ORDER BY i, events.id";
  char* error = nullptr;
  ASSERT_EQ(sqlite3_exec(db, copies.c_str(), nullptr, nullptr, &error), SQLITE_OK) << error;
  sqlite3_close(db);
  const auto after = restarted();
  ASSERT_GT(after, 0);
  EXPECT_LT(after - before, 8 * 1024) << "KiB: " << before << " and " << after;
  EXPECT_EQ(world.hydra({"list"}).exit, 0);
  EXPECT_EQ(world.hydra({"diff", race + "/a"}).exit, 0);
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
