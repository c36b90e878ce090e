// exec: where this process may make control groups for its jobs. What can be used is found by making one and
// entering it; a systemd unit with Delegate=yes and DelegateSubgroup=hydrad gives them to ordinary users
// (reliability reference, section 1). Of v1 only the number of processes is used.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace hydra::exec {

struct CgroupParent {
  std::string kind;                        ///< "v2"; of v1 "pids"
  std::filesystem::path directory;         ///< jobs' groups are made right in it
  bool memory = false, processes = false;  ///< limits that its groups can have
};

/// Those that work here: a child of this process was in each. Blocking, a few milliseconds.
std::vector<CgroupParent> find_cgroups();

/// The name of an attempt's group, "hydra-" and its token, and its directory.
std::string group_name(const std::string& token);
std::filesystem::path cgroup_of(const CgroupParent& parent, const std::string& token);

/// Kills what is in these groups and removes them; how many processes there were. What is no control group is
/// left alone. Blocking, up to a second each where the kernel can't end a process.
int end_groups(const std::vector<std::filesystem::path>& groups);

/// "cgroup-v2", "cgroup-v1" or empty: which limits the kernel keeps.
std::string limit_rung(const std::vector<CgroupParent>& parents);

}  // namespace hydra::exec
