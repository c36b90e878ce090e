// exec: what this machine can isolate, kill and limit. Found by trying, once.
#pragma once

#include "model/machine.hpp"

#include <filesystem>
#include <string>

namespace hydra::exec {

struct MachineFacts {
  std::filesystem::path bwrap;  ///< empty: not installed
  std::string bwrap_version;
  bool bwrap_works = false;   ///< a real sandbox was started, and seen from inside to be one
  std::string bwrap_problem;  ///< cause, for people; empty when it works
  std::string bwrap_remedy;   ///< what to do; empty when it works
  std::string kill_rung;      ///< "pid-namespace", "cgroup-v2", "cgroup-v1", "subreaper-sweep"
  std::string limit_rung;     ///< "cgroup-v2", "cgroup-v1", or "sampled": the shim looks four times a second
  model::TreeRung tree_rung = model::TreeRung::unshared;  ///< how workspaces are made; unshared: not tried
  std::string tree_problem;  ///< why not by overlays; empty where it is by overlays
  std::string tree_remedy;   ///< what to do about that; may be empty
  int cores = 1;
  bool root = false;
};

/// Blocking, some 20 ms; `path_variable` is where bwrap is searched. Says nothing of trees.
MachineFacts probe_machine(const std::string& path_variable);

/// Whether a file of /proc says 0.
bool is_zero(const char* path);

}  // namespace hydra::exec
