// race: resources that concurrent checks must not share: CPUs and ports. Loop thread only; no locks.
#pragma once

#include "exec/job.hpp"
#include "race/limits/slots.hpp"

#include <optional>
#include <set>
#include <vector>

namespace hydra::race {

/// The machine's CPUs, split into as many groups as checks run at once. A check sees only its own group, so
/// that tools start as many workers as they have CPUs (docs/adr/0005-one-check-after-the-other.md).
class CpuGroups {
 public:
  /// `groups` >= 1. More groups than CPUs: no check is bound.
  CpuGroups(std::vector<int> cpus, int groups) {
    const auto count = static_cast<std::size_t>(groups);
    if (groups < 2 || cpus.size() < count) return;
    for (std::size_t i = 0; i < count; ++i)
      groups_.emplace_back(cpus.begin() + static_cast<std::ptrdiff_t>(i * cpus.size() / count),
                           cpus.begin() + static_cast<std::ptrdiff_t>((i + 1) * cpus.size() / count));
    halves_.resize(count);
  }

  /// Returns the fullest group with room; nullopt: no room, and the check is not bound. Two half-slot checks
  /// share one group, so that each sees as many CPUs as the baseline's check.
  std::optional<std::size_t> lease(Share share = Share::whole) {
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < halves_.size(); ++i)
      if (halves_[i] + halves(share) <= 2 && (!found || halves_[i] > halves_[*found])) found = i;
    if (found) halves_[*found] += halves(share);
    return found;
  }
  void release(std::size_t group, Share share = Share::whole) { halves_[group] -= halves(share); }
  [[nodiscard]] const std::vector<int>& cpus(std::size_t group) const { return groups_[group]; }

 private:
  std::vector<std::vector<int>> groups_;
  std::vector<int> halves_;  ///< leased halves of each group
};

/// Returns the CPUs that this process may use.
std::vector<int> usable_cpus();

/// Ports of the loopback interface, each given to one job at a time, so that no server answers another job.
class PortLeases {
 public:
  /// Leases four ports on which no process listens, fewer if the system has no more, and names them in the
  /// job's variables HYDRA_PORT_0 to HYDRA_PORT_3.
  std::vector<int> lease(exec::Env& env);
  void release(const std::vector<int>& ports);

 private:
  std::set<int> leased_;
};

}  // namespace hydra::race
