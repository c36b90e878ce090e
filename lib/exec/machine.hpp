// exec: finds, by trying once, what this machine can isolate, kill and limit.
#pragma once

#include "model/machine.hpp"

#include <filesystem>
#include <string>

namespace hydra::exec {

struct MachineFacts {
  std::filesystem::path bwrap;  ///< empty: not installed
  std::string bwrap_version;
  bool bwrap_works = false;   ///< a sandbox was started, and verified from inside
  std::string bwrap_problem;  ///< cause, for people; empty: bwrap works
  std::string bwrap_remedy;   ///< remedy; empty: bwrap works
  std::string kill_rung;      ///< "pid-namespace", "cgroup-v2", "cgroup-v1", "subreaper-sweep"
  std::string limit_rung;  ///< "cgroup-v2", "cgroup-v1", or "sampled": the shim samples four times a second
  model::TreeRung tree_rung = model::TreeRung::unshared;  ///< way to make workspaces; unshared: not tried
  std::string tree_problem;  ///< why overlays are not used; empty: overlays are used
  std::string tree_remedy;   ///< remedy for `tree_problem`; may be empty
  int cores = 1;
  bool root = false;
};

/// Blocking, some 20 ms; searches bwrap in `path_variable`. Leaves the tree members unset.
MachineFacts probe_machine(const std::string& path_variable);

/// Returns whether a file of /proc contains 0.
bool is_zero(const char* path);

}  // namespace hydra::exec
