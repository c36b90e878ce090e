// exec: finds parents for the jobs' control groups by making a group and entering it. A systemd unit with
// Delegate=yes and DelegateSubgroup=hydrad gives groups to ordinary users (docs/reliability.md). Of v1 only
// the limit on processes is used.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace hydra::exec {

struct CgroupParent {
  std::string kind;                        ///< "v2", or "pids" of v1
  std::filesystem::path directory;         ///< direct parent of the jobs' groups
  bool memory = false, processes = false;  ///< limits that the groups can have
};

/// Returns the usable parents: a child of this process has been in each. Blocking, a few milliseconds.
std::vector<CgroupParent> find_cgroups();

/// Name of an attempt's group, "hydra-" and its token, and the group's directory.
std::string group_name(const std::string& token);
std::filesystem::path cgroup_of(const CgroupParent& parent, const std::string& token);

/// Kills the processes in these groups, removes the groups, and returns the number of processes. Leaves other
/// directories alone. Blocking, up to a second each when the kernel can't end a process.
int end_groups(const std::vector<std::filesystem::path>& groups);

/// "cgroup-v2", "cgroup-v1" or empty: the limits that the kernel enforces.
std::string limit_rung(const std::vector<CgroupParent>& parents);

}  // namespace hydra::exec
