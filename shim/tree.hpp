// hydra-shim: finding and ending processes. The shim is a subreaper, so whatever the payload forks stays
// below it, also after setsid and double forks.
#pragma once

#include <cstdint>
#include <string_view>
#include <sys/types.h>
#include <vector>

namespace shim {

/// Processes below `root`, without it; those that are ending or zombies only if asked for.
std::vector<pid_t> descendants(pid_t root, bool also_ending = false);
/// The same at a cost that grows with them and not with the machine, where the kernel can tell; one that
/// starts or ends meanwhile may be left out. For looks that come again.
std::vector<pid_t> seen_below(pid_t root);
/// The first living child of `parent`; 0: none.
pid_t child_of(pid_t parent);
/// Whether the processes together hold more than `limit` bytes; what they share counts once.
bool memory_above(const std::vector<pid_t>& pids, std::uint64_t limit);
/// Sends `signal` to each, then CONT, so that a stopped process can see it.
void signal_all(const std::vector<pid_t>& pids, int signal);
/// Stops, then kills everything below this process. What forks meanwhile is found by looking again.
void kill_below_self();
/// Milliseconds of the monotonic clock.
std::int64_t now();
/// Kills every other process whose initial environment has HYDRA_ATTEMPT=`token`; returns how many.
int sweep_cookie(std::string_view token);

}  // namespace shim
