#include "stage2.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <linux/close_range.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace shim {

bool enter(const char* workdir) {
  if (workdir == nullptr || *workdir == '\0') return true;
  return ::chdir(workdir) == 0 && ::setenv("PWD", workdir, 1) == 0;
}

void reset_signals() {
  struct sigaction fresh {};
  fresh.sa_handler = SIG_DFL;
  for (int s = 1; s < NSIG; ++s) ::sigaction(s, &fresh, nullptr);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

void send_report(int fd, Fact fact, int value) {
  const Report report{fact, value};
  while (::write(fd, &report, sizeof report) < 0 && errno == EINTR) {
  }
}

namespace {

[[noreturn]] void run_payload(int processes, const char* workdir, char** argv) {
  ::dup2(kOutFd, STDOUT_FILENO);
  ::dup2(kErrFd, STDERR_FILENO);
  ::setsid();  // kill(0) of the payload must not reach this stage
  // In a user namespace of its own the count starts at zero: it means this tree, not the user's whole
  // desktop.
  if (processes > 0) {
    const rlimit limit{static_cast<rlim_t>(processes) + 1, static_cast<rlim_t>(processes) + 1};
    ::setrlimit(RLIMIT_NPROC, &limit);
  }
  ::prctl(PR_SET_DUMPABLE, 1);
  reset_signals();
  if (!enter(workdir)) {
    send_report(kStatusFd, Fact::workdir_failed, errno);
    ::_exit(127);
  }
  ::execvp(argv[0], argv);
  send_report(kStatusFd, Fact::exec_failed, errno);
  ::_exit(127);
}

}  // namespace

int stage2_main(int argc, char** argv) {
  // --stage2 PROCESSES WORKDIR -- PROGRAM
  if (argc < 6 || std::strcmp(argv[4], "--") != 0) return 64;
  ::prctl(PR_SET_DUMPABLE, 0);  // the payload must not open our descriptors through /proc
  // The three above, and locks: they are held for as long as this process lives, and never by the payload.
  ::syscall(SYS_close_range, kStatusFd, ~0U, CLOSE_RANGE_CLOEXEC);
  sigset_t all;
  sigfillset(&all);
  ::sigprocmask(SIG_SETMASK, &all, nullptr);
  const pid_t leader = ::fork();
  if (leader == 0) run_payload(std::atoi(argv[2]), argv[3], argv + 5);
  if (leader < 0) {
    send_report(kStatusFd, Fact::exec_failed, errno);
    return 1;
  }
  // The output pipes end when the payload's side is closed, so this stage must not hold them.
  ::close(kOutFd);
  ::close(kErrFd);
  for (;;) {
    int status = 0;
    const pid_t pid = ::waitpid(-1, &status, 0);
    if (pid < 0 && errno == EINTR) continue;
    // Nobody left: the end of PID 1 takes the namespace with it. Otherwise the shim decides how long the rest
    // may still write, and kills us.
    if (pid < 0) return 0;
    if (pid == leader) send_report(kStatusFd, Fact::ended, status);
  }
}

}  // namespace shim
