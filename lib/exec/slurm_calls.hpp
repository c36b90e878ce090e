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
#include <utility>
#include <vector>

namespace hydra::exec {

struct SlurmCalls {
  std::chrono::milliseconds deadline{10000};
  std::stop_token stop{};
};

/// The job's name in Slurm: Hydra's key, which is what it is found by. Ids may come back after Slurm has lost
/// its state.
std::string slurm_name(const std::string& key);

/// How Slurm knows a job. Jobs that were handed in together are an array: one name, one id, and a place each.
struct SlurmPlace {
  std::string name;
  int index = -1;    ///< in the array; -1: it came alone
  std::string id{};  ///< as sbatch said it, for people: it may come back after Slurm has lost its state
};

/// The place is remembered in the attempt's directory, for the next daemon: "ID NAME INDEX" in the file
/// `queued`.
void record_place(const JobSpec& spec, const SlurmPlace& place);
/// Where nothing is remembered: as if it had come alone.
SlurmPlace recorded_place(const JobSpec& spec);

/// What sbatch is asked for: jobs of which that is equal can be handed in together.
std::vector<std::string> slurm_request(const JobSpec& spec);

/// Hands the jobs in, as one array under this name where they are more than one; all or none are taken.
/// `temporary` is set where the controller did not answer: then nobody knows whether it took them.
/// Errc::unsupported: the cluster has no arrays of this size.
Result<std::string> sbatch(const std::vector<const JobSpec*>& jobs, const std::string& name,
                           const fs::path& shim, const SlurmCalls& calls, bool& temporary);
/// One that waits never starts; one that runs is sent TERM, which its supervisor takes for a cancel.
void scancel(const SlurmPlace& place, const SlurmCalls& calls);

struct SlurmJob {
  std::string state, reason;
  std::string id{};  ///< as sbatch said it
  /// It will not start by itself.
  [[nodiscard]] bool held() const;
};
/// By name and place in the array.
using SlurmQueue = std::map<std::pair<std::string, int>, SlurmJob>;
/// This user's jobs that have not ended: one call for all of them.
Result<SlurmQueue> squeue(const SlurmCalls& calls);

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
