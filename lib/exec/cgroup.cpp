#include "exec/cgroup.hpp"

#include "base/files.hpp"
#include "base/strings.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hydra::exec {
namespace {

std::string small(const fs::path& path) { return read_file(path, 1u << 20).value_or(""); }

// Without creating anything: these files are there or they are not.
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

// This process's group of the hierarchy with that controller, as it is mounted here; empty: none.
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

// Only what has really been made can be used.
bool usable(const fs::path& directory, const std::string& probe, std::vector<std::string> files,
            std::vector<bool>& there) {
  const auto group = directory / probe;
  if (::access((directory / "cgroup.procs").c_str(), W_OK) != 0) return false;
  if (::mkdir(group.c_str(), 0755) != 0) return false;
  const bool enter = ::access((group / "cgroup.procs").c_str(), W_OK) == 0;
  for (const auto& file : files) there.push_back(::access((group / file).c_str(), W_OK) == 0);
  ::rmdir(group.c_str());
  return enter;
}

// Limits of v2 need the controllers handed down, which a group with processes of its own can't do.
void hand_down(const fs::path& own) {
  constexpr const char* kWanted = "+memory +pids";
  if (put(own / "cgroup.subtree_control", kWanted)) return;
  if (trim(small(own / "cgroup.procs")) != std::to_string(::getpid())) return;
  const auto inner = own / "hydrad";
  if (::mkdir(inner.c_str(), 0755) != 0 && errno != EEXIST) return;
  if (!put(inner / "cgroup.procs", "0")) {
    ::rmdir(inner.c_str());
    return;
  }
  put(own / "cgroup.subtree_control", kWanted);
}

}  // namespace

std::vector<CgroupParent> find_cgroups(bool take_over) {
  std::vector<CgroupParent> found;
  const auto probe = "hydra-probe-" + std::to_string(::getpid());
  if (const auto v2 = own_group(""); !v2.empty()) {
    if (take_over) hand_down(v2);
    std::vector<bool> there;
    if (usable(v2, probe, {"memory.max", "pids.max", "cgroup.kill"}, there) && there[2])
      found.push_back({"v2", v2, there[0], there[1]});
  }
  const auto has = [&](bool CgroupParent::*limit) {
    return std::any_of(found.begin(), found.end(), [&](const auto& p) { return p.*limit; });
  };
  if (!has(&CgroupParent::processes)) {
    std::vector<bool> there;
    if (const auto v1 = own_group("pids"); !v1.empty() && usable(v1, probe, {"pids.max"}, there) && there[0])
      found.push_back({"pids", v1, false, true});
  }
  if (!has(&CgroupParent::memory)) {
    std::vector<bool> there;
    if (const auto v1 = own_group("memory");
        !v1.empty() && usable(v1, probe, {"memory.limit_in_bytes"}, there) && there[0])
      found.push_back({"memory", v1, true, false});
  }
  return found;
}

std::filesystem::path cgroup_of(const CgroupParent& parent, const std::string& token) {
  std::string name = "hydra-";
  for (const char c : token.substr(0, 64))
    name += (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ? c : '_';
  return parent.directory / name;
}

int end_cgroups(const std::vector<CgroupParent>& parents, const std::string& token) {
  constexpr int kRounds = 200;
  int seen = 0;
  for (const auto& parent : parents) {
    const auto group = cgroup_of(parent, token);
    for (int round = 0; round < kRounds && ::rmdir(group.c_str()) != 0 && errno == EBUSY; ++round) {
      int now = 0;
      const auto members = small(group / "cgroup.procs");
      for (const auto line : lines(members)) {
        const auto pid = parse_int(line);
        if (!pid || *pid <= 0) continue;
        ++now;
        ::kill(static_cast<pid_t>(*pid), SIGKILL);
      }
      seen = std::max(seen, now);
      ::poll(nullptr, 0, 1);
    }
  }
  return seen;
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
