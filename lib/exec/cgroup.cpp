#include "exec/cgroup.hpp"

#include "base/fd.hpp"
#include "base/files.hpp"
#include "base/fork_into.hpp"
#include "base/strings.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <fcntl.h>
#include <linux/magic.h>
#include <poll.h>
#include <set>
#include <signal.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hydra::exec {
namespace {

constexpr const char* kDaemonGroup = "hydrad";

std::string small(const fs::path& path) { return read_file(path, 1u << 20).value_or(""); }

// Opens without O_CREAT: the kernel provides these files or the group lacks them.
bool put(const fs::path& path, const std::string& text) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (fd < 0) return false;
  const bool done = ::write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  ::close(fd);
  return done;
}

struct Mount {
  fs::path root, point;
  std::string type, options;
};

std::vector<Mount> cgroup_mounts() {
  std::vector<Mount> found;
  const auto text = small("/proc/self/mountinfo");
  for (const auto line : lines(text)) {
    const auto fields = split(line, ' ');
    const auto dash = std::find(fields.begin(), fields.end(), "-");
    if (fields.size() < 6 || fields.end() - dash < 4 || !(dash + 1)->starts_with("cgroup")) continue;
    found.push_back({fs::path(std::string(fields[3])), fs::path(std::string(fields[4])),
                     std::string(*(dash + 1)), std::string(*(dash + 3))});
  }
  return found;
}

bool has_word(std::string_view list, std::string_view word, char separator) {
  const auto parts = split(list, separator);
  return std::find(parts.begin(), parts.end(), word) != parts.end();
}

// This process's group in the hierarchy of that controller, at its mount point; empty: none.
fs::path own_group(const std::string& controller) {
  const auto membership = small("/proc/self/cgroup");
  const auto mounts = cgroup_mounts();
  for (const auto line : lines(membership)) {
    const auto first = line.find(':');
    const auto second = line.find(':', first + 1);
    if (first == std::string_view::npos || second == std::string_view::npos) continue;
    const auto names = line.substr(first + 1, second - first - 1);
    if (controller.empty() ? !names.empty() : !has_word(names, controller, ',')) continue;
    const fs::path path(std::string(line.substr(second + 1)));
    for (const auto& mount : mounts) {
      const bool right = controller.empty()
                             ? mount.type == "cgroup2"
                             : mount.type == "cgroup" && has_word(mount.options, controller, ',');
      if (!right) continue;
      const auto below = path.lexically_relative(mount.root);
      if (below.empty() || *below.begin() == "..") continue;
      return below == "." ? mount.point : mount.point / below;
    }
  }
  return {};
}

void wait_for(pid_t child) {
  while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
}

// A child enters as a job would; after the fork it only makes calls that are safe in a multi-threaded
// process.
bool can_enter(const fs::path& group) {
  if (const pid_t born = fork_into(group.c_str()); born >= 0) {
    if (born == 0) (void)::syscall(SYS_exit_group, 0);  // raw exit: the C library does not know of this fork
    wait_for(born);
    return true;
  }
  const auto tasks = group / "tasks", procs = group / "cgroup.procs";  // v1 has both files
  const auto& file = ::access(tasks.c_str(), F_OK) == 0 ? tasks : procs;
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return false;
  const UniqueFd read_end(ends[0]);
  UniqueFd write_end(ends[1]);
  const pid_t child = ::fork();
  if (child == 0) {
    const int fd = ::open(file.c_str(), O_WRONLY | O_CLOEXEC);
    const bool entered = fd >= 0 && ::write(fd, "0", 1) == 1;
    (void)!::write(ends[1], entered ? "y" : "n", 1);
    ::_exit(0);
  }
  write_end.reset();
  if (child < 0) return false;
  // The pipe answers, since another thread that reaps all children may take the exit status.
  char said = 'n';
  while (::read(read_end.get(), &said, 1) < 0 && errno == EINTR) {
  }
  wait_for(child);
  return said == 'y';
}

// A process that has just ended stays a member for a moment.
bool remove_group(const fs::path& group) {
  constexpr int kTries = 50;
  for (int i = 0; i < kTries; ++i) {
    if (::rmdir(group.c_str()) == 0 || errno == ENOENT) return true;
    if (errno != EBUSY) return false;
    ::poll(nullptr, 0, 2);
  }
  return false;
}

constexpr std::string_view kProbe = "hydra-probe-";

// Removes probe groups of killed processes.
void remove_old_probes(const fs::path& directory) {
  std::error_code failed;
  for (fs::directory_iterator it(directory, failed), end; !failed && it != end; it.increment(failed)) {
    const auto name = it->path().filename().string();
    if (!name.starts_with(kProbe)) continue;
    const auto rest = std::string_view(name).substr(kProbe.size());
    const auto pid = parse_int(rest.substr(0, rest.find('-')));
    if (pid && *pid > 0 && ::kill(static_cast<pid_t>(*pid), 0) != 0 && errno == ESRCH)
      ::rmdir(it->path().c_str());
  }
}

// A group is usable only if it was really made and entered.
bool usable(const fs::path& directory, std::vector<std::string> files, std::vector<bool>& there) {
  if (::access((directory / "cgroup.procs").c_str(), W_OK) != 0) return false;
  remove_old_probes(directory);
  static std::atomic<int> count{0};  // unique: doctor and a race's start may probe concurrently
  const auto group =
      directory / (std::string(kProbe) + std::to_string(::getpid()) + "-" + std::to_string(++count));
  if (::mkdir(group.c_str(), 0755) != 0) return false;
  const bool entered = can_enter(group);
  for (const auto& file : files) there.push_back(::access((group / file).c_str(), W_OK) == 0);
  return remove_group(group) && entered;
}

// Parent of the jobs' v2 groups. Limits need delegated controllers, which a group with processes cannot
// delegate. A service manager that starts the daemon in a subgroup of the delegated group (systemd:
// DelegateSubgroup=hydrad) makes that possible. Without it no process is moved: a service whose own group
// delegates controllers can't be restarted while jobs remain in it.
fs::path v2_parent() {
  const auto own = own_group("");
  if (own.filename() != kDaemonGroup) return own;
  put(own.parent_path() / "cgroup.subtree_control", "+memory");
  put(own.parent_path() / "cgroup.subtree_control", "+pids");
  return own.parent_path();
}

bool is_cgroup(const fs::path& directory) {
  struct statfs facts {};
  return ::statfs(directory.c_str(), &facts) == 0 &&
         (facts.f_type == CGROUP2_SUPER_MAGIC || facts.f_type == CGROUP_SUPER_MAGIC);
}

}  // namespace

std::vector<CgroupParent> find_cgroups() {
  std::vector<CgroupParent> found;
  if (const auto v2 = v2_parent(); !v2.empty()) {
    std::vector<bool> there;
    if (usable(v2, {"memory.max", "pids.max", "cgroup.kill"}, there) && there[2])
      found.push_back({"v2", v2, there[0], there[1]});
  }
  if (found.empty() || !found.front().processes) {
    std::vector<bool> there;
    if (const auto v1 = own_group("pids"); !v1.empty() && usable(v1, {"pids.max"}, there) && there[0])
      found.push_back({"pids", v1, false, true});
  }
  return found;
}

std::string group_name(const std::string& token) {
  std::string name = "hydra-";
  for (const char c : token.substr(0, 64))
    name += (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ? c : '_';
  return name;
}

std::filesystem::path cgroup_of(const CgroupParent& parent, const std::string& token) {
  return parent.directory / group_name(token);
}

int end_groups(const std::vector<std::filesystem::path>& groups) {
  constexpr int kRounds = 1000;
  std::set<int> seen;
  for (const auto& group : groups) {
    // Process ids are read only from the kernel's file, never from a file that another process made.
    if (!is_cgroup(group)) continue;
    for (int round = 0; round < kRounds && ::rmdir(group.c_str()) != 0 && errno == EBUSY; ++round) {
      const auto members = small(group / "cgroup.procs");
      const bool at_once = put(group / "cgroup.kill", "1");
      for (const auto line : lines(members)) {
        const auto pid = parse_int(line);
        if (!pid || *pid <= 0) continue;
        seen.insert(static_cast<int>(*pid));
        if (!at_once) ::kill(static_cast<pid_t>(*pid), SIGKILL);
      }
      ::poll(nullptr, 0, 1);
    }
  }
  return static_cast<int>(seen.size());
}

std::string limit_rung(const std::vector<CgroupParent>& parents) {
  bool v2 = true, memory = false, processes = false;
  for (const auto& parent : parents) {
    memory = memory || parent.memory;
    processes = processes || parent.processes;
    if (parent.kind != "v2" && (parent.memory || parent.processes)) v2 = false;
  }
  if (!memory && !processes) return {};
  std::string rung = v2 ? "cgroup-v2" : "cgroup-v1";
  if (!memory) rung += " (processes; memory sampled)";
  if (!processes) rung += " (memory; processes sampled)";
  return rung;
}

}  // namespace hydra::exec
