// hydra-shim: control groups of one attempt: limits that the kernel enforces, and a process set that a double
// fork or a new session does not leave (a payload that may write other groups can). Groups that can't be made
// or entered are left out; then the other rungs apply (docs/reliability.md).
#pragma once

#include "spec.hpp"

#include <cstdint>
#include <string>
#include <sys/types.h>
#include <vector>

namespace shim {

class Cgroups {
 public:
  /// Makes the groups and sets the limits. Groups that the machine refuses are dropped.
  void make(const Spec& spec);
  /// Forks a child that is in the v2 group from its first moment, if the kernel supports that.
  pid_t fork();
  /// Called in the child before exec: enters all other groups. Bit i of the result: group i could not be
  /// entered.
  [[nodiscard]] unsigned enter() const;
  /// Forgets and removes the groups of such a result: their limits are sampled instead.
  void drop(unsigned failed);
  /// Kills all processes inside, repeatedly until the groups are empty or `rounds` are over. Returns the
  /// number of processes seen at once, each counted once even if in several groups.
  int kill(int rounds) const;
  /// Returns whether the kernel has killed a process for lack of memory, or refused a fork.
  [[nodiscard]] bool out_of_memory() const;
  [[nodiscard]] bool out_of_processes() const;
  void remove() const;
  [[nodiscard]] bool any() const { return !made_.empty(); }

 private:
  [[nodiscard]] std::vector<int> members(const std::string& dir) const;
  std::vector<Cgroup> made_;
  std::size_t born_in_ = SIZE_MAX;  ///< index of the v2 group
};

}  // namespace shim
