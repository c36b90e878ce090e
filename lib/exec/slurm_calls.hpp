// exec: Slurm's command line: sbatch, squeue, scancel, sinfo. Each call has a deadline, since commands hang
// for seconds when the controller is away; never on the loop's thread. Nothing else is believed of Slurm than
// what these say, and a job's own result.json more than all of them (distributed reference, section 2.3).
#pragma once

#include "base/result.hpp"
#include "exec/job.hpp"

#include <chrono>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

namespace hydra::exec {

struct SlurmCalls {
  std::chrono::milliseconds deadline{10000};
  std::stop_token stop{};
};

/// The job's name in Slurm: Hydra's key, which is what it is found by. Ids may come back after Slurm has lost
/// its state.
std::string slurm_name(const std::string& key);

/// Hands the job in. `temporary` is set where the controller did not answer: then nobody knows whether it
/// took the job.
Result<std::string> sbatch(const JobSpec& spec, const fs::path& shim, const SlurmCalls& calls,
                           bool& temporary);
/// One that waits never starts; one that runs is sent TERM, which its supervisor takes for a cancel.
void scancel(const std::string& key, const SlurmCalls& calls);

struct SlurmJob {
  std::string state, reason;
  /// It will not start by itself.
  [[nodiscard]] bool held() const;
};
/// This user's jobs that have not ended, by name: one call for all of them.
Result<std::map<std::string, SlurmJob>> squeue(const SlurmCalls& calls);

struct SlurmNode {
  std::string name, partition, state, reason;
  int cpus = 0;
  /// Takes jobs.
  [[nodiscard]] bool usable() const;
};

/// What a cluster has, and what keeps it from running jobs.
struct ClusterFacts {
  std::string version;           ///< "slurm 22.05.8"; empty: not there
  std::vector<SlurmNode> nodes;  ///< of every partition
  std::string default_partition;
  std::string problem, remedy;  ///< empty: jobs as asked for can run
  int cpus = 0;                 ///< of the usable nodes of the partition
};

/// Asks the cluster, and has it try (`sbatch --test-only`) whether such a job could run. Blocking, at most a
/// few deadlines.
ClusterFacts probe_cluster(const ClusterRequest& request, const SlurmCalls& calls);

}  // namespace hydra::exec
