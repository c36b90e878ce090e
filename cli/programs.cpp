#include "cli/programs.hpp"

#include "base/strings.hpp"

#include <cerrno>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hydra::cli {
namespace {

Result<void> git(const std::filesystem::path& directory, const std::vector<std::string>& arguments) {
  std::vector<std::string> argv{"git", "-C", directory.string()};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  HYDRA_TRY(const int code, run_program(argv, true));
  if (code != 0)
    return Error{Errc::environment, "git failed with exit code " + std::to_string(code), join(argv, " "), {}};
  return {};
}

}  // namespace

Result<int> spawn_program(const std::vector<std::string>& argv, const Spawn& how) {
  std::vector<std::string> copy = argv;
  std::vector<char*> pointers;
  for (auto& arg : copy) pointers.push_back(arg.data());
  pointers.push_back(nullptr);
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  sigset_t defaults, blocked;
  ::sigfillset(&defaults);
  if (how.streams.empty()) {  // with our terminal: what a nohup above us ignores stays ignored
    ::sigemptyset(&defaults);
    ::sigaddset(&defaults, SIGINT);
    ::sigaddset(&defaults, SIGPIPE);
  }
  ::posix_spawnattr_setsigdefault(&attributes, &defaults);
  ::sigemptyset(&blocked);
  ::posix_spawnattr_setsigmask(&attributes, &blocked);
  ::posix_spawnattr_setflags(&attributes, static_cast<short>(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK |
                                                             (how.own_group ? POSIX_SPAWN_SETPGROUP : 0)));
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  if (how.quiet) ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  for (std::size_t i = 0; i < how.streams.size(); ++i)
    ::posix_spawn_file_actions_adddup2(&actions, how.streams[i], static_cast<int>(i));
  if (!how.directory.empty()) ::posix_spawn_file_actions_addchdir_np(&actions, how.directory.c_str());
  pid_t pid = 0;
  const int error = ::posix_spawnp(&pid, pointers[0], &actions, &attributes, pointers.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::posix_spawnattr_destroy(&attributes);
  if (error == 0) return pid;
  auto failed = system_error("cannot run " + argv[0], error);
  failed.code = Errc::environment;
  return failed;
}

Result<int> run_program(const std::vector<std::string>& argv, bool quiet) {
  HYDRA_TRY(const auto pid, spawn_program(argv, {{}, {}, quiet}));
  return wait_program(pid);
}

Result<int> start_program(const std::vector<std::string>& argv) {
  return spawn_program(argv, {{}, {}, false, true});
}

Result<int> wait_program(int pid) {
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0)
    if (errno != EINTR) return system_error("waitpid", errno);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

Result<void> make_repository(const std::filesystem::path& directory, const std::string& message) {
  HYDRA_CHECK(git(directory, {"init", "-q", "--template=", "--initial-branch=main"}));
  for (const auto& [name, value] :
       std::vector<std::pair<std::string, std::string>>{{"user.name", "Hydra"},
                                                        {"user.email", "hydra@example.invalid"},
                                                        {"commit.gpgsign", "false"},
                                                        {"core.hooksPath", ".git/hooks"},
                                                        {"core.autocrlf", "false"}})
    HYDRA_CHECK(git(directory, {"config", name, value}));
  HYDRA_CHECK(git(directory, {"add", "-A"}));
  return git(directory, {"commit", "-q", "-m", message});
}

}  // namespace hydra::cli
