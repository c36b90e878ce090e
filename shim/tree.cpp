#include "tree.hpp"

#include "base/fd.hpp"
#include "files.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <string>
#include <unistd.h>

namespace shim {
namespace {

using hydra::UniqueDir;
using hydra::UniqueFd;

struct Process {
  pid_t pid = 0;
  pid_t parent = 0;
  bool ending = false;  ///< zombie, or about to become one
};

std::vector<pid_t> all_pids() {
  std::vector<pid_t> pids;
  const UniqueDir proc(::opendir("/proc"));
  while (const dirent* entry = proc ? ::readdir(proc.get()) : nullptr)
    if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9') pids.push_back(std::atoi(entry->d_name));
  return pids;
}

std::string proc_of(pid_t pid) { return "/proc/" + std::to_string(pid) + "/"; }

/// A single bounded read, since it is done for every process of the machine.
ssize_t read_proc(pid_t pid, const char* name, char* buffer, std::size_t size) {
  const UniqueFd fd(::open((proc_of(pid) + name).c_str(), O_RDONLY | O_CLOEXEC));
  return fd ? ::read(fd.get(), buffer, size) : -1;
}

bool read_process(pid_t pid, Process& out) {
  std::array<char, 512> text;
  const ssize_t n = read_proc(pid, "stat", text.data(), text.size() - 1);
  if (n <= 0) return false;
  text[static_cast<std::size_t>(n)] = '\0';
  // The name in parentheses may itself contain parentheses: fields follow the last one.
  const char* end = std::strrchr(text.data(), ')');
  if (end == nullptr || end[1] == '\0') return false;
  out.pid = pid;
  constexpr unsigned kExiting = 0x4;  // PF_EXITING: pipes may be closed long before the process is a zombie
  char state = '?';
  unsigned flags = 0;
  if (std::sscanf(end + 2, "%c %d %*d %*d %*d %*d %u", &state, &out.parent, &flags) != 3) return false;
  out.ending = state == 'Z' || state == 'X' || (flags & kExiting) != 0;
  return true;
}

/// Appends the children of every thread of `pid`.
void add_children(pid_t pid, std::vector<pid_t>& found) {
  const auto path = proc_of(pid) + "task/";
  const UniqueDir threads(::opendir(path.c_str()));
  while (const dirent* entry = threads ? ::readdir(threads.get()) : nullptr) {
    if (entry->d_name[0] < '1' || entry->d_name[0] > '9') continue;
    const auto all = text_of(path + entry->d_name + "/children");
    for (const char* at = all.c_str(); *at != '\0';) {
      char* end = nullptr;
      const long child = std::strtol(at, &end, 10);
      if (end == at) break;
      at = end;
      while (*at == ' ') ++at;
      if (child > 0 && std::find(found.begin(), found.end(), child) == found.end())
        found.push_back(static_cast<pid_t>(child));
    }
  }
}

std::vector<Process> snapshot() {
  std::vector<Process> list;
  for (const pid_t pid : all_pids()) {
    Process p;
    if (read_process(pid, p)) list.push_back(p);
  }
  return list;
}

bool has_cookie(pid_t pid, const std::string& cookie) {
  const auto text = std::string(1, '\0') + text_of(proc_of(pid) + "environ") + '\0';
  return text.find(cookie) != std::string::npos;
}

}  // namespace

std::vector<pid_t> descendants(pid_t root, bool also_ending) {
  const auto list = snapshot();
  std::vector<pid_t> found;
  std::vector<pid_t> parents{root};
  while (!parents.empty()) {
    std::vector<pid_t> next;
    for (const auto& p : list)
      if (std::find(parents.begin(), parents.end(), p.parent) != parents.end()) next.push_back(p.pid);
    for (const auto& p : list)
      if ((also_ending || !p.ending) && std::find(next.begin(), next.end(), p.pid) != next.end())
        found.push_back(p.pid);
    parents = std::move(next);
  }
  return found;
}

std::vector<pid_t> seen_below(pid_t root) {
  // Not every kernel is built with these files.
  static const bool known = ::access("/proc/thread-self/children", R_OK) == 0;
  if (!known) return descendants(root);
  std::vector<pid_t> found{root};
  for (std::size_t i = 0; i < found.size(); ++i) add_children(found[i], found);
  found.erase(found.begin());
  std::erase_if(found, [](pid_t pid) {
    Process p;
    return !read_process(pid, p) || p.ending;
  });
  return found;
}

pid_t child_of(pid_t parent) {
  std::vector<pid_t> children;
  add_children(parent, children);
  for (const pid_t pid : children) {
    Process p;
    if (read_process(pid, p) && !p.ending) return pid;
  }
  for (const auto& p : snapshot())
    if (p.parent == parent && !p.ending) return p.pid;
  return 0;
}

bool memory_above(const std::vector<pid_t>& pids, std::uint64_t limit) {
  const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  std::array<char, 2048> text;
  std::vector<std::uint64_t> resident;
  std::uint64_t sum = 0;
  for (const pid_t pid : pids) {
    const ssize_t n = read_proc(pid, "statm", text.data(), text.size() - 1);
    text[n > 0 ? static_cast<std::size_t>(n) : 0] = '\0';
    const char* second = std::strchr(text.data(), ' ');
    resident.push_back(second == nullptr ? 0 : std::strtoull(second, nullptr, 10) * page);
    sum += resident.back();
  }
  if (sum <= limit) return false;
  // Forks share pages, which the sum counts repeatedly. The exact figure is expensive, so it is computed only
  // here.
  sum = 0;
  for (std::size_t i = 0; i < pids.size(); ++i) {
    const ssize_t n = read_proc(pids[i], "smaps_rollup", text.data(), text.size() - 1);
    text[n > 0 ? static_cast<std::size_t>(n) : 0] = '\0';
    const char* pss = std::strstr(text.data(), "\nPss:");
    sum += pss == nullptr ? resident[i] : std::strtoull(pss + 5, nullptr, 10) * 1024;
  }
  return sum > limit;
}

void signal_all(const std::vector<pid_t>& pids, int signal) {
  for (const pid_t pid : pids) {
    ::kill(pid, signal);
    if (signal != SIGSTOP && signal != SIGKILL) ::kill(pid, SIGCONT);
  }
}

void kill_below_self() {
  constexpr int kRounds = 20;
  std::size_t stopped = 0;
  for (int round = 0; round < kRounds; ++round) {
    // Includes processes that look ended: the first thread may have ended while others run.
    const auto pids = descendants(::getpid(), true);
    // A stopped process can't fork: once a look finds no new process, none can appear.
    if (pids.size() <= stopped) break;
    stopped = pids.size();
    signal_all(pids, SIGSTOP);
  }
  signal_all(descendants(::getpid(), true), SIGKILL);
}

int sweep_cookie(std::string_view token) {
  if (token.empty()) return 0;
  std::string cookie(1, '\0');
  cookie += "HYDRA_ATTEMPT=";
  cookie += token;
  cookie += '\0';
  int killed = 0;
  for (const pid_t pid : all_pids())
    if (pid != ::getpid() && has_cookie(pid, cookie) && ::kill(pid, SIGKILL) == 0) ++killed;
  return killed;
}

std::int64_t now() {
  timespec t{};
  ::clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<std::int64_t>(t.tv_sec) * 1000 + t.tv_nsec / 1000000;
}

}  // namespace shim
