// exec: where this process may make control groups for its jobs. What can be used is found by making one; a
// systemd unit with Delegate=yes gives them to ordinary users (reliability reference, section 1).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace hydra::exec {

struct CgroupParent {
  std::string kind;                        ///< "v2"; of v1 "pids" or "memory"
  std::filesystem::path directory;         ///< jobs' groups are made right in it
  bool memory = false, processes = false;  ///< limits that its groups can have
};

/// Those that work here. With `take_over`, a delegated v2 group whose only process is this one is prepared
/// for limits: this process moves into a group of its own below it.
std::vector<CgroupParent> find_cgroups(bool take_over = false);

/// The directory of an attempt's group.
std::filesystem::path cgroup_of(const CgroupParent& parent, const std::string& token);

/// Kills and removes what a dead supervisor left of an attempt; how many processes there were.
int end_cgroups(const std::vector<CgroupParent>& parents, const std::string& token);

/// "cgroup-v2", "cgroup-v1" or empty: which limits the kernel keeps.
std::string limit_rung(const std::vector<CgroupParent>& parents);

}  // namespace hydra::exec
