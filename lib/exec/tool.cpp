#include "exec/tool.hpp"

#include "base/fd.hpp"
#include "base/files.hpp"
#include "base/strings.hpp"
#include "exec/orphans.hpp"
#include "exec/started.hpp"
#include "launch/launch.hpp"

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hydra::exec {
namespace {

using SteadyClock = std::chrono::steady_clock;
using std::chrono::milliseconds;

/// Maximum wait for a background process of the tool that holds a pipe open.
constexpr milliseconds kDrain{500};

/// Input is a file in memory: no feeding while output is drained, and no SIGPIPE.
Result<UniqueFd> open_input(const std::string& bytes) {
  if (bytes.empty()) {
    UniqueFd null(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    if (!null) return system_error("open /dev/null", errno);
    return null;
  }
  UniqueFd file(::memfd_create("input", MFD_CLOEXEC));
  if (!file) return system_error("memfd_create", errno);
  HYDRA_CHECK(write_all(file.get(), bytes, "input"));
  ::lseek(file.get(), 0, SEEK_SET);
  return file;
}

std::string_view path_of(const ToolCall& call) {
  for (const auto& [key, value] : call.env)
    if (key == "PATH") return value;
  return "/usr/local/bin:/usr/bin:/bin";
}

Error not_found(const ToolCall& call) {
  return {Errc::not_found, "program not found: " + call.argv.front(), call.argv.front(), ""};
}

Error start_error(const ToolCall& call, const std::string& program, Error why) {
  std::error_code ignored;
  if (!call.cwd.empty() && !std::filesystem::is_directory(call.cwd, ignored))
    return {Errc::not_found, "working directory not found: " + call.cwd.string(), call.argv.front(), ""};
  return std::filesystem::exists(program, ignored) ? why : not_found(call);
}

Result<pid_t> spawn(const ToolCall& call, int in, int out, int err) {
  std::string program = call.argv.front();
  if (program.find('/') == std::string::npos) program = find_program(program, path_of(call)).string();
  if (program.empty()) return not_found(call);

  std::vector<std::string> variables;
  variables.reserve(call.env.size() + 1);
  for (const auto& [key, value] : call.env) variables.push_back(key + "=" + value);
  if (call.marked && !tool_mark().empty()) variables.push_back("HYDRA_TOOL_OF=" + tool_mark());
  launch::Program tool{program, {call.argv.begin() + 1, call.argv.end()}, std::move(variables), call.cwd};
  tool.descriptors = {{in, 0}, {out, 1}, {err, 2}};
  if (call.inherit_fd >= 0) tool.descriptors.emplace_back(call.inherit_fd, 3);
  tool.only_these = true;
  tool.group = launch::Group::own;
  const auto pid = launch::start(tool);
  if (!pid) return start_error(call, program, pid.error());
  count_started(program);
  return *pid;
}

/// Absolute directories of a PATH. A relative one would be resolved in the current tree, possibly an agent's.
std::vector<std::string_view> directories_of(std::string_view path_variable) {
  auto all = split(path_variable, ':');
  std::erase_if(all, [](std::string_view dir) { return !dir.starts_with('/'); });
  return all;
}

/// Describes an entry that can't be run; empty: nothing exists at the path.
std::string obstacle(const std::filesystem::path& path) {
  std::error_code ec;
  const auto link = std::filesystem::symlink_status(path, ec);
  if (ec || link.type() == std::filesystem::file_type::not_found) return {};
  const auto status = std::filesystem::status(path, ec);
  const auto name = "'" + path.string() + "'";
  if (status.type() == std::filesystem::file_type::not_found) return name + " is a broken link";
  if (std::filesystem::is_directory(status)) return name + " is a directory, not a program";
  if (!std::filesystem::is_regular_file(status)) return name + " is not a program";
  return name + " is not executable: chmod +x makes it so";
}

/// The running tool: drains both pipes until the leader has ended, and reaps it exactly once.
class Running {
 public:
  Running(pid_t pid, UniqueFd out, UniqueFd err, const ToolCall& call)
      : pid_(pid), pidfd_(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))), call_(call) {
    pipes_[0] = std::move(out);
    pipes_[1] = std::move(err);
    for (auto& p : pipes_) ::fcntl(p.get(), F_SETFL, O_NONBLOCK);
  }

  Result<ToolOutput> finish() {
    const auto started = SteadyClock::now();
    auto until = started + call_.deadline;
    std::optional<Error> failure;
    if (!pidfd_) failure = system_error("pidfd_open", errno);
    const std::stop_callback wake(call_.stop, [fd = stop_.get()] {
      const std::uint64_t one = 1;
      (void)!::write(fd, &one, sizeof one);
    });
    while (!failure && !(exited_ && !pipes_[0] && !pipes_[1])) {
      const auto left = std::chrono::ceil<milliseconds>(until - SteadyClock::now());
      if (left.count() <= 0) {
        if (!exited_) failure = late();
        break;
      }
      if (call_.stop.stop_requested() && !exited_) {
        failure = Error{Errc::timeout, call_.argv.front() + " was stopped", call_.argv.front(), ""};
        break;
      }
      const bool was_exited = exited_;
      failure = step(static_cast<int>(std::min<std::int64_t>(left.count(), 1 << 30)));
      if (exited_ && !was_exited) until = std::min(until, SteadyClock::now() + kDrain);
    }
    // The zombie still reserves the group id, so the signal can't hit another group.
    ::kill(-pid_, SIGKILL);
    if (!exited_) ::kill(pid_, SIGKILL);
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    if (failure) return *failure;
    output_.exit_code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    return std::move(output_);
  }

 private:
  Error late() const {
    return {Errc::timeout,
            call_.argv.front() + " did not end within " + std::to_string(call_.deadline.count()) + " ms",
            call_.argv.front(), ""};
  }

  std::optional<Error> step(int timeout_ms) {
    std::array<pollfd, 4> fds{{{exited_ ? -1 : pidfd_.get(), POLLIN, 0},
                               {pipes_[0].get(), POLLIN, 0},
                               {pipes_[1].get(), POLLIN, 0},
                               {exited_ ? -1 : stop_.get(), POLLIN, 0}}};
    if (::poll(fds.data(), fds.size(), timeout_ms) < 0)
      return errno == EINTR ? std::nullopt : std::optional(system_error("poll", errno));
    if (fds[1].revents != 0 && !drain(pipes_[0], output_.out)) return too_much();
    if (fds[2].revents != 0 && !drain(pipes_[1], output_.err)) return too_much();
    if (fds[0].revents != 0) exited_ = true;
    return std::nullopt;
  }

  Error too_much() const {
    return {Errc::io, call_.argv.front() + " wrote more than " + std::to_string(call_.max_output) + " bytes",
            call_.argv.front(), ""};
  }

  /// False: the output limit is exceeded.
  bool drain(UniqueFd& from, std::string& to) {
    std::array<char, 65536> buffer;
    for (;;) {
      const ssize_t n = ::read(from.get(), buffer.data(), buffer.size());
      if (n > 0) {
        to.append(buffer.data(), static_cast<std::size_t>(n));
        if (to.size() > call_.max_output) return false;
        if (static_cast<std::size_t>(n) < buffer.size())
          return true;  // poll again: cheaper than a read for EAGAIN
        continue;
      }
      if (n < 0 && errno == EINTR) continue;
      if (n < 0 && errno == EAGAIN) return true;
      from.reset();
      return true;
    }
  }

  pid_t pid_;
  UniqueFd pidfd_;
  const ToolCall& call_;
  UniqueFd stop_{call_.stop.stop_possible() ? ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK) : -1};
  std::array<UniqueFd, 2> pipes_;
  ToolOutput output_;
  bool exited_ = false;
};

}  // namespace

Result<ToolOutput> run_tool(const ToolCall& call) {
  if (call.argv.empty() || call.argv.front().empty())
    return Error{Errc::internal, "no program to run", "run_tool", ""};
  if (call.stop.stop_requested())
    return Error{Errc::timeout, call.argv.front() + " was stopped", call.argv.front(), ""};
  HYDRA_TRY(auto in, open_input(call.input));
  HYDRA_TRY(auto out, make_pipe());
  HYDRA_TRY(auto err, make_pipe());
  HYDRA_TRY(const pid_t pid, spawn(call, in.get(), out.write.get(), err.write.get()));
  out.write.reset();
  err.write.reset();
  return Running(pid, std::move(out.read), std::move(err.read), call).finish();
}

std::filesystem::path find_program(std::string_view name, std::string_view path_variable) {
  const auto runnable = [](const std::filesystem::path& p) {
    std::error_code ignored;
    return ::access(p.c_str(), X_OK) == 0 && std::filesystem::is_regular_file(p, ignored);
  };
  if (name.empty()) return {};
  if (name.find('/') != std::string_view::npos) {
    const std::filesystem::path path(name);
    return runnable(path) ? std::filesystem::absolute(path) : std::filesystem::path{};
  }
  for (const auto dir : directories_of(path_variable))
    if (auto candidate = std::filesystem::path(dir) / name; runnable(candidate)) return candidate;
  return {};
}

std::string why_no_program(std::string_view name, std::string_view path_variable) {
  if (name.find('/') != std::string_view::npos) {
    auto found = obstacle(name);
    return found.empty() ? "'" + std::string(name) + "' does not exist" : found;
  }
  for (const auto dir : directories_of(path_variable))
    if (auto found = obstacle(std::filesystem::path(dir) / name); !found.empty()) return found;
  return "'" + std::string(name) + "' is not in PATH";
}

}  // namespace hydra::exec
