// hydra-shim: starting the payload, directly or as PID 1 of a sandbox. bwrap alone can't tell `exit 137` from
// a KILL, and a signal that hits bwrap ends everything without grace; the second stage reports the truth
// through a pipe.
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
  overlay_failed = 5,  ///< the wrapper's log says which, and why
  cpus_failed = 6,     ///< value: errno of sched_setaffinity
  used_user = 8,  ///< value: CPU time of a container's processes in milliseconds, which nobody else is told
  used_system = 9,
  used_memory = 10,   ///< value: KiB, of the largest of them
  cgroup_failed = 7,  ///< value: bits of the groups that were not entered; the start goes on
};

/// What goes through the status pipe, written at once.
struct Report {
  Fact fact = Fact::ended;
  std::int32_t value = 0;
};

/// Descriptors that a wrapped payload finds in the sandbox, at these numbers.
constexpr int kStatusFd = 3;
constexpr int kOutFd = 4;
constexpr int kErrFd = 5;

/// The environment's PWD says where we are, or programs believe another directory.
bool enter(const char* workdir);
/// Handlers, mask and umask as a fresh program expects them.
void reset_signals();
void send_report(int fd, Fact fact, int value);
/// In a child that could not become the program: reports it at kStatusFd, and ends.
[[noreturn]] void end_unstarted(Fact fact, int value);
/// A set of these and no others.
sigset_t signals(std::initializer_list<int> numbers);
/// Refuses the few system calls that no program in a sandbox may make: they change what a file holds, or what
/// can be done with it, and leave its ctime as it was, by which the seal tells what a command has changed.
/// For this process and all that come of it. Nothing where the machine has no filters. Needs no_new_privs,
/// which bwrap has set.
void refuse_hidden_changes();
/// `--stage2 PROCESSES WORKDIR -- ARGV...`: runs as PID 1 of the sandbox; `--container ...`: of a container,
/// where it fetches its descriptors at the door.
int stage2_main(int argc, char** argv);

}  // namespace shim
