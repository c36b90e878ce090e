// hydra-shim: finds and ends processes. The shim is a subreaper, so all forks of the payload stay below it,
// also after setsid and double forks.
#pragma once

#include <cstdint>
#include <string_view>
#include <sys/types.h>
#include <vector>

namespace shim {

/// Processes below `root`, without it; ending processes and zombies only on request.
std::vector<pid_t> descendants(pid_t root, bool also_ending = false);
/// descendants() at a cost that grows with the result, not with the machine, if the kernel supports that; a
/// process that starts or ends meanwhile may be missed. For repeated looks.
std::vector<pid_t> seen_below(pid_t root);
/// First living child of `parent`; 0: none.
pid_t child_of(pid_t parent);
/// Returns whether the processes together use more than `limit` bytes; shared memory counts once.
bool memory_above(const std::vector<pid_t>& pids, std::uint64_t limit);
/// Sends `signal` to each process, then CONT, so that a stopped process handles it.
void signal_all(const std::vector<pid_t>& pids, int signal);
/// Stops, then kills everything below this process; repeated looks find new forks.
void kill_below_self();
/// Milliseconds of the monotonic clock.
std::int64_t now();
/// Kills every other process whose initial environment has HYDRA_ATTEMPT=`token`; returns the number.
int sweep_cookie(std::string_view token);

}  // namespace shim
