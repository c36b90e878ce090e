// base: starts a child directly in a control group.
#pragma once

#include <cerrno>
#include <cstdint>
#include <fcntl.h>
#include <linux/sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace hydra {

/// Forks with the child in cgroup `directory` (v2) from the start, since moving a process waits 10 ms or
/// more. Returns -1 if the kernel cannot (before Linux 5.7, or seccomp): fork and move the child instead.
inline pid_t fork_into(const char* directory) {
  const int group = ::open(directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (group < 0) return -1;
  clone_args arguments{};
  arguments.flags = CLONE_INTO_CGROUP;
  arguments.exit_signal = SIGCHLD;
  arguments.cgroup = static_cast<std::uint64_t>(group);
  const auto pid = static_cast<pid_t>(::syscall(SYS_clone3, &arguments, sizeof arguments));
  if (pid == 0) return 0;  // exec closes the child's `group`
  const int code = errno;
  ::close(group);
  errno = code;
  return pid;
}

}  // namespace hydra
