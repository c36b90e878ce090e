// Control groups: what the kernel does with them is tried with real ones where this machine gives them, what
// the supervisor makes of it with directories that hold the same files.
#include "exec/cgroup.hpp"

#include "base/strings.hpp"
#include "job_harness.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <thread>

namespace hydra::exec::test {
namespace {

/// A directory that looks like the parent of control groups of v2.
struct FakeGroups {
  explicit FakeGroups(int parents = 1) {
    for (int i = 0; i < parents; ++i) fs::create_directory(dir.path / std::to_string(i));
  }
  [[nodiscard]] LocalOptions options() const {
    LocalOptions options{shim_path(), find_program("bwrap", search_path())};
    for (const auto& entry : fs::directory_iterator(dir.path))
      options.cgroups.push_back({"v2", entry.path(), true, true});
    return options;
  }
  /// The group of `spec` in the parent `i`, with empty files.
  [[nodiscard]] fs::path group(const JobSpec& spec, int i = 0) const {
    auto path = dir.path / std::to_string(i) / group_name(spec.token);
    fs::create_directory(path);
    for (const char* file : {"cgroup.procs", "memory.max", "memory.events", "pids.max", "pids.events"})
      spill(path / file, "");
    return path;
  }
  TempDir dir;
};

bool lives(pid_t pid) {
  const auto stat = slurp("/proc/" + std::to_string(pid) + "/stat");
  const auto close = stat.rfind(')');
  return close != std::string::npos && stat.size() > close + 2 && stat[close + 2] != 'Z';
}

pid_t sleeper() {
  const pid_t pid = ::fork();
  if (pid == 0) {
    for (;;) ::pause();
  }
  return pid;
}

void end(pid_t pid) {
  ::kill(pid, SIGKILL);
  ::waitpid(pid, nullptr, 0);
}

// C14: the kernel kills the whole group, with bwrap and the second stage in it.
TEST(Cgroup, AnOomKillThatTakesTheSandboxTooIsOom) {
  HYDRA_NEEDS(machine::Ability::sandbox);
  const FakeGroups groups;
  Jobs jobs(groups.options());
  auto spec = jobs.shell(Isolation::bwrap, "echo ready; exec sleep 600");
  spec.limits.memory_bytes = 64U << 20;
  const auto group = groups.group(spec);
  ASSERT_TRUE(jobs.submit(spec).ok());
  jobs.until(spec.key, [&] { return slurp(spec.attempt_dir / "stdout.log") == "ready\n"; });
  spill(group / "memory.events", "low 0\nhigh 0\nmax 9\noom 1\noom_kill 1\noom_group_kill 1\n");
  Started shim;
  ASSERT_EQ(read_started(spec.attempt_dir, spec.token, shim), FileState::good);
  for (const int pid : marked("HYDRA_ATTEMPT=" + spec.token))
    if (pid != shim.pid) ::kill(pid, SIGKILL);
  const auto result = jobs.wait(spec.key);
  EXPECT_EQ(name(result.end), "oom") << result.message;
  EXPECT_NE(result.message.find("67108864 bytes of memory"), std::string::npos) << result.message;
}

TEST(Cgroup, ASandboxThatEndsWithoutAnOomKillIsStillLost) {
  HYDRA_NEEDS(machine::Ability::sandbox);
  const FakeGroups groups;
  Jobs jobs(groups.options());
  auto spec = jobs.shell(Isolation::bwrap, "echo ready; exec sleep 600");
  spec.limits.memory_bytes = 64U << 20;
  (void)groups.group(spec);
  ASSERT_TRUE(jobs.submit(spec).ok());
  jobs.until(spec.key, [&] { return slurp(spec.attempt_dir / "stdout.log") == "ready\n"; });
  Started shim;
  ASSERT_EQ(read_started(spec.attempt_dir, spec.token, shim), FileState::good);
  for (const int pid : marked("HYDRA_ATTEMPT=" + spec.token))
    if (pid != shim.pid) ::kill(pid, SIGKILL);
  EXPECT_EQ(name(jobs.wait(spec.key).end), "lost");
}

TEST(Cgroup, AGroupThatCantBeEnteredIsLeftOutAndTheLimitIsSampled) {
  const FakeGroups groups;
  Jobs jobs(groups.options());
  const auto broken = [&](const JobSpec& spec) {
    const auto group = groups.group(spec);
    fs::remove(group / "cgroup.procs");
    fs::create_directory(group / "cgroup.procs");  // refuses root too
  };
  auto spec = jobs.shell(Isolation::none, "exit 3");
  broken(spec);
  const auto result = jobs.run(spec);
  EXPECT_EQ(name(result.end), "exited") << result.message;
  EXPECT_EQ(result.code, 3);
  auto hungry = jobs.shell(
      Isolation::none, "awk 'BEGIN { s = \"x\"; for (i = 0; i < 27; ++i) s = s s; system(\"sleep 600\") }'");
  hungry.limits.memory_bytes = 64U << 20;
  broken(hungry);
  EXPECT_EQ(name(jobs.run(hungry).end), "oom");
}

TEST(Cgroup, ThreadsHaveRoom) {
  const FakeGroups groups;
  Jobs jobs(groups.options());
  auto spec = jobs.shell(Isolation::none, "exit 0");
  spec.limits.processes = 40;
  const auto group = groups.group(spec);
  EXPECT_EQ(name(jobs.run(spec).end), "exited");
  const auto limit = parse_int(slurp(group / "pids.max"));
  ASSERT_TRUE(limit);
  EXPECT_GE(*limit, 8 * 40);  // eight threads a process (exec/job.hpp)
}

TEST(Cgroup, AProcessInTwoGroupsHasLeakedOnce) {
  const FakeGroups groups(2);
  Jobs jobs(groups.options());
  const auto spec = jobs.shell(Isolation::none, "exit 0");
  const pid_t stray = sleeper();
  for (int i = 0; i < 2; ++i)
    spill(groups.group(spec, i) / "cgroup.procs", "x\n" + std::to_string(stray) + "\n");
  EXPECT_EQ(jobs.run(spec).leaked, 1);
  int status = 0;
  ASSERT_EQ(::waitpid(stray, &status, 0), stray);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

TEST(Cgroup, WithoutASandboxSurvivorsStayPossible) {
  const FakeGroups groups;
  Jobs jobs(groups.options());
  const auto spec = jobs.shell(Isolation::none, "exit 0");
  (void)groups.group(spec);
  // A payload of the same user may write itself into another group.
  EXPECT_TRUE(jobs.run(spec).survivors_possible);
}

TEST(Cgroup, OnlyControlGroupsAreEnded) {
  const TempDir dir;
  const auto group = dir.path / group_name("token");
  fs::create_directory(group);
  const pid_t bystander = sleeper();
  spill(group / "cgroup.procs", std::to_string(bystander) + "\n");
  EXPECT_EQ(end_groups({group}), 0);
  EXPECT_TRUE(lives(bystander));
  end(bystander);
}

TEST(Cgroup, OnlyGroupsOfTheTokenAreReadFromTheSpec) {
  const TempDir dir;
  spill(dir.path / "spec.json", R"({"cgroups": [
    {"kind": "v2", "dir": "/sys/fs/cgroup/a/hydra-t1"}, {"kind": "v2", "dir": "/sys/fs/cgroup/a/hydra-t2"},
    {"kind": "v2", "dir": "hydra-t1"}, {"kind": "v2", "dir": "/sys/fs/cgroup/a/../b/hydra-t1"},
    {"kind": "v2", "dir": "/sys/fs/cgroup"}, {"kind": "v2"}, 7, {"kind": "v2", "dir": {"hex": "00"}}]})");
  EXPECT_EQ(attempt_groups(dir.path, "t1"), std::vector<fs::path>{"/sys/fs/cgroup/a/hydra-t1"});
  spill(dir.path / "spec.json", R"({"cgroups": "x"})");
  EXPECT_TRUE(attempt_groups(dir.path, "t1").empty());
  spill(dir.path / "spec.json", "{");
  EXPECT_TRUE(attempt_groups(dir.path, "t1").empty());
}

class RealCgroup : public testing::Test {
 protected:
  void SetUp() override {
    HYDRA_NEEDS(machine::Ability::cgroups);
    ASSERT_FALSE(parents.empty());
  }
  [[nodiscard]] std::vector<std::string> groups(const std::string& prefix) const {
    std::vector<std::string> names;
    for (const auto& parent : parents)
      for (const auto& entry : fs::directory_iterator(parent.directory))
        if (const auto name = entry.path().filename().string(); name.starts_with(prefix))
          names.push_back(name);
    return names;
  }
  std::vector<CgroupParent> parents = find_cgroups();
};

TEST_F(RealCgroup, ProbesAtTheSameTimeFindTheSameAndLeaveNothing) {
  std::vector<std::size_t> found(8);
  {
    std::vector<std::jthread> threads;
    for (auto& count : found) threads.emplace_back([&count] { count = find_cgroups().size(); });
  }
  EXPECT_EQ(found, std::vector<std::size_t>(8, parents.size()));
  EXPECT_TRUE(groups("hydra-probe-" + std::to_string(::getpid()) + "-").empty());
}

TEST_F(RealCgroup, TheProbeOfADeadProcessIsRemoved) {
  const pid_t dead = sleeper();
  end(dead);
  const auto name = "hydra-probe-" + std::to_string(dead) + "-1";
  fs::create_directory(parents.front().directory / name);
  (void)find_cgroups();
  EXPECT_TRUE(groups(name).empty());
}

TEST_F(RealCgroup, ThePayloadIsInsideAndTheGroupIsGoneAfterwards) {
  Jobs jobs(options_for(Variant::with_groups(Isolation::none)));
  const auto spec = jobs.shell(Isolation::none, "cat /proc/self/cgroup");
  const auto result = jobs.run(spec);
  // In each of them: of v2 it is born, of v1 it moves itself.
  const auto inside = "/" + group_name(spec.token) + "\n";
  const auto said = jobs.out(spec, result);
  std::size_t found = 0;
  for (auto at = said.find(inside); at != std::string::npos; at = said.find(inside, at + 1)) ++found;
  EXPECT_EQ(found, parents.size()) << said;
  EXPECT_TRUE(groups(group_name(spec.token)).empty());
}

TEST_F(RealCgroup, GroupsOfADeadShimAreEndedByADaemonThatHasNone) {
  Jobs jobs(options_for(Variant::with_groups(Isolation::none)));
  // Without its cookie and in a session of its own, only the group knows it.
  const auto spec =
      jobs.shell(Isolation::none, "env -i setsid sleep 641 & echo $! > stray; touch up; exec sleep 642");
  ASSERT_TRUE(jobs.submit(spec).ok());
  jobs.until(spec.key, [&] { return fs::exists(jobs.work() / "up"); });
  const auto stray = parse_int(trim(slurp(jobs.work() / "stray")));
  ASSERT_TRUE(stray);
  jobs.executor.reset();
  Started shim;
  ASSERT_EQ(read_started(spec.attempt_dir, spec.token, shim), FileState::good);
  ASSERT_EQ(::kill(shim.pid, SIGKILL), 0);
  ASSERT_EQ(::waitpid(shim.pid, nullptr, 0), shim.pid);
  Jobs next;
  const auto result = next.run(spec);
  EXPECT_EQ(name(result.end), "lost");
  EXPECT_GE(result.leaked, 1);
  EXPECT_FALSE(lives(static_cast<pid_t>(*stray)));
  EXPECT_TRUE(groups(group_name(spec.token)).empty());
}

}  // namespace
}  // namespace hydra::exec::test
