// exec: jobs on a Slurm cluster. The supervisor runs inside of each job and writes the same attempt directory
// as at home, on a file system that all nodes share; Slurm only places it. Guarantees and set-up:
// docs/cluster.md.
#pragma once

#include "exec/executor.hpp"

#include <chrono>
#include <memory>

namespace hydra::exec {

struct SlurmOptions {
  fs::path shim;                                ///< hydra-shim, at the same path on every node
  fs::path bwrap;                               ///< the same
  std::chrono::milliseconds deadline{10000};    ///< of each of Slurm's commands
  std::chrono::milliseconds look{200};          ///< between two looks for results
  std::chrono::milliseconds ask{10000};         ///< between two questions what Slurm has in its queue
  std::chrono::milliseconds held_grace{60000};  ///< a job that is held for so long is given up
  std::chrono::milliseconds patience{900000};   ///< so long a controller that is away is waited for
};

/// `spec.cluster` of each job must be set. A result with the attempt's token counts, whatever Slurm says; a
/// job that Slurm does not have any more, and whose supervisor gives no sign of life, is lost.
std::unique_ptr<Executor> make_slurm_executor(boost::asio::io_context& loop, SlurmOptions options);

/// Whether a daemon, this one or one before it, gave the attempt to the engine. Looks at files.
bool handed_in(const fs::path& attempt_dir);

/// Each job to where it belongs: with `spec.cluster` to `cluster`, else to `local`. Both must outlive it.
std::unique_ptr<Executor> make_placed_executor(Executor& local, Executor& cluster);

}  // namespace hydra::exec
