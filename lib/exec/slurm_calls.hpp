// exec: Slurm's command line: sbatch, squeue, scancel, sinfo. Each call has a deadline, since commands block
// for seconds when the controller is away; never call on the loop's thread. Of Slurm only the output of these
// commands counts, and a job's own result.json overrides it (docs/cluster.md).
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

/// A job's name in Slurm: Hydra's key, by which the job is found. Ids may be reused after Slurm has lost its
/// state.
std::string slurm_name(const std::string& key);

/// Identifies a job in Slurm. Jobs submitted together are an array: one name, one id, and an index each.
struct SlurmPlace {
  std::string name;
  int index = -1;    ///< index in the array; -1: submitted alone
  std::string id{};  ///< id printed by sbatch, for people: ids may be reused after Slurm has lost its state
};

/// Records the place in the attempt's directory for the next daemon: "ID NAME INDEX" in the file `queued`.
void record_place(const JobSpec& spec, const SlurmPlace& place);
/// Without a record: the place of a job that was submitted alone.
SlurmPlace recorded_place(const JobSpec& spec);

/// Arguments for sbatch: jobs with equal requests can be submitted together.
std::vector<std::string> slurm_request(const JobSpec& spec);

/// Submits the jobs, several as one array under this name; all or none are accepted.
/// `temporary` is set when the controller did not answer: whether it accepted them is unknown then.
/// Errc::unsupported: the cluster does not allow arrays of this size.
Result<std::string> sbatch(const std::vector<const JobSpec*>& jobs, const std::string& name,
                           const fs::path& shim, const SlurmCalls& calls, bool& temporary);
/// A waiting job never starts; a running one receives TERM, which its supervisor treats as a cancel.
void scancel(const SlurmPlace& place, const SlurmCalls& calls);

struct SlurmJob {
  std::string state, reason;
  std::string id{};  ///< id printed by sbatch
  /// Returns whether the job will not start by itself.
  [[nodiscard]] bool held() const;
};
/// Keyed by name and index in the array.
using SlurmQueue = std::map<std::pair<std::string, int>, SlurmJob>;
/// Lists this user's jobs that have not ended, in one call.
Result<SlurmQueue> squeue(const SlurmCalls& calls);

struct SlurmNode {
  std::string name, partition, state, reason;
  int cpus = 0;
  /// Returns whether the node accepts jobs.
  [[nodiscard]] bool usable() const;
};

/// Returns the value of an option ("--partition=") of the request; empty: not among them.
std::string option_of(const ClusterRequest& request, std::string_view option);

/// Nodes of a cluster, and the reason if it can't run jobs.
struct ClusterFacts {
  std::string version;           ///< "slurm 22.05.8"; empty: not installed
  std::vector<SlurmNode> nodes;  ///< nodes of every partition
  std::string default_partition;
  std::string problem, remedy;  ///< empty: the requested jobs can run
  int cpus = 0;                 ///< CPUs of the partition's usable nodes
};

/// Queries the cluster, and lets Slurm test (`sbatch --test-only`) whether such a job could run. Blocking, at
/// most a few deadlines.
ClusterFacts probe_cluster(const ClusterRequest& request, const SlurmCalls& calls);

}  // namespace hydra::exec
