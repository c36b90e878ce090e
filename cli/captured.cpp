#include "cli/captured.hpp"

#include "base/fd.hpp"
#include "cli/programs.hpp"

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

struct Pipe {
  UniqueFd read, write;
};

Result<Pipe> make_pipe() {
  int fds[2];
  if (::pipe2(fds, O_CLOEXEC) != 0) return system_error("cannot make a pipe", errno);
  return Pipe{UniqueFd(fds[0]), UniqueFd(fds[1])};
}

bool take_some(UniqueFd& fd, std::string& text) {
  std::array<char, 65536> bytes;
  const auto n = ::read(fd.get(), bytes.data(), bytes.size());
  if (n < 0 && errno == EINTR) return true;
  if (n <= 0) {
    fd.reset();
    return false;
  }
  if (text.size() < kMostKept) text.append(bytes.data(), static_cast<std::size_t>(n));
  return true;
}

void give_some(UniqueFd& fd, std::string_view& input) {
  const auto n = input.empty() ? 0 : ::write(fd.get(), input.data(), input.size());
  if (n < 0 && (errno == EINTR || errno == EAGAIN)) return;
  if (n > 0) input.remove_prefix(static_cast<std::size_t>(n));
  if (n < 0 || input.empty()) fd.reset();
}

}  // namespace

Result<CapturedRun> run_captured(const std::vector<std::string>& argv, const std::filesystem::path& directory,
                                 const std::string& input) {
  ::signal(SIGPIPE, SIG_IGN);  // who ends before it has read all is no failure of ours
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
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0)
    if (errno != EINTR) return system_error("waitpid", errno);
  run.exit = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return run;
}

std::string own_program() {
  std::error_code ec;
  const auto path = std::filesystem::read_symlink("/proc/self/exe", ec);
  return ec ? "hydra" : path.string();
}

}  // namespace hydra::cli
