// The daemon and the supervisor die, or the disk fails them, at their N-th system call: afterwards the race
// ends, nothing is lost, nothing is left behind and nothing has run twice. A sample by default;
// HYDRA_SWEEP=full takes every call (tools/recovery-sweep).
#include "storage/sum.hpp"
#include "support/machine.hpp"
#include "support/strace.hpp"

#include <gmock/gmock.h>
#include <sqlite3.h>

#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

namespace hydra::e2e::HYDRA_FILE {
namespace {

using ::testing::AnyOf;

bool full_sweep() {
  const char* asked = std::getenv("HYDRA_SWEEP");
  return asked != nullptr && std::string(asked) == "full";
}

std::string query(const fs::path& file, const std::string& sql) {
  storage::know_sums();
  sqlite3* db = nullptr;
  std::string text;
  if (sqlite3_open(file.c_str(), &db) == SQLITE_OK) {
    const auto add = [](void* to, int columns, char** values, char**) {
      for (int i = 0; i < columns; ++i)
        *static_cast<std::string*>(to) += std::string(values[i] == nullptr ? "" : values[i]) + "\n";
      return 0;
    };
    char* problem = nullptr;
    if (sqlite3_exec(db, sql.c_str(), add, &text, &problem) != SQLITE_OK) text += problem;
    sqlite3_free(problem);
  }
  sqlite3_close(db);
  return text;
}

// A race of two agents, each of which counts how often it ran.
class Faults : public ::testing::Test {
 protected:
  void SetUp() override { HYDRA_NEEDS(machine::Ability::tracing); }

  static std::string counter(const World& world) { return (world.outside() / "counter").string(); }

  static void make_project(World& world) {
    const auto out = world.outside().string();
    // The traced supervisor is a script, which finds the real one also where the sandbox hides its directory.
    const auto bin = fs::path(path_of_binary("hydra-shim")).parent_path().string();
    std::string config = "[sandbox]\nread = [\"" + bin + "\"]\nwrite = [\"" + out +
                         "\"]\n[scoring]\nbuild_command = \"true\"\n" +
                         "test_command = \"test -s src/app.txt\"\n";
    for (const char* name : {"a", "b"})
      config += script_agent(name, std::string("echo ") + name + " >> '" + counter(world) + "'; echo " +
                                       name + " >> src/app.txt");
    world.project(config);
  }

  // Starts the race, again where the daemon died before it was told of it, and follows it to its end.
  static std::string run_race(const World& world) {
    auto started = world.hydra({"race", "--detach", "--json", "--agents", "a,b", "task"});
    // strace counts per thread: each of the daemon's threads may refuse once.
    for (int again = 0; started.exit != 0 && again < 8; ++again) {
      const auto list = world.list();
      if (!list["races"].empty()) return finish(world, list["races"][0]["race"]);
      started = world.hydra({"race", "--detach", "--json", "--agents", "a,b", "task"});
    }
    EXPECT_EQ(started.exit, 0) << started.out << started.err;
    return finish(world, race_id(started));
  }
  static std::string finish(const World& world, const std::string& race) {
    HydraOptions patient;
    patient.deadline = std::chrono::seconds(100);
    const auto run = world.hydra({"watch", race}, patient);
    EXPECT_THAT(run.exit, AnyOf(0, 1)) << run.out << run.err;
    return race;
  }

  // Expects what holds whatever happened. `lost`: agents whose supervisor may have died.
  static void expect_sound(const World& world, const std::string& race, const Fingerprint& before,
                           const std::set<std::string>& lost = {}) {
    const auto results = world.results(race);
    const std::string ended = results["state"];
    EXPECT_TRUE(ended == "done" || (ended == "failed" && lost.size() == 2)) << results.dump(1);
    const auto pinned = world.try_git({"rev-parse", "-q", "--verify", "refs/hydra/base/" + race}).exit == 0;
    EXPECT_TRUE(pinned || ended == "failed");
    std::string refs = pinned ? "refs/hydra/base/" + race + "\n" : "";
    for (const char* name : {"a", "b"}) {
      const auto agent = agent_of(results, name);
      const auto work = slurp(world.state() / "races" / race / "work" / name / "src/app.txt");
      if (!lost.contains(name)) {
        EXPECT_EQ(agent["state"], "completed") << agent.dump(1);
        EXPECT_EQ(work, std::string("one\ntwo\nthree\n") + name + "\n");
      }
      // Whatever stands in the agent's directory was captured.
      const std::string branch = agent["branch"].is_string() ? agent["branch"].get<std::string>() : "";
      if ((work.empty() || work == "one\ntwo\nthree\n") && branch.empty()) continue;
      EXPECT_EQ(world.show(branch, "src/app.txt"), work) << agent.dump(1);
      refs += "refs/heads/" + branch + "\n";
    }
    std::istringstream words(refs + "refs/heads/main\n");
    std::multiset<std::string> expected, found;
    for (std::string line; std::getline(words, line);) expected.insert(line);
    std::istringstream listed(world.git({"for-each-ref", "--format=%(refname)"}));
    for (std::string line; std::getline(listed, line);) found.insert(line);
    EXPECT_EQ(found, expected);
    const auto ran = slurp(counter(world));
    for (const char* name : {"a", "b"}) {
      const auto times = std::count(ran.begin(), ran.end(), name[0]);
      EXPECT_TRUE(times == 1 || (times == 0 && lost.contains(name))) << name << " ran " << times << " times";
    }
    const auto after = world.fingerprint();
    EXPECT_TRUE(after == before) << after.differs_from(before);
    EXPECT_EQ(query(world.state() / "hydra.db", "PRAGMA integrity_check"), "ok\n");
    std::set<std::string> races;
    const auto list = world.list();
    for (const auto& row : list["races"]) races.insert(row["race"].get<std::string>());
    for (const auto& entry : fs::directory_iterator(world.state() / "races"))
      EXPECT_TRUE(races.contains(entry.path().filename().string())) << "no race knows " << entry.path();
    EXPECT_EQ(world.daemons().size(), 1u);
  }

  // False: the daemon ended the race before it came to that call.
  static bool daemon_with(const Fault& fault) {
    World world;
    make_project(world);
    const auto before = world.fingerprint();
    const auto daemon = start_traced_daemon(world, fault);
    const auto race = run_race(world);
    // A disk that refuses may end an agent's run early, with a reason; a kill never does.
    const bool killed = fault.effect == "signal=KILL";
    expect_sound(world, race, before, killed ? std::set<std::string>{} : std::set<std::string>{"a", "b"});
    for (const auto pid : world.daemons())
      if (parent_of(pid) == (daemon ? daemon->pid() : 0)) return false;
    return true;
  }

  // Calls that write, or that make something which has to be cleaned up.
  static void sweep_daemon(const std::string& call, const std::string& effect) {
    const int step = full_sweep() ? 1 : 7;
    const int last = full_sweep() ? 400 : 17;
    int tried = 0;
    for (int n = full_sweep() ? 1 : 3; n <= last; n += step) {
      const Fault fault{call, effect, std::to_string(n)};
      SCOPED_TRACE(fault.name());
      const bool hit = daemon_with(fault);
      if (!hit && effect.starts_with("signal")) break;
      ++tried;
      // An error leaves the daemon alive, so a sweep of them has a length of its own.
      if (!effect.starts_with("signal") && n >= 60) break;
    }
    std::printf("tried: %s %s, %d faults\n", call.c_str(), effect.c_str(), tried);
    std::fflush(stdout);
  }
};

class DaemonIsKilled : public Faults, public ::testing::WithParamInterface<const char*> {};
TEST_P(DaemonIsKilled, AtEachCall) { sweep_daemon(GetParam(), "signal=KILL"); }
INSTANTIATE_TEST_SUITE_P(Calls, DaemonIsKilled,
                         ::testing::Values("pwrite64", "write", "rename", "unlinkat", "mkdir", "clone3",
                                           "link", "unlink", "openat", "fdatasync", "ftruncate", "close",
                                           "wait4"),
                         [](const auto& call) { return std::string(call.param); });

using Failure = std::pair<const char*, const char*>;
class DiskFailsTheDaemon : public Faults, public ::testing::WithParamInterface<Failure> {};
TEST_P(DiskFailsTheDaemon, AtEachCall) {
  sweep_daemon(GetParam().first, std::string("error=") + GetParam().second);
}
INSTANTIATE_TEST_SUITE_P(
    Calls, DiskFailsTheDaemon,
    ::testing::Values(Failure{"pwrite64", "ENOSPC"}, Failure{"pwrite64", "EIO"}, Failure{"write", "ENOSPC"},
                      Failure{"write", "EIO"}, Failure{"mkdir", "ENOSPC"}, Failure{"rename", "ENOSPC"},
                      Failure{"fdatasync", "EIO"}, Failure{"fsync", "EIO"}, Failure{"clone3", "EAGAIN"}),
    [](const auto& call) { return std::string(call.param.first) + "_" + call.param.second; });

// The supervisor of agent a: what it had done is captured, the other agent and the race go on.
class SupervisorFaults : public Faults {
 protected:
  // False: it ended before it came to that call.
  static bool supervisor_with(const Fault& fault) {
    World world;
    make_project(world);
    const auto before = world.fingerprint();
    const auto binaries = world.root() / "bin";
    make_traced_shim(binaries, fault, "*/attempts/a/agent-1");
    Process daemon(
        {"/bin/sh", "-c", "exec \"$0\" --foreground --ready-fd 3 3>&1", (binaries / "hydrad").string()},
        world.root(), world.environment());
    EXPECT_TRUE(daemon.wait_text("1"));
    const auto race = run_race(world);
    expect_sound(world, race, before, {"a"});
    const auto outcome = agent_of(world.results(race), "a")["outcome"];
    if (outcome != "completed") ++not_completed;
    return outcome != "completed";
  }
  static void sweep_supervisor(const std::string& call, const std::string& effect) {
    int tried = 0, missed = 0;
    not_completed = 0;
    for (int n = 1; n <= (full_sweep() ? 60 : 7) && missed < 3; n += full_sweep() ? 1 : 2) {
      const Fault fault{call, effect, std::to_string(n)};
      SCOPED_TRACE(fault.name());
      missed = supervisor_with(fault) ? 0 : missed + 1;
      ++tried;
    }
    std::printf("tried: supervisor %s %s, %d faults, %d ended the agent's run\n", call.c_str(),
                effect.c_str(), tried, not_completed);
    std::fflush(stdout);
  }
  static int not_completed;
};
int SupervisorFaults::not_completed = 0;

class SupervisorIsKilled : public SupervisorFaults, public ::testing::WithParamInterface<const char*> {};
TEST_P(SupervisorIsKilled, AtEachCall) { sweep_supervisor(GetParam(), "signal=KILL"); }
INSTANTIATE_TEST_SUITE_P(Calls, SupervisorIsKilled,
                         ::testing::Values("write", "pwrite64", "link", "unlink", "rename", "openat", "fork",
                                           "clone", "fsync", "poll", "close", "wait4", "read", "pipe2"),
                         [](const auto& call) { return std::string(call.param); });

class DiskFailsTheSupervisor : public SupervisorFaults, public ::testing::WithParamInterface<Failure> {};
TEST_P(DiskFailsTheSupervisor, AtEachCall) {
  sweep_supervisor(GetParam().first, std::string("error=") + GetParam().second);
}
INSTANTIATE_TEST_SUITE_P(Calls, DiskFailsTheSupervisor,
                         ::testing::Values(Failure{"write", "ENOSPC"}, Failure{"pwrite64", "ENOSPC"},
                                           Failure{"pwrite64", "EIO"}, Failure{"link", "ENOSPC"},
                                           Failure{"rename", "ENOSPC"}, Failure{"openat", "ENOSPC"},
                                           Failure{"fsync", "EIO"}, Failure{"clone", "EAGAIN"}),
                         [](const auto& call) {
                           return std::string(call.param.first) + "_" + call.param.second;
                         });

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
