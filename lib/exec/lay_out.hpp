// exec: steps that every placement performs before it passes a job on.
#pragma once

#include "base/result.hpp"
#include "exec/bwrap.hpp"
#include "exec/cgroup.hpp"
#include "exec/job.hpp"

#include <vector>

namespace hydra::exec {

/// Errc::internal for an inconsistent job, `environment` for a sandbox that is not available.
Result<void> check_spec(const JobSpec& spec, const fs::path& bwrap);

/// Writes spec.json and further files into the attempt's directory, which exists. Blocking.
Result<void> lay_out(const JobSpec& spec, const BwrapHost& host, const std::vector<CgroupParent>& cgroups);

/// lay_out() for a job that an engine starts on another machine: makes the directory, and writes the
/// environment into it, and the tree if it travels (exec/scratch.hpp).
Result<void> lay_out_placed(const JobSpec& spec, const BwrapHost& host);

/// The payload's environment with the mark that identifies processes left behind.
Env marked_environment(const JobSpec& spec);

/// A result with nothing known yet.
JobResult blank_result(const JobSpec& spec);

}  // namespace hydra::exec
