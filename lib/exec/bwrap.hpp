// exec: isolation rewrites argv. The one place that knows bubblewrap's flags.
#pragma once

#include "exec/job.hpp"

#include <string>
#include <vector>

namespace hydra::exec {

struct BwrapHost {
  fs::path bwrap;
  fs::path shim;     ///< host path; runs once more inside, as PID 1
  unsigned uid = 0;  ///< of the daemon
  unsigned gid = 0;
};

/// The payload's ids inside: the user's, and 1000 for root.
unsigned inside_uid(const BwrapHost& host);
unsigned inside_gid(const BwrapHost& host);

/// Namespaces, file system and identity, up to the binds: what a probe has to try.
/// `disk_bytes` bounds each directory that is empty and private, which is memory; 0: the kernel's choice.
std::vector<std::string> bwrap_flags(const BwrapHost& host, const Sandbox& sandbox,
                                     std::uint64_t disk_bytes = 0);

/// The complete command of a job: its own argv, or bwrap, the second stage, and then its argv. Pure.
std::vector<std::string> job_argv(const JobSpec& spec, const BwrapHost& host);

/// A bind target that leads through a symbolic link can't be mounted on: the same sandbox with such paths
/// resolved, and with `root_entries` where one stands at a place in "/" that the host has not.
Sandbox resolve_targets(Sandbox sandbox);

}  // namespace hydra::exec
