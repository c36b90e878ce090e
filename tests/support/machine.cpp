#include "support/machine.hpp"

#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <map>
#include <sched.h>
#include <sstream>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace hydra::machine {
namespace {

namespace fs = std::filesystem;

/// True where `body` returns true in a process of its own, whose namespaces and user go with the process.
bool in_a_child(const std::function<bool()>& body) {
  const pid_t pid = ::fork();
  if (pid == 0) ::_exit(body() ? 0 : 1);
  int status = 0;
  return ::waitpid(pid, &status, 0) == pid && status == 0;
}

bool runs(const char* command) {
  return in_a_child([&] {
    const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    for (const int fd : {0, 1, 2}) ::dup2(null, fd);
    ::execl("/bin/sh", "sh", "-c", command, nullptr);
    return false;
  });
}

bool own_mounts() {
  return ::unshare(CLONE_NEWNS) == 0 && ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
}

/// Root mounts with its own rights, others in a user namespace, as workspaces do.
bool mounts_overlays() {
  char pattern[] = "/tmp/hydra-machine-XXXXXX";
  const fs::path at = ::mkdtemp(pattern);
  for (const char* name : {"lower", "upper", "work", "mount"}) fs::create_directory(at / name);
  const bool root = ::geteuid() == 0;
  const bool mounted = in_a_child([&] {
    if (!root && ::unshare(CLONE_NEWUSER) != 0) return false;
    const auto options = "lowerdir=" + (at / "lower").string() + ",upperdir=" + (at / "upper").string() +
                         ",workdir=" + (at / "work").string() + (root ? "" : ",userxattr");
    return own_mounts() && ::mount("overlay", (at / "mount").c_str(), "overlay", 0, options.c_str()) == 0;
  });
  std::error_code ignored;
  fs::remove_all(at, ignored);
  return mounted;
}

/// Version 2 has one hierarchy, version 1 a directory for each controller.
bool enters_a_cgroup() {
  for (const char* hierarchy : {"/sys/fs/cgroup", "/sys/fs/cgroup/unified", "/sys/fs/cgroup/memory"}) {
    const auto group = fs::path(hierarchy) / ("hydra-machine-" + std::to_string(::getpid()));
    if (!fs::exists(fs::path(hierarchy) / "cgroup.procs") || ::mkdir(group.c_str(), 0755) != 0) continue;
    const bool entered = in_a_child([&] {
      std::ofstream procs(group / "cgroup.procs");
      return static_cast<bool>(procs << ::getpid() << std::flush);
    });
    ::rmdir(group.c_str());
    if (entered) return true;
  }
  return false;
}

bool probe(Ability ability) {
  switch (ability) {
    case Ability::namespaces:
      return in_a_child([] { return ::unshare(CLONE_NEWUSER) == 0; });
    case Ability::mounts:
      return in_a_child([] { return own_mounts() && ::mount("none", "/tmp", "tmpfs", 0, "size=64k") == 0; });
    case Ability::overlays:
      return mounts_overlays();
    case Ability::cgroups:
      return enters_a_cgroup();
    case Ability::sandbox:
      return runs("bwrap --unshare-all --ro-bind / / --dev /dev --proc /proc true");
    case Ability::tracing:
      return runs("strace -f -b execve -qq -o /dev/null true");
    case Ability::other_users:
      return in_a_child([] { return ::setgid(65534) == 0 && ::setuid(65534) == 0; });
    case Ability::registry:
      return std::getenv("HYDRA_TEST_NETWORK") != nullptr;
  }
  return false;
}

struct Words {
  const char* name;  ///< in HYDRA_REQUIRE
  const char* text;  ///< of a skip
};

Words words(Ability ability) {
  switch (ability) {
    case Ability::namespaces:
      return {"namespaces", "no user namespaces"};
    case Ability::mounts:
      return {"mounts", "no right to mount"};
    case Ability::overlays:
      return {"overlays", "no overlays"};
    case Ability::cgroups:
      return {"cgroups", "no control groups"};
    case Ability::sandbox:
      return {"sandbox", "no bubblewrap that works"};
    case Ability::tracing:
      return {"tracing", "no strace that works"};
    case Ability::other_users:
      return {"other_users", "no other user"};
    case Ability::registry:
      return {"registry", "no HYDRA_TEST_NETWORK"};
  }
  return {"", ""};
}

}  // namespace

bool can(Ability ability) {
  static std::map<Ability, bool> known;
  if (!known.contains(ability)) known[ability] = probe(ability);
  return known[ability];
}

std::string Need::search_path() {
  const char* path = std::getenv("PATH");
  return path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin";
}

Need system_program(const std::string& name) {
  Need need(name);
  need.path = "/usr/local/bin:/usr/bin:/bin";
  return need;
}

bool has_program(const std::string& name, const std::string& path) {
  std::istringstream directories(path);
  for (std::string directory; std::getline(directories, directory, ':');)
    if (::access((fs::path(directory) / name).c_str(), X_OK) == 0) return true;
  return false;
}

bool required(std::string_view name) {
  const char* list = std::getenv("HYDRA_REQUIRE");
  return list != nullptr &&
         ("," + std::string(list) + ",").find("," + std::string(name) + ",") != std::string::npos;
}

Lack lack(std::initializer_list<Need> needs) {
  for (const auto& need : needs) {
    if (!need.program.empty()) {
      if (!has_program(need.program, need.path)) return {"no " + need.program, required(need.program)};
    } else if (!can(need.ability)) {
      return {words(need.ability).text, required(words(need.ability).name)};
    }
  }
  return {};
}

bool wait_until(std::string_view awaited, const std::function<bool()>& holds,
                std::chrono::milliseconds deadline) {
  const auto until = std::chrono::steady_clock::now() + deadline;
  while (!holds()) {
    if (std::chrono::steady_clock::now() >= until) {
      ADD_FAILURE() << "waited " << deadline.count() / 1000 << " s for " << awaited;
      return false;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
  }
  return true;
}

}  // namespace hydra::machine
