#include "support/process.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <spawn.h>
#include <stdexcept>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hydra::e2e {
namespace {

using Steady = std::chrono::steady_clock;

int left_ms(Steady::time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Steady::now()).count();
  return static_cast<int>(std::max<long long>(left, 0));
}

std::array<int, 2> make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("pipe2 failed");
  return ends;
}

void close_fd(int& fd) {
  if (fd >= 0) ::close(fd);
  fd = -1;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (auto& text : texts) out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

}  // namespace

Process::Process(const std::vector<std::string>& argv, const fs::path& directory,
                 const Environment& environment, std::string input)
    : input_(std::move(input)) {
  const auto in = make_pipe();
  const auto out = make_pipe();
  const auto err = make_pipe();
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, in[0], 0);
  ::posix_spawn_file_actions_adddup2(&actions, out[1], 1);
  ::posix_spawn_file_actions_adddup2(&actions, err[1], 2);
  ::posix_spawn_file_actions_addclosefrom_np(&actions, 3);
  ::posix_spawn_file_actions_addchdir_np(&actions, directory.c_str());
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  sigset_t none, all;
  ::sigemptyset(&none);
  ::sigfillset(&all);
  ::posix_spawnattr_setsigmask(&attributes, &none);
  ::posix_spawnattr_setsigdefault(&attributes, &all);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  auto words = argv;
  std::vector<std::string> entries;
  for (const auto& [name, value] : environment) entries.push_back(name + "=" + value);
  auto argv_pointers = pointers(words);
  auto env_pointers = pointers(entries);
  const int error = ::posix_spawn(&pid_, words.front().c_str(), &actions, &attributes, argv_pointers.data(),
                                  env_pointers.data());
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(in[0]);
  ::close(out[1]);
  ::close(err[1]);
  in_fd_ = in[1];
  out_fd_ = out[0];
  err_fd_ = err[0];
  for (const int fd : {in_fd_, out_fd_, err_fd_}) ::fcntl(fd, F_SETFL, O_NONBLOCK);
  if (input_.empty()) close_fd(in_fd_);
  if (error != 0) throw std::runtime_error("cannot start " + words.front());
}

Process::Process(OnTerminal terminal, const std::vector<std::string>& argv, const fs::path& directory,
                 const Environment& environment) {
  const winsize size{terminal.rows, terminal.columns, 0, 0};
  auto words = argv;
  std::vector<std::string> entries;
  for (const auto& [name, value] : environment) entries.push_back(name + "=" + value);
  auto argv_pointers = pointers(words);
  auto env_pointers = pointers(entries);
  pid_ = ::forkpty(&out_fd_, nullptr, nullptr, &size);
  if (pid_ < 0) throw std::runtime_error("forkpty failed");
  if (pid_ == 0) {
    if (::chdir(directory.c_str()) == 0)
      ::execve(argv_pointers[0], argv_pointers.data(), env_pointers.data());
    ::_exit(127);
  }
  ::fcntl(out_fd_, F_SETFL, O_NONBLOCK);
  ::fcntl(out_fd_, F_SETFD, FD_CLOEXEC);
}

bool Process::wait_text(const std::string& text, std::chrono::milliseconds deadline) {
  const auto until = Steady::now() + deadline;
  for (;;) {
    if (const auto at = out_.find(text, seen_); at != std::string::npos) {
      seen_ = at + text.size();
      return true;
    }
    if (!pump(until)) return false;
  }
}

bool Process::wait_for(const std::function<bool()>& holds, std::chrono::milliseconds deadline) {
  const auto until = Steady::now() + deadline;
  while (!holds())
    if (!pump(until)) return holds();
  return true;
}

void Process::resize(unsigned short rows, unsigned short columns) const {
  const winsize size{rows, columns, 0, 0};
  ::ioctl(out_fd_, TIOCSWINSZ, &size);
}

void Process::type(const std::string& keys) const { (void)!::write(out_fd_, keys.data(), keys.size()); }

Process::~Process() {
  if (!exit_ && pid_ > 0) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  close_fd(in_fd_);
  close_fd(out_fd_);
  close_fd(err_fd_);
}

void Process::feed() {
  const auto n = ::write(in_fd_, input_.data(), input_.size());
  if (n > 0) input_.erase(0, static_cast<std::size_t>(n));
  if (input_.empty() || (n < 0 && errno != EAGAIN && errno != EINTR)) close_fd(in_fd_);
}

bool Process::read_some(int& fd, std::string& text) {
  std::array<char, 65536> buffer;
  const auto n = ::read(fd, buffer.data(), buffer.size());
  if (n > 0)
    text.append(buffer.data(), static_cast<std::size_t>(n));
  else if (n == 0 || (errno != EAGAIN && errno != EINTR))
    close_fd(fd);
  return n > 0;
}

// A turn of reading and writing. False: nothing is left to read, or the deadline passed.
bool Process::pump(Steady::time_point deadline) {
  if (out_fd_ < 0 && err_fd_ < 0) return false;
  std::array<pollfd, 3> fds{{{out_fd_, POLLIN, 0}, {err_fd_, POLLIN, 0}, {in_fd_, POLLOUT, 0}}};
  const int n = ::poll(fds.data(), fds.size(), left_ms(deadline));
  if (n == 0) return false;
  if (n < 0) return errno == EINTR;
  if (fds[0].revents != 0) read_some(out_fd_, out_);
  if (fds[1].revents != 0) read_some(err_fd_, err_);
  if (fds[2].revents != 0) feed();
  return true;
}

bool Process::wait_line(const std::string& text, std::chrono::milliseconds deadline) {
  const auto until = Steady::now() + deadline;
  for (;;) {
    for (auto end = out_.find('\n', seen_); end != std::string::npos; end = out_.find('\n', seen_)) {
      const auto line = out_.substr(seen_, end - seen_);
      seen_ = end + 1;
      if (line.find(text) != std::string::npos) return true;
    }
    if (!pump(until)) return false;
  }
}

Run Process::wait(std::chrono::milliseconds deadline) {
  const auto until = Steady::now() + deadline;
  while (pump(until)) {
  }
  if (!exit_) {
    const int fd = static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0));
    pollfd p{fd, POLLIN, 0};
    while (::poll(&p, 1, left_ms(until)) < 0 && errno == EINTR) {
    }
    ::close(fd);
    int status = 0;
    if (::waitpid(pid_, &status, WNOHANG) == pid_)
      exit_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  return {exit_.value_or(-1), out_, err_};
}

void Process::signal(int number) const {
  if (!exit_) ::kill(pid_, number);
}

bool wait_gone(pid_t pid, std::chrono::milliseconds deadline) {
  const int fd = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
  if (fd < 0) return errno == ESRCH;
  const auto until = Steady::now() + deadline;
  pollfd p{fd, POLLIN, 0};
  int n = 0;
  while ((n = ::poll(&p, 1, left_ms(until))) < 0 && errno == EINTR) {
  }
  ::close(fd);
  return n > 0;
}

// Not by a stream: a process that ends while its /proc file is read would throw.
std::string slurp(const fs::path& path) {
  std::string text;
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return text;
  std::array<char, 65536> buffer;
  for (ssize_t n = 0; (n = ::read(fd, buffer.data(), buffer.size())) > 0;)
    text.append(buffer.data(), static_cast<std::size_t>(n));
  ::close(fd);
  return text;
}

std::string process_name(pid_t pid) {
  auto name = slurp("/proc/" + std::to_string(pid) + "/comm");
  while (!name.empty() && name.back() == '\n') name.pop_back();
  return name;
}

pid_t parent_of(pid_t pid) {
  const auto stat = slurp("/proc/" + std::to_string(pid) + "/stat");
  const auto name_end = stat.rfind(')');
  return name_end == std::string::npos ? 0 : std::atoi(stat.c_str() + name_end + 4);  // ") S PPID"
}

std::string describe_process(pid_t pid) {
  auto line = slurp("/proc/" + std::to_string(pid) + "/cmdline");
  std::replace(line.begin(), line.end(), '\0', ' ');
  return std::to_string(pid) + " [" + process_name(pid) + "] " + line.substr(0, 200);
}

std::vector<pid_t> processes_with(const std::string& mark) {
  std::vector<pid_t> found;
  std::error_code ec;
  for (fs::directory_iterator at("/proc", ec), end; !ec && at != end; at.increment(ec)) {
    const auto name = at->path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    const pid_t pid = std::stoi(name);
    if (pid == ::getpid()) continue;
    const auto stat = slurp(at->path() / "stat");
    const auto state = stat.rfind(')');
    if (state == std::string::npos || stat.size() < state + 3 || stat[state + 2] == 'Z') continue;
    std::error_code link;
    const bool ours = slurp(at->path() / "environ").find(mark) != std::string::npos ||
                      slurp(at->path() / "cmdline").find(mark) != std::string::npos ||
                      fs::read_symlink(at->path() / "cwd", link).string().find(mark) != std::string::npos;
    if (ours) found.push_back(pid);
  }
  return found;
}

}  // namespace hydra::e2e
