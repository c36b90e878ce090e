// hydra-shim: starts the payload, directly or as PID 1 of a sandbox. bwrap alone can't tell `exit 137` from a
// KILL, and a signal to bwrap ends everything without grace; the second stage reports the true end through a
// pipe.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <signal.h>

namespace shim {

enum class Fact : std::int32_t {
  ended = 1,           ///< value: wait status of the leader
  wrapper_failed = 2,  ///< value: errno of exec of bwrap
  exec_failed = 3,     ///< value: errno of exec of the payload
  workdir_failed = 4,  ///< value: errno of chdir
  overlay_failed = 5,  ///< the wrapper's log names the overlay and the cause
  cpus_failed = 6,     ///< value: errno of sched_setaffinity
  used_user = 8,  ///< value: CPU time of a container's processes in milliseconds, which only PID 1 learns
  used_system = 9,
  used_memory = 10,   ///< value: KiB, of the largest process
  cgroup_failed = 7,  ///< value: bits of the groups that were not entered; the start continues
};

/// Message in the status pipe, written at once.
struct Report {
  Fact fact = Fact::ended;
  std::int32_t value = 0;
};

/// Descriptors of a wrapped payload in the sandbox, at these numbers.
constexpr int kStatusFd = 3;
constexpr int kOutFd = 4;
constexpr int kErrFd = 5;
constexpr int kGateFd = 6;  ///< see gate.hpp; another file, or none, if the sandbox has no gate

/// Changes to `workdir` and sets PWD: programs trust PWD over the real directory.
bool enter(const char* workdir);
/// Resets handlers, mask and umask to the values that a fresh program expects.
void reset_signals();
void send_report(int fd, Fact fact, int value);
/// Reports at kStatusFd why the child could not become the program, and exits.
[[noreturn]] void end_unstarted(Fact fact, int value);
/// Set of exactly these signals.
sigset_t signals(std::initializer_list<int> numbers);
/// Refuses, for this process and its descendants, system calls that change a file but not its ctime, which
/// the seal relies on. No effect without seccomp filters. Needs no_new_privs, which bwrap sets.
void refuse_hidden_changes();
/// `--stage2 PROCESSES WORKDIR -- ARGV...` runs as PID 1 of the sandbox; `--container ...` as PID 1 of a
/// container, where it fetches its descriptors at the door.
int stage2_main(int argc, char** argv);

}  // namespace shim
