// exec: isolation rewrites argv. Only this file knows bubblewrap's flags.
#pragma once

#include "exec/job.hpp"

#include <string>
#include <vector>

namespace hydra::exec {

struct BwrapHost {
  fs::path bwrap;
  fs::path shim;     ///< host path; the shim also runs inside, as PID 1
  unsigned uid = 0;  ///< the daemon's
  unsigned gid = 0;
};

/// The payload's ids inside: the user's, and 1000 for root.
unsigned inside_uid(const BwrapHost& host);
unsigned inside_gid(const BwrapHost& host);

/// Flags for namespaces, file system and identity, without the binds: a probe tries these.
/// `disk_bytes` bounds each empty private directory, which is memory; 0: the kernel's default.
std::vector<std::string> bwrap_flags(const BwrapHost& host, const Sandbox& sandbox,
                                     std::uint64_t disk_bytes = 0);

/// The complete command of a job: its argv, or bwrap, the second stage, and then its argv. Pure.
std::vector<std::string> job_argv(const JobSpec& spec, const BwrapHost& host);

/// Resolves bind targets that lead through symbolic links, since bwrap can't mount on these; sets
/// `root_entries` when a target is at a place in "/" that the host lacks.
Sandbox resolve_targets(Sandbox sandbox);

}  // namespace hydra::exec
