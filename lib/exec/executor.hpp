// exec: the contract of every placement of jobs (tests/README.md, "Contract of an executor"). All calls
// come from the loop's thread and return at once; results arrive through the sink on that thread.
#pragma once

#include "base/result.hpp"
#include "exec/cgroup.hpp"
#include "exec/job.hpp"

#include <functional>
#include <memory>
#include <span>
#include <string>

namespace boost::asio {
class io_context;
}

namespace hydra::exec {

struct ExecutorCaps {
  bool survives_daemon = true;
  bool memory_enforced = false;
  std::string kill_rung;  ///< "pid-namespace", "cgroup-v2", "cgroup-v1", "subreaper-sweep"
};

class Executor {
 public:
  using OnEnd = std::function<void(const JobResult&)>;
  virtual ~Executor() = default;

  [[nodiscard]] virtual ExecutorCaps caps() const = 0;
  /// Starts or adopts the job: a key and token submitted twice are one execution, also after a restart of the
  /// daemon (running: adopted; ended: stored result). `on_end` is called exactly once, later.
  virtual Result<void> submit(const JobSpec& spec, OnEnd on_end) = 0;
  /// Runs the stop ladder on the whole process tree. Idempotent; unknown and ended keys are no error.
  virtual void cancel(const std::string& key) = 0;
  /// Forgets an ended job. The attempt directory stays.
  virtual void release(const std::string& key) = 0;
  /// Keys of jobs that were submitted and have not ended.
  [[nodiscard]] virtual std::vector<std::string> running() const = 0;
};

struct LocalOptions {
  fs::path shim;   ///< hydra-shim
  fs::path bwrap;  ///< path of bwrap; empty: not installed
  std::vector<CgroupParent>
      cgroups{};  ///< parents for the control groups of jobs that have limits or run without a sandbox
};

/// Runs jobs as processes of this machine, each under a hydra-shim that outlives the daemon.
std::unique_ptr<Executor> make_local_executor(boost::asio::io_context& loop, LocalOptions options);

}  // namespace hydra::exec
