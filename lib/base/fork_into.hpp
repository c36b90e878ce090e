// base: a child that is born in a control group.
#pragma once

#include <cerrno>
#include <cstdint>
#include <fcntl.h>
#include <linux/sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace hydra {

/// As fork(), the child being in the control group `directory` (v2) from its first moment. A move between
/// groups would wait until every CPU has passed a quiet point, 10 ms and more. -1 where the kernel can't do
/// it (before Linux 5.7, within a filter of system calls): then fork, and let the child enter by itself.
inline pid_t fork_into(const char* directory) {
  const int group = ::open(directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (group < 0) return -1;
  clone_args arguments{};
  arguments.flags = CLONE_INTO_CGROUP;
  arguments.exit_signal = SIGCHLD;
  arguments.cgroup = static_cast<std::uint64_t>(group);
  const auto pid = static_cast<pid_t>(::syscall(SYS_clone3, &arguments, sizeof arguments));
  if (pid == 0) return 0;  // its copy of the directory goes with exec
  const int code = errno;
  ::close(group);
  errno = code;
  return pid;
}

}  // namespace hydra
