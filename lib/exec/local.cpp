#include "base/fd.hpp"
#include "base/files.hpp"
#include "exec/attempt.hpp"
#include "exec/bwrap.hpp"
#include "exec/executor.hpp"
#include "exec/lay_out.hpp"
#include "exec/started.hpp"
#include "launch/launch.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>

#include <algorithm>
#include <cerrno>
#include <map>
#include <memory>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace hydra::exec {
namespace {

namespace asio = boost::asio;

/// A submitted attempt. The environment is dropped after the start: it may hold secrets.
struct Job {
  explicit Job(asio::io_context& loop) : watch(loop) {}
  JobSpec spec;
  std::vector<Executor::OnEnd> waiters;
  asio::posix::stream_descriptor watch;  ///< pidfd of the shim
  pid_t pid = 0;
  bool child = false;  ///< true: our child, which we reap; false: adopted
  bool cancelled = false;
  bool ended = false;
  JobResult result;
};
using JobPtr = std::shared_ptr<Job>;

/// Starts the shim in a new session with none of our descriptors, exactly `env` as environment, and TERM and
/// CHLD blocked until the shim unblocks them. The caller waits for the child.
Result<pid_t> launch_shim(const fs::path& shim, const fs::path& dir, const Env& env) {
  std::vector<std::string> variables;
  for (const auto& [key, value] : env) variables.push_back(key + "=" + value);
  launch::Program program{shim, {"--attempt", dir.string()}, std::move(variables), "/"};
  program.descriptors = {{-1, 0}, {-1, 1}, {-1, 2}};
  program.only_these = true;
  program.group = launch::Group::own_session;
  // A cancel may precede the shim's signal handling: a blocked signal stays pending.
  program.held = {SIGTERM, SIGCHLD};
  HYDRA_TRY(const pid_t pid, launch::start(program));
  count_started(shim.string());
  return pid;
}

bool poll_ended(int pidfd) {
  pollfd p{pidfd, POLLIN, 0};
  return ::poll(&p, 1, 0) > 0;
}

/// A thread for work that blocks in the kernel.
class Sweeper {
 public:
  /// std::system_error: no thread can be started.
  Sweeper() : guard_(asio::make_work_guard(loop)), thread_([this] { loop.run(); }) {}
  ~Sweeper() {
    guard_.reset();
    thread_.join();
  }
  Sweeper(const Sweeper&) = delete;
  Sweeper& operator=(const Sweeper&) = delete;
  asio::io_context loop{1};

 private:
  asio::executor_work_guard<asio::io_context::executor_type> guard_;
  std::thread thread_;
};

class LocalExecutor final : public Executor {
 public:
  LocalExecutor(asio::io_context& loop, LocalOptions options)
      : loop_(loop), options_(std::move(options)), alive_(std::make_shared<bool>(true)) {}
  /// The shims continue to run.
  ~LocalExecutor() override {
    sweeper_.reset();  // joins the thread
    *alive_ = false;
    boost::system::error_code ignored;
    for (auto& [key, job] : jobs_) job->watch.close(ignored);
  }

  LocalExecutor(const LocalExecutor&) = delete;
  LocalExecutor& operator=(const LocalExecutor&) = delete;

  [[nodiscard]] ExecutorCaps caps() const override {
    const std::string without = options_.cgroups.empty()           ? "subreaper-sweep"
                                : options_.cgroups[0].kind == "v2" ? "cgroup-v2"
                                                                   : "cgroup-v1";
    return {true, true, options_.bwrap.empty() ? without : "pid-namespace"};
  }

  Result<void> submit(const JobSpec& spec, OnEnd on_end) override {
    HYDRA_CHECK(check_spec(spec, options_.bwrap));
    if (const auto known = jobs_.find(spec.key); known != jobs_.end()) {
      const JobPtr& old = known->second;
      if (old->spec.token == spec.token) return join(old, std::move(on_end));
      if (!old->ended)
        return Error{Errc::conflict, "another attempt of this job is still running", spec.key, ""};
    }
    auto job = std::make_shared<Job>(loop_);
    job->spec = spec;
    job->spec.env.clear();
    job->waiters.push_back(std::move(on_end));
    HYDRA_CHECK(begin(job, spec));
    jobs_[spec.key] = job;
    return {};
  }

  void cancel(const std::string& key) override {
    const auto it = jobs_.find(key);
    if (it == jobs_.end() || it->second->ended) return;
    Job& job = *it->second;
    job.cancelled = true;
    if (job.watch.is_open()) ::syscall(SYS_pidfd_send_signal, job.watch.native_handle(), SIGTERM, nullptr, 0);
  }

  void release(const std::string& key) override {
    const auto it = jobs_.find(key);
    if (it == jobs_.end() || !it->second->ended) return;
    // A shim gives up soon when a process in the group ends slowly, so remove the group here.
    for (const auto& parent : options_.cgroups) ::rmdir(cgroup_of(parent, it->second->spec.token).c_str());
    jobs_.erase(it);
  }

  [[nodiscard]] std::vector<std::string> running() const override {
    std::vector<std::string> keys;
    for (const auto& [key, job] : jobs_)
      if (!job->ended) keys.push_back(key);
    return keys;
  }

 private:
  /// Submitting an attempt again is one execution; all callers hear of its end.
  Result<void> join(const JobPtr& job, OnEnd on_end) {
    if (!job->ended) {
      job->waiters.push_back(std::move(on_end));
      return {};
    }
    asio::post(loop_, [alive = alive_, result = job->result, on_end = std::move(on_end)] {
      if (*alive) on_end(result);
    });
    return {};
  }

  Result<void> begin(const JobPtr& job, const JobSpec& spec) {
    HYDRA_CHECK(make_dirs(spec.attempt_dir, 0700));
    if (::chmod(spec.attempt_dir.c_str(), 0700) != 0)
      return system_error("chmod " + spec.attempt_dir.string(), errno);
    std::error_code ignored;
    const bool fresh = !fs::exists(spec.attempt_dir / "started.json", ignored) &&
                       !fs::exists(spec.attempt_dir / "result.json", ignored);
    if (!fresh) {
      settle(job);
      return {};
    }
    HYDRA_CHECK(lay_out(spec, {options_.bwrap, options_.shim, ::geteuid(), ::getegid()}, groups_of(spec)));
    HYDRA_TRY(const pid_t pid, launch_shim(options_.shim, spec.attempt_dir, marked_environment(spec)));
    job->child = true;
    if (!watch(job, pid)) settle(job);
    return {};
  }

  /// A PID namespace ends the tree as reliably and more cheaply: its jobs need a group for limits only.
  [[nodiscard]] std::vector<CgroupParent> groups_of(const JobSpec& spec) const {
    const bool bounded = spec.sandbox.isolation != Isolation::none;
    std::vector<CgroupParent> groups;
    for (const auto& parent : options_.cgroups) {
      const bool limits =
          (spec.limits.memory_bytes > 0 && parent.memory) || (spec.limits.processes > 0 && parent.processes);
      if (limits || !bounded) groups.push_back(parent);
    }
    return groups;
  }

  /// False: the process has ended already.
  bool watch(const JobPtr& job, pid_t pid) {
    job->pid = pid;
    const int fd = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
    if (fd < 0) return false;
    boost::system::error_code failed;
    job->watch.assign(fd, failed);
    if (failed) {
      ::close(fd);
      return false;
    }
    await(job);
    return true;
  }

  void await(const JobPtr& job) {
    job->watch.async_wait(asio::posix::descriptor_base::wait_read,
                          [this, alive = alive_, job](const boost::system::error_code& failed) {
                            if (!*alive || failed) return;
                            // Readiness may be spurious: poll the pidfd itself.
                            if (!poll_ended(job->watch.native_handle())) return await(job);
                            reap(*job);
                            settle(job);
                          });
  }

  static void reap(Job& job) {
    if (job.child) {
      siginfo_t info{};
      // Another reaper in the daemon may have been faster: the result file decides, not this status.
      ::waitid(P_PIDFD, static_cast<id_t>(job.watch.native_handle()), &info, WEXITED | WNOHANG);
    }
    boost::system::error_code ignored;
    job.watch.close(ignored);
    job.child = false;
  }

  /// No shim of ours is known to run: the directory tells how the attempt ended.
  void settle(const JobPtr& job) {
    const fs::path& dir = job->spec.attempt_dir;
    Started started;
    const FileState state = read_started(dir, job->spec.token, started);
    if (state == FileState::good && is_alive(started) && started.pid != job->pid && adopt(job, started))
      return;
    JobResult result;
    switch (read_result(dir, job->spec, result)) {
      case FileState::good:
        return end(job, std::move(result));
      case FileState::torn:
        return lose(job, "result.json can't be read");
      case FileState::foreign:
        return lose(job, "result.json belongs to another attempt");
      case FileState::absent:
        break;
    }
    if (state == FileState::absent) return never_started(job);
    if (state == FileState::foreign) return lose(job, "the directory belongs to another attempt");
    lose(job, state == FileState::torn ? "started.json can't be read"
                                       : "the supervisor vanished without a result");
  }

  bool adopt(const JobPtr& job, const Started& started) {
    job->child = false;
    if (!watch(job, started.pid)) return false;
    if (!is_alive(started)) {  // ended between both checks; the pid may be reused
      boost::system::error_code ignored;
      job->watch.close(ignored);
      return false;
    }
    if (job->cancelled) ::syscall(SYS_pidfd_send_signal, job->watch.native_handle(), SIGTERM, nullptr, 0);
    return true;
  }

  void never_started(const JobPtr& job) {
    JobResult result = blank_result(job->spec);
    result.end = job->cancelled ? End::cancelled : End::start_failed;
    result.message = job->cancelled ? "cancelled before it started" : why_unclaimed(job->spec.attempt_dir);
    end(job, std::move(result));
  }

  static std::string why_unclaimed(const fs::path& dir) {
    const auto full = full_disk(dir);
    return "hydra-shim could not claim the attempt's directory" + (full.empty() ? ": is it writable?" : full);
  }

  /// Kills processes that a dead shim left; returns their number.
  static int end_rest(const fs::path& dir, const std::string& token, std::vector<fs::path> groups) {
    // The daemon that started the attempt may have used other parents for its groups.
    for (auto& group : attempt_groups(dir, token))
      if (std::find(groups.begin(), groups.end(), group) == groups.end()) groups.push_back(std::move(group));
    int killed = end_groups(groups);
    // Each sweep may find children that the previous one missed, and may count dying processes again.
    for (int round = 0; round < 5; ++round) {
      const int found = sweep_cookie(token);
      killed = std::max(killed, found);
      if (found == 0) break;
    }
    return killed;
  }

  /// Without a thread, the work runs on the loop: slow but done.
  asio::io_context& sweeper() {
    try {
      if (!sweeper_) sweeper_ = std::make_unique<Sweeper>();
      return sweeper_->loop;
    } catch (const std::system_error&) {
      return loop_;
    }
  }

  /// Runs off the loop: it blocks in the kernel and reads the environment of all processes of the machine.
  void lose(const JobPtr& job, const std::string& reason) {
    const auto why = reason + full_disk(job->spec.attempt_dir);
    std::vector<fs::path> groups;
    for (const auto& parent : options_.cgroups) groups.push_back(cgroup_of(parent, job->spec.token));
    asio::post(sweeper(),
               [this, job, why, groups = std::move(groups), alive = alive_, dir = job->spec.attempt_dir,
                token = job->spec.token, busy = asio::make_work_guard(loop_)]() mutable {
                 const int killed = end_rest(dir, token, std::move(groups));
                 asio::post(loop_, [this, job, why, killed, alive = std::move(alive)] {
                   if (!*alive) return;
                   JobResult result = blank_result(job->spec);
                   result.leaked = killed;
                   result.message = why;
                   end(job, std::move(result));
                 });
               });
  }

  /// Always posted to the loop: on_end never runs inside submit.
  void end(const JobPtr& job, JobResult result) {
    asio::post(loop_, [alive = alive_, job, result = std::move(result)]() mutable {
      if (!*alive || job->ended) return;
      job->ended = true;
      job->result = std::move(result);
      auto waiters = std::move(job->waiters);
      job->waiters.clear();
      for (const auto& on_end : waiters)
        if (on_end) on_end(job->result);
    });
  }

  asio::io_context& loop_;
  LocalOptions options_;
  std::shared_ptr<bool> alive_;
  std::map<std::string, JobPtr> jobs_;
  std::unique_ptr<Sweeper> sweeper_;  ///< made on first use
};

}  // namespace

std::unique_ptr<Executor> make_local_executor(boost::asio::io_context& loop, LocalOptions options) {
  return std::make_unique<LocalExecutor>(loop, std::move(options));
}

}  // namespace hydra::exec
