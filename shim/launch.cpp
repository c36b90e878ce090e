#include "launch.hpp"

#include "files.hpp"
#include "gate.hpp"
#include "stage2.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <linux/close_range.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace shim {
namespace {

struct Ends {
  int in = -1, out = -1, err = -1, status = -1, log = -1, gate = -1;
};

/// Moves a descriptor above the numbers that the child assigns, so that no dup2 there overwrites it.
int raise_fd(int fd) {
  constexpr int kLowest = 16;
  const int high = ::fcntl(fd, F_DUPFD_CLOEXEC, kLowest);
  ::close(fd);
  return high;
}

bool make_pipe(int& read_end, int& write_end) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return false;
  read_end = raise_fd(ends[0]);
  write_end = raise_fd(ends[1]);
  return read_end >= 0 && write_end >= 0;
}

constexpr int kBelowTheShim = 5;
/// of the 1000 points by which the kernel chooses a victim when memory runs out
constexpr int kEndedBeforeUs = 300;

// A process may always raise its own OOM score; its children can't lower it again.
void offer_to_the_kernel() {
  const int fd = ::open("/proc/self/oom_score_adj", O_RDWR | O_CLOEXEC);
  if (fd < 0) return;
  char text[16] = {};
  if (::read(fd, text, sizeof text - 1) > 0) {
    const int length =
        std::snprintf(text, sizeof text, "%d", std::min(std::atoi(text) + kEndedBeforeUs, 1000));
    (void)!::pwrite(fd, text, static_cast<std::size_t>(length), 0);
  }
  ::close(fd);
}

bool bind_cpus(const std::vector<int>& cpus) {
  if (cpus.empty()) return true;
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int cpu : cpus)
    if (cpu >= 0 && cpu < CPU_SETSIZE) CPU_SET(static_cast<std::size_t>(cpu), &set);
  return ::sched_setaffinity(0, sizeof set, &set) == 0;
}

[[noreturn]] void child(const Spec& spec, const Cgroups& cgroups, const Ends& ends, pid_t shim, char** argv) {
  // The kernel kills the leader with the shim; setuid programs and grandchildren escape that, hence the
  // sweeps.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != shim) ::_exit(127);
  if (const unsigned failed = cgroups.enter(); failed != 0)
    send_report(ends.status, Fact::cgroup_failed, static_cast<int>(failed));
  ::setsid();
  ::umask(022);
  // The supervisor has the higher priority: a greedy payload must not delay its own limits.
  if (::nice(kBelowTheShim + spec.nice) == -1) errno = 0;
  offer_to_the_kernel();
  if (!spec.contained) ::dup2(ends.in, STDIN_FILENO);
  ::dup2(spec.wrapped ? ends.log : ends.out, STDOUT_FILENO);
  ::dup2(spec.wrapped ? ends.log : ends.err, STDERR_FILENO);
  ::dup2(ends.status, kStatusFd);
  if (spec.wrapped && !spec.contained) {
    ::dup2(ends.out, kOutFd);
    ::dup2(ends.err, kErrFd);
    if (ends.gate >= 0) ::dup2(ends.gate, kGateFd);
    ::syscall(SYS_close_range, (ends.gate >= 0 ? kGateFd : kErrFd) + 1, ~0U, 0);
  } else {
    ::fcntl(kStatusFd, F_SETFD, FD_CLOEXEC);
    ::syscall(SYS_close_range, kStatusFd + 1, ~0U, 0);
  }
  reset_signals();
  if (!spec.wrapped && !enter(spec.workdir.c_str())) end_unstarted(Fact::workdir_failed, errno);
  if (!bind_cpus(spec.cpus)) end_unstarted(Fact::cpus_failed, errno);
  if (!spec.overlays.empty()) {
    if (const auto problem = mount_overlays(spec); !problem.empty()) {
      ::dprintf(STDERR_FILENO, "%s\n", problem.c_str());
      end_unstarted(Fact::overlay_failed, 0);
    }
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // set again: a change of credentials may have cleared it
    if (::getppid() != shim) ::_exit(127);
  }
  if (spec.wrapped && !spec.contained && ::geteuid() == 0) guard_devices(spec);
  if (spec.contained) use_environment(spec.wrapper_env);
  ::execvp(argv[0], argv);
  end_unstarted(spec.wrapped ? Fact::wrapper_failed : Fact::exec_failed, errno);
}

}  // namespace

void use_environment(const std::vector<std::string>& variables) {
  ::clearenv();
  for (const auto& variable : variables) ::putenv(const_cast<char*>(variable.c_str()));
}

void let_go(const Handed& handed) {
  for (const int fd : {handed.status, handed.out, handed.err, handed.in, handed.gate})
    if (fd >= 0) ::close(fd);
}

bool launch(const Spec& spec, Cgroups& cgroups, Launched& launched, std::string& problem) {
  Ends ends;
  const char* in = spec.stdin_file.empty() ? "/dev/null" : spec.stdin_file.c_str();
  ends.in = ::open(in, O_RDONLY | O_CLOEXEC);
  if (ends.in < 0) {
    problem = std::string("can't open the input file ") + in + ": " + std::strerror(errno);
    return false;
  }
  ends.in = raise_fd(ends.in);
  if (spec.gate > 0 && spec.wrapped) {
    if (ends.gate = reserve_gate(spec.gate); ends.gate < 0) {
      problem = "can't use port " + std::to_string(spec.gate) + ": " + std::strerror(errno);
      return false;
    }
    ends.gate = raise_fd(ends.gate);
  }
  bool ok = make_pipe(launched.status, ends.status) && make_pipe(launched.out, ends.out);
  // Some programs exit with output that did not fit into the pipe, and lose it, usually their last event.
  if (ok) (void)::fcntl(launched.out, F_SETPIPE_SZ, 1 << 20);
  if (spec.merge_output)
    ends.err = ends.out;
  else
    ok = ok && make_pipe(launched.err, ends.err);
  if (ok && spec.wrapped) {
    ends.log = raise_fd(::memfd_create("bwrap", MFD_CLOEXEC));
    launched.wrapper_log = ends.log;
    ok = ends.log >= 0;
  }
  auto argv = pointers(spec.argv);
  const pid_t self = ::getpid();
  launched.pid = ok ? cgroups.fork() : -1;
  if (launched.pid == 0) child(spec, cgroups, ends, self, argv.data());
  if (launched.pid < 0) {
    problem = std::string("can't start a process: ") + std::strerror(errno);
    return false;
  }
  const Handed handed{ends.status, ends.out, spec.merge_output ? ::dup(ends.out) : ends.err, ends.in,
                      ends.gate};
  if (spec.contained)
    launched.handed = handed;
  else
    let_go(handed);
  for (const int fd : {launched.out, launched.err, launched.status})
    if (fd >= 0) ::fcntl(fd, F_SETFL, O_NONBLOCK);
  return true;
}

}  // namespace shim
