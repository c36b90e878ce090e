// hydra-shim: control groups of one attempt: limits that the kernel keeps, and a set of processes that a
// double fork or a session of its own does not leave (a payload that may write other groups can). What can't
// be made or entered is left out; then the other rungs hold (reliability reference, section 1).
#pragma once

#include "spec.hpp"

#include <cstdint>
#include <string>
#include <sys/types.h>
#include <vector>

namespace shim {

class Cgroups {
 public:
  /// Makes them and sets the limits. Those that the machine refuses are dropped.
  void make(const Spec& spec);
  /// A child that is in the group of v2 from its first moment, where the kernel can do that.
  pid_t fork();
  /// In the child, before exec: enters all others. Bit i of the answer: the i-th could not be entered.
  [[nodiscard]] unsigned enter() const;
  /// Forgets and removes those of such an answer: what they would have limited is sampled.
  void drop(unsigned failed);
  /// Kills whatever is inside; again and again until it is empty or `rounds` are over. How many processes
  /// were seen at once, each counted once however many groups it is in.
  int kill(int rounds) const;
  /// The kernel has killed somebody for want of memory, or refused a process.
  [[nodiscard]] bool out_of_memory() const;
  [[nodiscard]] bool out_of_processes() const;
  void remove() const;
  [[nodiscard]] bool any() const { return !made_.empty(); }

 private:
  [[nodiscard]] std::vector<int> members(const std::string& dir) const;
  std::vector<Cgroup> made_;
  std::size_t born_in_ = SIZE_MAX;  ///< which of them
};

}  // namespace shim
