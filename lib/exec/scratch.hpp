// exec: a job's tree on the node's own disk ([execution] scratch). What travels is one archive there, and one
// back of what the job changed; hydra-shim unpacks the first and makes the second (shim/scratch.hpp).
#pragma once

#include "base/result.hpp"
#include "exec/job.hpp"

namespace hydra::exec {

/// The archive that goes to the node, in the attempt's directory.
inline constexpr const char* kTreeThere = "tree.tar";

/// Whether the job's tree travels. Without a sandbox nothing can stand at the tree's path but the tree.
bool travels(const JobSpec& spec);

/// Where the job's directory is on whichever node it runs.
fs::path scratch_place(const JobSpec& spec);

/// The job with its tree there: binds and what is watched.
JobSpec on_scratch(JobSpec spec);

/// Writes the archive that goes to the node into the attempt's directory. Blocking, as long as it takes.
Result<void> send_tree(const JobSpec& spec);

/// Makes the tree what it was on the node when the job ended. Where nothing came back, or it was taken over
/// before, nothing is done; one that was cut off can be repeated. Entries that did not change are not
/// touched. Blocking.
Result<void> take_tree_back(const JobSpec& spec);

}  // namespace hydra::exec
