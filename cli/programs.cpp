#include "cli/programs.hpp"

#include "base/fd.hpp"
#include "base/strings.hpp"
#include "launch/launch.hpp"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hydra::cli {
namespace {

constexpr std::size_t kMostKept = 64u << 20;

void take_some(UniqueFd& fd, std::string& text) {
  std::array<char, 65536> bytes;
  const auto n = ::read(fd.get(), bytes.data(), bytes.size());
  if (n < 0 && errno == EINTR) return;
  if (n <= 0)
    fd.reset();
  else if (text.size() < kMostKept)
    text.append(bytes.data(), static_cast<std::size_t>(n));
}

void give_some(UniqueFd& fd, std::string_view& input) {
  const auto n = input.empty() ? 0 : ::write(fd.get(), input.data(), input.size());
  if (n < 0 && (errno == EINTR || errno == EAGAIN)) return;
  if (n > 0) input.remove_prefix(static_cast<std::size_t>(n));
  if (n < 0 || input.empty()) fd.reset();
}

struct Spawn {
  std::filesystem::path directory;  ///< empty: this process's directory
  std::vector<int> streams;         ///< descriptors 0, 1, 2; empty: this process's, with its terminal
  bool quiet = false;               ///< whether standard output is discarded
  bool own_group = false;           ///< whether terminal signals must not reach the program
};

/// Starts a program and returns its pid; `environment` if it cannot be started.
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

Result<void> git(const std::filesystem::path& directory, const std::vector<std::string>& arguments) {
  std::vector<std::string> argv{"git", "-C", directory.string()};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  HYDRA_TRY(const int code, run_program(argv, true));
  if (code != 0)
    return Error{Errc::environment, "git failed with exit code " + std::to_string(code), join(argv, " "), {}};
  return {};
}

}  // namespace

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

Result<CapturedRun> run_captured(const std::vector<std::string>& argv, const std::filesystem::path& directory,
                                 const std::string& input) {
  ::signal(SIGPIPE, SIG_IGN);  // a program that exits before reading its input is no failure
  HYDRA_TRY(auto in, make_pipe());
  HYDRA_TRY(auto out, make_pipe());
  HYDRA_TRY(auto err, make_pipe());
  HYDRA_TRY(const auto pid,
            spawn_program(argv, {directory, {in.read.get(), out.write.get(), err.write.get()}}));
  in.read.reset();
  out.write.reset();
  err.write.reset();
  ::fcntl(in.write.get(), F_SETFL, O_NONBLOCK);
  CapturedRun run;
  std::string_view rest(input);
  while (in.write || out.read || err.read) {
    std::array<pollfd, 3> polled{pollfd{in.write.get(), POLLOUT, 0}, pollfd{out.read.get(), POLLIN, 0},
                                 pollfd{err.read.get(), POLLIN, 0}};
    if (::poll(polled.data(), polled.size(), -1) < 0 && errno != EINTR) break;
    if (polled[0].revents != 0 && in.write) give_some(in.write, rest);
    if (polled[1].revents != 0 && out.read) take_some(out.read, run.out);
    if (polled[2].revents != 0 && err.read) take_some(err.read, run.err);
  }
  HYDRA_TRY(run.exit, wait_program(pid));
  return run;
}

std::string own_program() {
  std::error_code ec;
  const auto path = std::filesystem::read_symlink("/proc/self/exe", ec);
  return ec ? "hydra" : path.string();
}

}  // namespace hydra::cli
