#include "stage2.hpp"

#include "door.hpp"
#include "gate.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <linux/close_range.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace shim {

bool enter(const char* workdir) {
  if (workdir == nullptr || *workdir == '\0') return true;
  return ::chdir(workdir) == 0 && ::setenv("PWD", workdir, 1) == 0;
}

void reset_signals() {
  struct sigaction fresh {};
  fresh.sa_handler = SIG_DFL;
  for (int s = 1; s < NSIG; ++s) ::sigaction(s, &fresh, nullptr);
  const auto none = signals({});
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

void send_report(int fd, Fact fact, int value) {
  const Report report{fact, value};
  while (::write(fd, &report, sizeof report) < 0 && errno == EINTR) {
  }
}

void end_unstarted(Fact fact, int value) {
  send_report(kStatusFd, fact, value);
  ::_exit(127);
}

sigset_t signals(std::initializer_list<int> numbers) {
  sigset_t set;
  sigemptyset(&set);
  for (const int number : numbers) sigaddset(&set, number);
  return set;
}

namespace {

[[noreturn]] void run_payload(int processes, const char* workdir, char** argv) {
  ::dup2(kOutFd, STDOUT_FILENO);
  ::dup2(kErrFd, STDERR_FILENO);
  ::setsid();  // kill(0) of the payload must not reach this stage
  ::umask(022);
  // In a new user namespace the count starts at zero: it covers this tree, not the user's whole desktop.
  if (processes > 0) {
    const rlimit limit{static_cast<rlim_t>(processes) + 1, static_cast<rlim_t>(processes) + 1};
    ::setrlimit(RLIMIT_NPROC, &limit);
  }
  ::prctl(PR_SET_DUMPABLE, 1);
  reset_signals();
  if (!enter(workdir)) end_unstarted(Fact::workdir_failed, errno);
  refuse_hidden_changes();
  ::execvp(argv[0], argv);
  end_unstarted(Fact::exec_failed, errno);
}

/// Starts the process behind the gate; 0: the sandbox has none.
pid_t open_gate() {
  const int port = gate_port(kGateFd);
  const pid_t pid = port > 0 ? ::fork() : 0;
  if (port > 0 && pid == 0) {
    for (const int fd : {kStatusFd, kOutFd, kErrFd}) ::close(fd);
    keep_gate(kGateFd, port);
  }
  if (pid > 0) ::close(kGateFd);
  return pid;
}

/// Waits for a child's end; false: the shim has ended (its status pipe has no reader). PR_SET_PDEATHSIG is
/// not enough: bwrap may lose its parent before it requests the signal, and lives on with us.
bool wait_beside_the_shim(int children) {
  pollfd watched[2] = {{children, POLLIN, 0}, {kStatusFd, 0, 0}};
  while (::poll(watched, 2, -1) < 0 && errno == EINTR) {
  }
  signalfd_siginfo drop[8];
  if ((watched[0].revents & POLLIN) != 0)
    while (::read(children, drop, sizeof drop) > 0) {
    }
  return watched[1].revents == 0;
}

constexpr int kBadStage2 = 64;

bool shim_lives() {
  pollfd status{kStatusFd, 0, 0};
  return ::poll(&status, 1, 0) == 0;
}

void report_usage() {
  rusage used{};
  ::getrusage(RUSAGE_CHILDREN, &used);
  const auto ms = [](const timeval& t) { return static_cast<int>(t.tv_sec * 1000 + t.tv_usec / 1000); };
  send_report(kStatusFd, Fact::used_user, ms(used.ru_utime));
  send_report(kStatusFd, Fact::used_system, ms(used.ru_stime));
  send_report(kStatusFd, Fact::used_memory, static_cast<int>(used.ru_maxrss));
}

}  // namespace

int stage2_main(int argc, char** argv) {
  // --stage2 PROCESSES WORKDIR -- PROGRAM..., or --container: the door gives these words then
  const bool contained = std::strcmp(argv[1], "--container") == 0;
  std::vector<char*> words(argv + 2, argv + argc);
  if (!contained && (argc < 6 || std::strcmp(argv[4], "--") != 0)) return kBadStage2;
  ::prctl(PR_SET_DUMPABLE, 0);  // the payload must not open our descriptors through /proc
  sigset_t all;
  sigfillset(&all);
  ::sigprocmask(SIG_SETMASK, &all, nullptr);
  const auto ends = signals({SIGCHLD});
  if (contained && (!come_in(words) || words.size() < 3)) return kBadStage2;
  const std::size_t program = contained ? 2 : 3;
  words.push_back(nullptr);
  // Closes the three descriptors above and the locks on exec: this process holds the locks for its lifetime,
  // and the payload never does.
  ::syscall(SYS_close_range, kStatusFd, ~0U, CLOSE_RANGE_CLOEXEC);
  const int children = ::signalfd(-1, &ends, SFD_CLOEXEC | SFD_NONBLOCK);
  if (children < 0) {
    send_report(kStatusFd, Fact::exec_failed, errno);
    return 1;
  }
  if (!shim_lives()) return 1;
  const pid_t leader = ::fork();
  if (leader == 0) run_payload(std::atoi(words[0]), words[1], &words[program]);
  if (leader < 0) {
    send_report(kStatusFd, Fact::exec_failed, errno);
    return 1;
  }
  const pid_t gate = open_gate();
  // The output pipes end when the payload's side is closed, so this stage must not hold them.
  ::close(kOutFd);
  ::close(kErrFd);
  if (contained) ::close(STDIN_FILENO);
  // The end of PID 1 ends the namespace.
  while (wait_beside_the_shim(children)) {
    int status = 0;
    pid_t pid = 0;
    while ((pid = ::waitpid(-1, &status, WNOHANG)) > 0) {
      if (contained) report_usage();
      if (pid != leader) continue;
      if (gate > 0) ::kill(gate, SIGKILL);
      send_report(kStatusFd, Fact::ended, status);
    }
    // No child is left. Otherwise the shim decides how long the rest may still write, and kills us.
    if (pid < 0 && errno == ECHILD) return 0;
  }
  return 1;
}

}  // namespace shim
