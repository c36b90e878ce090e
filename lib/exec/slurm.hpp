// exec: jobs on a Slurm cluster. The supervisor runs inside each job and writes its attempt directory on a
// file system that all nodes share; Slurm only places the job. Guarantees and set-up: docs/cluster.md.
#pragma once

#include "exec/executor.hpp"

#include <chrono>
#include <memory>

namespace hydra::exec {

struct SlurmOptions {
  fs::path shim;                                ///< hydra-shim, at the same path on every node
  fs::path bwrap;                               ///< bwrap, at the same path on every node
  std::chrono::milliseconds deadline{10000};    ///< deadline of each Slurm command
  std::chrono::milliseconds look{200};          ///< interval of looking for results
  std::chrono::milliseconds ask{10000};         ///< interval of reading Slurm's queue
  std::chrono::milliseconds held_grace{60000};  ///< time after which a held job is given up
  std::chrono::milliseconds patience{900000};   ///< wait for an unreachable controller
};

/// `spec.cluster` of each job must be set. A result with the attempt's token counts, whatever Slurm reports;
/// a job that Slurm no longer has, and whose supervisor gives no sign of life, is lost.
std::unique_ptr<Executor> make_slurm_executor(boost::asio::io_context& loop, SlurmOptions options);

/// Returns whether a daemon, this one or an earlier one, submitted the attempt to the engine. Reads files.
bool handed_in(const fs::path& attempt_dir);

/// Dispatches jobs with `spec.cluster` to `cluster`, all others to `local`. Both must outlive the result.
std::unique_ptr<Executor> make_placed_executor(Executor& local, Executor& cluster);

}  // namespace hydra::exec
