#include "cli/programs.hpp"

#include "base/strings.hpp"
#include "launch/launch.hpp"

#include <cerrno>
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
  launch::Program program{argv.front(), {argv.begin() + 1, argv.end()}, {}, how.directory};
  if (how.streams.empty()) program.defaults = launch::Defaults::of_terminal;
  if (how.own_group) program.group = launch::Group::own;
  if (how.quiet) program.descriptors.emplace_back(-1, STDOUT_FILENO);
  for (std::size_t i = 0; i < how.streams.size(); ++i)
    program.descriptors.emplace_back(how.streams[i], static_cast<int>(i));
  const auto pid = launch::start(program);
  if (pid) return *pid;
  auto failed = pid.error();
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
