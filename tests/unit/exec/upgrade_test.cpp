// A daemon and a supervisor of different versions: a spec.json of any other version is refused.
#include "job_harness.hpp"

#include <sys/wait.h>

namespace hydra::exec::test {
namespace {

/// A spec.json without a sandbox; `extra` are more members.
std::string spec_with(const JobSpec& spec, const std::string& extra) {
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

TEST(Upgrade, ASpecOfAnotherVersionIsRefusedAndRunsNothing) {
  Jobs jobs;
  for (const std::string version : {"", "\"version\": 2,"}) {
    const auto spec = jobs.shell(Isolation::none, "echo run >> runs");
    fs::create_directories(spec.attempt_dir);
    spill(spec.attempt_dir / "spec.json", spec_with(spec, version));
    EXPECT_EQ(exit_code(start_shim(spec)), 65) << version;
    EXPECT_FALSE(fs::exists(jobs.work() / "runs"));
    EXPECT_FALSE(fs::exists(spec.attempt_dir / "started.json"));
  }
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
