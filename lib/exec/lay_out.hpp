// exec: what every placement does with a job before it hands it on.
#pragma once

#include "base/result.hpp"
#include "exec/bwrap.hpp"
#include "exec/cgroup.hpp"
#include "exec/job.hpp"

#include <vector>

namespace hydra::exec {

/// Errc::internal for a job that makes no sense, `environment` for a sandbox that is not to be had.
Result<void> check_spec(const JobSpec& spec, const fs::path& bwrap);

/// Writes spec.json, and what stands beside it, into the attempt's directory, which exists. Blocking.
Result<void> lay_out(const JobSpec& spec, const BwrapHost& host, const std::vector<CgroupParent>& cgroups);

/// The same for a job that an engine starts on another machine: makes the directory, and puts the environment
/// into it, and the tree where that travels (exec/scratch.hpp).
Result<void> lay_out_placed(const JobSpec& spec, const BwrapHost& host);

/// The payload's environment with the mark by which what it leaves behind is found.
Env marked_environment(const JobSpec& spec);

/// An end about which nothing is known yet.
JobResult blank_result(const JobSpec& spec);

}  // namespace hydra::exec
