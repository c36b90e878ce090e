// A daemon and a shim of different versions: what the one before wrote is understood (spec.json of version 1
// had no field "version"), what a later one writes is refused.
#include "job_harness.hpp"

#include <sys/wait.h>

namespace hydra::exec::test {
namespace {

/// spec.json as the daemon of version 1 wrote it for `spec`, without a sandbox.
std::string spec_of_version_1(const JobSpec& spec, const std::string& extra = "") {
  return R"({"argv": ["sh", "-c", ")" + spec.argv.back() + R"("], "durable": false, "idle_ms": 0,
 "isolation": "none", "key": ")" +
         spec.key + R"(", "ladder": [[15, 10000]], "log_head": 1048576, "log_tail": 4194304,
 "memory_bytes": 0, "merge_output": false, "nice": 0, "processes": 0, "program": "sh",)" +
         extra + R"( "token": ")" + spec.token + R"(", "wall_ms": 0, "workdir": ")" + spec.workdir.string() +
         "\"}\n";
}

pid_t start_shim(const JobSpec& spec) {
  const auto shim = shim_path().string();
  const auto cookie = "HYDRA_ATTEMPT=" + spec.token;
  const auto path = "PATH=" + search_path();
  const pid_t pid = ::fork();
  if (pid == 0) {
    const char* env[] = {cookie.c_str(), path.c_str(), nullptr};
    ::execle(shim.c_str(), shim.c_str(), "--attempt", spec.attempt_dir.c_str(), nullptr, env);
    ::_exit(99);
  }
  return pid;
}

int exit_code(pid_t pid) {
  int status = 0;
  ::waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(Upgrade, AJobThatTheDaemonBeforeStartedIsAdopted) {
  Jobs jobs;
  const auto spec =
      jobs.shell(Isolation::none, "echo run >> runs; while [ ! -e go ]; do sleep 0.01; done; exit 7");
  fs::create_directories(spec.attempt_dir);
  spill(spec.attempt_dir / "spec.json", spec_of_version_1(spec));
  const pid_t shim = start_shim(spec);
  ASSERT_TRUE(machine::wait_until("the job's first line", [&] {
    return fs::exists(jobs.work() / "runs") || ::waitpid(shim, nullptr, WNOHANG) != 0;
  }));
  ASSERT_TRUE(jobs.submit(spec).ok());
  EXPECT_EQ(jobs.executor->running().size(), 1U);
  spill(jobs.work() / "go", "");
  const auto result = jobs.wait(spec.key);
  EXPECT_EQ(name(result.end), "exited");
  EXPECT_EQ(result.code, 7);
  EXPECT_EQ(slurp(jobs.work() / "runs"), "run\n");
  (void)exit_code(shim);
}

TEST(Upgrade, AResultOfTheShimBeforeIsRead) {
  Jobs jobs;
  const auto spec = jobs.shell(Isolation::none, "exit 0");
  fs::create_directories(spec.attempt_dir);
  spill(spec.attempt_dir / "started.json", R"({"boot_id": "x", "key": ")" + spec.key +
                                               R"(", "pid": 1, "start_time": 1, "token": ")" + spec.token +
                                               "\"}\n");
  spill(spec.attempt_dir / "result.json",
        R"({"code": 4, "cpu_system_ms": 1, "cpu_user_ms": 2, "end": "exited",
 "err": {"hole_from": 0, "hole_to": 0, "total": 0}, "isolation": "none", "key": ")" +
            spec.key + R"(", "leaked": 0, "max_rss_kib": 3000, "message": "",
 "out": {"hole_from": 0, "hole_to": 0, "total": 5}, "signal": 0, "survivors_possible": true, "token": ")" +
            spec.token + R"(", "wall_ms": 12, "of_a_later_version": {}})");
  const auto result = jobs.run(spec);
  EXPECT_EQ(name(result.end), "exited");
  EXPECT_EQ(result.code, 4);
  EXPECT_EQ(result.out.total, 5U);
}

TEST(Upgrade, ASpecOfALaterVersionIsRefusedAndRunsNothing) {
  Jobs jobs;
  const auto spec = jobs.shell(Isolation::none, "echo run >> runs");
  fs::create_directories(spec.attempt_dir);
  spill(spec.attempt_dir / "spec.json",
        spec_of_version_1(spec, "\"version\": " + std::to_string(kSpecVersion + 1) + ","));
  EXPECT_EQ(exit_code(start_shim(spec)), 65);
  EXPECT_FALSE(fs::exists(jobs.work() / "runs"));
  EXPECT_FALSE(fs::exists(spec.attempt_dir / "started.json"));
}

TEST(Upgrade, TheSpecSaysItsVersion) {
  Jobs jobs;
  const auto spec = jobs.shell(Isolation::none, "exit 0");
  ASSERT_EQ(name(jobs.run(spec).end), "exited");
  EXPECT_NE(slurp(spec.attempt_dir / "spec.json").find("\"version\": " + std::to_string(kSpecVersion)),
            std::string::npos);
}

}  // namespace
}  // namespace hydra::exec::test
