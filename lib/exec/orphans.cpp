#include "exec/orphans.hpp"

#include "base/entries.hpp"
#include "base/fd.hpp"
#include "base/files.hpp"
#include "base/strings.hpp"

#include <algorithm>
#include <poll.h>
#include <signal.h>
#include <string_view>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

namespace hydra::exec {
namespace {

constexpr std::string_view kVariable = "HYDRA_TOOL_OF=";

std::string& mark() {
  static std::string text;
  return text;
}

struct Tool {
  pid_t pid = 0;
  UniqueFd fd;
  bool own = false;  ///< works in Hydra's own directory
};

bool below(std::string_view path, const std::string& parent) {
  return path.starts_with(parent) && (path.size() == parent.size() || path[parent.size()] == '/');
}

// Returns whether the process works in `own`, by its working directory and git's variables.
bool works_in(pid_t pid, std::string_view environment, const std::string& own) {
  std::error_code ec;
  const auto cwd = fs::read_symlink("/proc/" + std::to_string(pid) + "/cwd", ec);
  if (!ec && below(cwd.string(), own)) return true;
  for (const auto entry : split(environment, '\0'))
    for (const std::string_view name : {"GIT_DIR=", "GIT_WORK_TREE="})
      if (entry.starts_with(name) && below(entry.substr(name.size()), own)) return true;
  return false;
}

std::vector<Tool> find_tools(const std::string& owner, const std::string& own) {
  std::vector<Tool> found;
  std::error_code ec;
  const std::string wanted = std::string(kVariable) + owner;
  for (const auto& entry : entries_of("/proc", ec)) {
    const auto number = parse_int(entry.path().filename().string());
    if (!number || *number == ::getpid()) continue;
    const auto pid = static_cast<pid_t>(*number);
    // The pidfd is opened first: later reads concern this process, or fail.
    UniqueFd fd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
    if (!fd) continue;
    const auto environment = read_file(entry.path() / "environ", 4u << 20);
    if (!environment.ok()) continue;
    const auto parts = split(*environment, '\0');
    if (std::find(parts.begin(), parts.end(), wanted) == parts.end()) continue;
    const auto name = read_file(entry.path() / "comm", 64).value_or("");
    if (name.starts_with("hydra")) continue;  // started by a user's hook: not a tool
    found.push_back({pid, std::move(fd), works_in(pid, *environment, own)});
  }
  return found;
}

}  // namespace

void mark_tools(const std::string& owner) { mark() = owner; }

const std::string& tool_mark() { return mark(); }

Orphans end_orphan_tools(const std::string& owner, const std::filesystem::path& own,
                         std::chrono::milliseconds patience) {
  Orphans sum;
  if (owner.empty()) return sum;
  const auto until = std::chrono::steady_clock::now() + patience;
  // Repeated, since a tool may start another one before it is found.
  for (;;) {
    auto tools = find_tools(owner, own.string());
    if (tools.empty()) return sum;
    std::vector<pollfd> fds;
    for (const auto& tool : tools) {
      if (tool.own) ::syscall(SYS_pidfd_send_signal, tool.fd.get(), SIGKILL, nullptr, 0);
      fds.push_back({tool.fd.get(), POLLIN, 0});
    }
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now()).count();
    if (left <= 0 || ::poll(fds.data(), fds.size(), static_cast<int>(left)) <= 0) {
      sum.left = static_cast<int>(tools.size());
      return sum;
    }
    for (std::size_t i = 0; i < tools.size(); ++i)
      if (fds[i].revents != 0) ++(tools[i].own ? sum.killed : sum.ended);
  }
}

}  // namespace hydra::exec
