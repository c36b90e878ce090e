#include "cgroup.hpp"

#include "base/fork_into.hpp"
#include "files.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

namespace shim {
namespace {

/// The number after `key ` at the begin of a line; 0: none.
long counter(const std::string& text, const std::string& key) {
  std::size_t at = 0;
  while (at < text.size()) {
    if (text.compare(at, key.size() + 1, key + " ") == 0)
      return std::atol(text.c_str() + at + key.size() + 1);
    const auto end = text.find('\n', at);
    if (end == std::string::npos) break;
    at = end + 1;
  }
  return 0;
}

/// The kernel counts threads, the limit counts processes, and a compiler or a JVM has many threads in each.
/// The kernel's limit therefore only backs the sampler up against fast forks.
constexpr int kThreadsPerProcess = 8;
/// bwrap, the second stage, and some reserve.
constexpr int kSpareProcesses = 16;

/// Maximum of threads, never more than half of the machine's, since other processes need some.
std::uint64_t most_threads(int processes) {
  const auto wanted = static_cast<std::uint64_t>(processes) * kThreadsPerProcess + kSpareProcesses;
  const long all = std::atol(text_of("/proc/sys/kernel/pid_max").c_str());
  const auto least = static_cast<std::uint64_t>(processes + kSpareProcesses);
  return all > 0 ? std::min(wanted, std::max(least, static_cast<std::uint64_t>(all) / 2)) : wanted;
}

bool set_limits(const Cgroup& group, const Spec& spec) {
  const auto set = [&](const char* name, std::uint64_t value) {
    return write_once(group.dir + "/" + name, std::to_string(value));
  };
  bool ok = true;
  if ((group.kind == "v2" || group.kind == "pids") && spec.processes > 0)
    ok = set("pids.max", most_threads(spec.processes)) || group.kind == "v2";
  if (group.kind == "v2" && spec.memory_bytes > 0) {
    set("memory.max", spec.memory_bytes);
    set("memory.swap.max", 0);
    set("memory.oom.group", 1);
  }
  return ok;
}

}  // namespace

void Cgroups::make(const Spec& spec) {
  for (const auto& group : spec.cgroups) {
    if (::mkdir(group.dir.c_str(), 0755) != 0 && errno != EEXIST) continue;
    if (set_limits(group, spec))
      made_.push_back(group);
    else
      ::rmdir(group.dir.c_str());
  }
}

pid_t Cgroups::fork() {
  const auto v2 = std::find_if(made_.begin(), made_.end(), [](const Cgroup& g) { return g.kind == "v2"; });
  if (v2 != made_.end()) {
    born_in_ = static_cast<std::size_t>(v2 - made_.begin());
    if (const pid_t pid = hydra::fork_into(v2->dir.c_str()); pid >= 0) return pid;
    born_in_ = SIZE_MAX;
  }
  return ::fork();
}

unsigned Cgroups::enter() const {
  unsigned failed = 0;
  for (std::size_t i = 0; i < made_.size(); ++i) {
    // In v1 moving one's own thread needs no waiting, moving a whole process does (base/fork_into.hpp).
    const auto* file = made_[i].kind == "v2" ? "/cgroup.procs" : "/tasks";
    if (i != born_in_ && !write_once(made_[i].dir + file, "0")) failed |= 1U << i;
  }
  return failed;
}

void Cgroups::drop(unsigned failed) {
  std::vector<Cgroup> kept;
  for (std::size_t i = 0; i < made_.size(); ++i) {
    if ((failed >> i & 1U) == 0)
      kept.push_back(made_[i]);
    else
      ::rmdir(made_[i].dir.c_str());
  }
  made_ = std::move(kept);
}

std::vector<int> Cgroups::members(const std::string& dir) const {
  std::vector<int> pids;
  const auto text = text_of(dir + "/cgroup.procs");
  for (std::size_t at = 0; at < text.size();) {
    const int pid = std::atoi(text.c_str() + at);
    if (pid > 0) pids.push_back(pid);
    const auto end = text.find('\n', at);
    if (end == std::string::npos) break;
    at = end + 1;
  }
  return pids;
}

int Cgroups::kill(int rounds) const {
  std::size_t seen = 0;
  for (int round = 0; round < rounds; ++round) {
    std::vector<int> left;
    for (const auto& group : made_) {
      const auto pids = members(group.dir);
      left.insert(left.end(), pids.begin(), pids.end());
      if (pids.empty()) continue;
      if (group.kind == "v2" && write_once(group.dir + "/cgroup.kill", "1")) continue;
      for (const int pid : pids)
        if (pid != ::getpid()) ::kill(pid, SIGKILL);
    }
    if (left.empty()) break;
    std::sort(left.begin(), left.end());
    const auto distinct = std::unique(left.begin(), left.end()) - left.begin();
    seen = std::max(seen, static_cast<std::size_t>(distinct));
    ::poll(nullptr, 0, 1);
  }
  return static_cast<int>(seen);
}

bool Cgroups::out_of_memory() const {
  for (const auto& group : made_) {
    if (group.kind == "v2" && counter(text_of(group.dir + "/memory.events"), "oom_kill") > 0) return true;
  }
  return false;
}

bool Cgroups::out_of_processes() const {
  for (const auto& group : made_)
    if ((group.kind == "v2" || group.kind == "pids") &&
        counter(text_of(group.dir + "/pids.events"), "max") > 0)
      return true;
  return false;
}

void Cgroups::remove() const {
  // A process that has just ended stays a member for a moment.
  constexpr int kTries = 50;
  for (const auto& group : made_)
    for (int i = 0; i < kTries && ::rmdir(group.dir.c_str()) != 0 && errno == EBUSY; ++i)
      ::poll(nullptr, 0, 2);
}

}  // namespace shim
