// race: what checks that run at once must not share: CPUs and ports. Lives on the loop's thread; no locks.
#pragma once

#include "race/limits/slots.hpp"

#include <optional>
#include <set>
#include <vector>

namespace hydra::race {

/// The machine's CPUs in as many groups as checks run at once. A check sees only its own, so that tools start
/// as many workers as they have room for (toolchains reference, section 6, "Parallel checks").
class CpuGroups {
 public:
  /// `groups` >= 1. More groups than CPUs: nobody is bound to any.
  CpuGroups(std::vector<int> cpus, int groups) {
    const auto count = static_cast<std::size_t>(groups);
    if (groups < 2 || cpus.size() < count) return;
    for (std::size_t i = 0; i < count; ++i)
      groups_.emplace_back(cpus.begin() + static_cast<std::ptrdiff_t>(i * cpus.size() / count),
                           cpus.begin() + static_cast<std::ptrdiff_t>((i + 1) * cpus.size() / count));
    halves_.resize(count);
  }

  /// Index of a group with room for it, the fullest one; nothing where there is none: then the check is bound
  /// to none. Two that take half a slot see the CPUs of one group: as many as the baseline's saw.
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
  std::vector<int> halves_;  ///< what is taken of each
};

/// CPUs that this process may use.
std::vector<int> usable_cpus();

/// Ports of the loopback interface, each given to one check at a time ([workspace] ports).
class PortLeases {
 public:
  /// `count` ports that nobody listens on now; fewer where the system has no more.
  std::vector<int> lease(int count);
  void release(const std::vector<int>& ports);

 private:
  std::set<int> leased_;
};

}  // namespace hydra::race
