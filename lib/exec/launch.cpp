#include "exec/launch.hpp"

#include "exec/started.hpp"

#include <cerrno>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

namespace hydra::exec {
namespace {

// posix_spawn and not Boost.Process: its launcher forks, which copies the daemon's page tables and makes
// every page that the daemon touches next a fault. Together that was a quarter of the daemon's own time in a
// race.
class Setup {
 public:
  Setup() {
    posix_spawn_file_actions_init(&actions_);
    for (int fd = 0; fd < 3; ++fd)
      posix_spawn_file_actions_addopen(&actions_, fd, "/dev/null", fd == 0 ? O_RDONLY : O_WRONLY, 0);
    posix_spawn_file_actions_addclosefrom_np(&actions_, 3);
    posix_spawn_file_actions_addchdir_np(&actions_, "/");
    posix_spawnattr_init(&attributes_);
    sigset_t all;
    sigfillset(&all);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    // A cancel may come before the shim can listen: blocked here, it waits there.
    sigset_t held;
    sigemptyset(&held);
    sigaddset(&held, SIGTERM);
    sigaddset(&held, SIGCHLD);
    posix_spawnattr_setsigmask(&attributes_, &held);
    posix_spawnattr_setflags(&attributes_,
                             POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  }
  ~Setup() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  Setup(const Setup&) = delete;
  Setup& operator=(const Setup&) = delete;

  [[nodiscard]] const posix_spawn_file_actions_t* actions() const { return &actions_; }
  [[nodiscard]] const posix_spawnattr_t* attributes() const { return &attributes_; }

 private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

}  // namespace

Result<pid_t> launch_shim(const fs::path& shim, const fs::path& dir, const Env& env) {
  std::vector<std::string> variables;
  variables.reserve(env.size());
  for (const auto& [key, value] : env) variables.push_back(key + "=" + value);
  std::vector<char*> envp;
  envp.reserve(variables.size() + 1);
  for (auto& v : variables) envp.push_back(v.data());
  envp.push_back(nullptr);
  std::vector<std::string> args{shim.string(), "--attempt", dir.string()};
  std::vector<char*> argv;
  for (auto& a : args) argv.push_back(a.data());
  argv.push_back(nullptr);
  const Setup setup;
  pid_t pid = -1;
  const int error =
      ::posix_spawn(&pid, shim.c_str(), setup.actions(), setup.attributes(), argv.data(), envp.data());
  if (error != 0) return system_error("can't start hydra-shim " + shim.string(), error);
  count_started(shim.string());
  return pid;
}

}  // namespace hydra::exec
