// exec: a job's tree on the node's own disk ([execution] scratch). One archive goes to the node, and one with
// the job's changes comes back; hydra-shim unpacks the first and makes the second (shim/scratch.hpp).
#pragma once

#include "base/result.hpp"
#include "exec/job.hpp"

namespace hydra::exec {

/// Name of the archive for the node, in the attempt's directory.
inline constexpr const char* kTreeThere = "tree.tar";

/// Returns whether the job's tree travels; only with a sandbox, which can show the copy at the tree's path.
bool travels(const JobSpec& spec);

/// The job's directory on any node.
fs::path scratch_place(const JobSpec& spec);

/// Moves the job's binds and watched paths to its tree on the node.
JobSpec on_scratch(JobSpec spec);

/// Writes the archive for the node into the attempt's directory. Blocking; takes as long as the copy.
Result<void> send_tree(const JobSpec& spec);

/// Applies the job's changes on the node to the tree. Does nothing when no archive came back, or it was
/// applied before; an interrupted call can be repeated. Unchanged entries are not touched. Blocking.
Result<void> take_tree_back(const JobSpec& spec);

}  // namespace hydra::exec
