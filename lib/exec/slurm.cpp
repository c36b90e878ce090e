#include "exec/slurm.hpp"

#include "base/files.hpp"
#include "base/log.hpp"
#include "base/strings.hpp"
#include "exec/attempt.hpp"
#include "exec/lay_out.hpp"
#include "exec/scratch.hpp"
#include "exec/slurm_calls.hpp"
#include "exec/worker.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <unistd.h>

namespace hydra::exec {
namespace {

namespace asio = boost::asio;
using SteadyTime = std::chrono::steady_clock::time_point;

SteadyTime steady_now() { return std::chrono::steady_clock::now(); }

/// An attempt, as seen by the file thread.
struct Placement {
  JobSpec spec;  ///< without its environment
  std::shared_ptr<asio::executor_work_guard<asio::io_context::executor_type>> busy;
  std::atomic<bool> cancelled = false;
  int calls = 0;           ///< sbatch calls in which it was the first job
  SlurmPlace place{};      ///< set before the job is submitted
  SteadyTime patience{};   ///< end of waiting for an unreachable controller
  bool handed_in = false;  ///< Slurm has, or may have, the job
  SteadyTime handed_at{};
  std::int64_t beat = 0;  ///< heartbeat at the last look
  int missing = 0;  ///< consecutive queries in which Slurm did not know the job and its heartbeat stood still
  SteadyTime held_since{};
};
using PlacementPtr = std::shared_ptr<Placement>;

fs::path fence_file(const Placement& job) { return job.spec.attempt_dir / "cancel"; }

class SlurmExecutor final : public Executor {
 public:
  SlurmExecutor(asio::io_context& loop, SlurmOptions options)
      : loop_(loop), options_(std::move(options)), alive_(std::make_shared<bool>(true)) {}
  /// Jobs continue.
  ~SlurmExecutor() override {
    *alive_ = false;
    commands_.end();
    trees_.end();
    files_.end();
  }
  SlurmExecutor(const SlurmExecutor&) = delete;
  SlurmExecutor& operator=(const SlurmExecutor&) = delete;

  [[nodiscard]] ExecutorCaps caps() const override { return {true, true, "slurm"}; }

  Result<void> submit(const JobSpec& spec, OnEnd on_end) override {
    HYDRA_CHECK(check_spec(spec, options_.bwrap));
    if (!spec.cluster) return Error{Errc::internal, "a job of a cluster says what it asks for", spec.key, ""};
    if (const auto known = jobs_.find(spec.key); known != jobs_.end()) {
      auto& old = known->second;
      if (old.placement->spec.token == spec.token) return join(old, std::move(on_end));
      if (!old.ended)
        return Error{Errc::conflict, "another attempt of this job is still running", spec.key, ""};
    }
    auto placement = std::make_shared<Placement>();
    placement->spec = spec;
    placement->spec.env.clear();
    placement->busy = std::make_shared<asio::executor_work_guard<asio::io_context::executor_type>>(
        asio::make_work_guard(loop_));
    auto& job = jobs_[spec.key];
    job = {};
    job.placement = placement;
    job.waiters.push_back(std::move(on_end));
    files_.post([this, placement, spec] { begin(placement, spec); });
    return {};
  }

  void cancel(const std::string& key) override {
    const auto it = jobs_.find(key);
    if (it == jobs_.end() || it->second.ended || it->second.placement->cancelled.exchange(true)) return;
    // The fence file reaches a supervisor on any node, also one that has not started yet.
    files_.post([this, job = it->second.placement] {
      (void)write_file(fence_file(*job), "", 0600);
      commands_.post([this, job] {
        if (steady_now() < again_at_) return;  // the fence file suffices
        scancel(job->place, calls());
        ask();
      });
    });
  }

  void release(const std::string& key) override {
    if (const auto it = jobs_.find(key); it != jobs_.end() && it->second.ended) jobs_.erase(it);
  }

  [[nodiscard]] std::vector<std::string> running() const override {
    std::vector<std::string> keys;
    for (const auto& [key, job] : jobs_)
      if (!job.ended) keys.push_back(key);
    return keys;
  }

 private:
  /// An attempt, as seen by the loop's thread.
  struct Job {
    PlacementPtr placement;
    std::vector<OnEnd> waiters;
    bool ended = false;
    JobResult result;
  };

  [[nodiscard]] SlurmCalls calls() const { return {options_.deadline, commands_.stop()}; }

  Result<void> join(Job& job, OnEnd on_end) {
    if (!job.ended) {
      job.waiters.push_back(std::move(on_end));
      return {};
    }
    asio::post(loop_, [alive = alive_, result = job.result, on_end = std::move(on_end)] {
      if (*alive) on_end(result);
    });
    return {};
  }

  // --- file thread ---

  void begin(const PlacementPtr& job, const JobSpec& spec) {
    job->place.name = slurm_name(spec.key);
    if (!handed_in(spec.attempt_dir)) {
      job->patience = steady_now() + options_.patience;
      (travels(spec) ? trees_ : files_).post([this, job, spec] {
        const auto laid_out = lay_out_placed(spec, {options_.bwrap, options_.shim, ::geteuid(), ::getegid()});
        if (laid_out.ok()) return commands_.post([this, job] { hand_in(job); });
        files_.post([this, job, why = describe(laid_out.error())] { give_up(job, End::start_failed, why); });
      });
    } else {
      // Submitted by the previous daemon.
      job->place = recorded_place(spec);
      job->handed_in = true;
      job->handed_at = steady_now();
    }
    watched_[spec.key] = job;
    if (watched_.size() == 1) look_soon();
    commands_.post([this] { ask_soon(); });
  }

  void look_soon() {
    files_.after(options_.look, [this] {
      look();
      if (!watched_.empty()) look_soon();
    });
  }

  void look() {
    const auto all = watched_;
    for (const auto& [key, job] : all) (void)settled(job);
  }

  /// Reports the result if there is one; returns whether it did.
  bool settled(const PlacementPtr& job) {
    JobResult result;
    switch (read_result(job->spec.attempt_dir, job->spec, result)) {
      case FileState::good:
        if (travels(job->spec))
          take_back(job, std::move(result));
        else
          tell(job, std::move(result));
        return true;
      case FileState::torn:
        give_up(job, End::lost, "result.json can't be read");
        return true;
      case FileState::foreign:
        give_up(job, End::lost, "result.json belongs to another attempt");
        return true;
      case FileState::absent:
        return false;
    }
    return false;
  }

  /// Copy the node's tree back before reporting the end.
  void take_back(const PlacementPtr& job, JobResult result) {
    watched_.erase(job->spec.key);
    trees_.post([this, job, result = std::move(result)]() mutable {
      if (const auto taken = take_tree_back(job->spec); !taken.ok()) {
        result = blank_result(job->spec);
        result.message = describe(taken.error()) + full_disk(job->spec.tree);
      }
      files_.post([this, job, result] { tell(job, result); });
    });
  }

  void judge(const SlurmQueue& queue, SteadyTime asked) {
    const auto all = watched_;
    for (const auto& [key, job] : all) {
      if (!job->handed_in || job->handed_at > asked || settled(job)) continue;
      const auto beat = last_beat(job->spec.attempt_dir);
      const bool alive = beat != std::exchange(job->beat, beat);
      const auto found = queue.find({job->place.name, job->place.index});
      if (found != queue.end() && found->second.held()) {
        held(job, found->second.reason);
      } else if (found != queue.end() || alive) {
        job->missing = 0;
        job->held_since = {};
      } else {
        gone(job);
      }
    }
  }

  void held(const PlacementPtr& job, const std::string& reason) {
    if (job->held_since == SteadyTime{}) job->held_since = steady_now();
    if (steady_now() - job->held_since < options_.held_grace) return;
    commands_.post([this, job] { scancel(job->place, calls()); });
    give_up(job, End::lost, "Slurm holds it (" + reason + "): `scontrol release` would let it go");
  }

  /// Slurm does not have the job, and its heartbeat stands still. A result may still be under way.
  void gone(const PlacementPtr& job) {
    constexpr int kSure = 2;
    std::error_code ignored;
    const bool began = fs::exists(job->spec.attempt_dir / "started.json", ignored);
    if (++job->missing < kSure && !(job->cancelled && !began)) return commands_.post([this] { ask_soon(); });
    if (settled(job)) return;
    if (began) return give_up(job, End::lost, "its node, or its supervisor there, vanished without a result");
    const auto said = read_file(job->spec.attempt_dir / "slurm.log", 1u << 16).value_or("");
    if (!trim(said).empty())
      return give_up(job, End::start_failed, "hydra-shim can't run on the node: " + std::string(trim(said)));
    if (job->cancelled) return end_unbegun(job, End::cancelled, "cancelled before it started");
    give_up(job, End::lost, "Slurm gave it up before it began");
  }

  /// From now on no result of this attempt counts, and its remaining processes end themselves.
  void give_up(const PlacementPtr& job, End end, const std::string& reason) {
    (void)write_file(fence_file(*job), "", 0600);
    end_unbegun(job, end, reason + full_disk(job->spec.attempt_dir));
  }
  void end_unbegun(const PlacementPtr& job, End end, std::string message) {
    auto result = blank_result(job->spec);
    result.end = end;
    result.message = std::move(message);
    tell(job, std::move(result));
  }

  void tell(const PlacementPtr& job, JobResult result) {
    watched_.erase(job->spec.key);
    std::error_code ignored;
    for (const char* file : {"environment", kTreeThere}) fs::remove(job->spec.attempt_dir / file, ignored);
    asio::post(loop_, [this, alive = alive_, job, busy = std::move(job->busy), result = std::move(result)] {
      if (*alive) finish(job, result);
    });
  }

  // --- Slurm command thread ---

  /// Jobs that arrive while a command runs are submitted together afterwards.
  void hand_in(const PlacementPtr& job) {
    ready_.push_back(job);
    hand_in_soon({});
  }
  void hand_in_soon(std::chrono::milliseconds pause) {
    if (ready_.empty() || std::exchange(handing_in_, true)) return;
    commands_.after(pause, [this] {
      handing_in_ = false;
      // A single call suffices to find the controller unreachable; further calls would only block.
      if (const auto wait = std::chrono::ceil<std::chrono::milliseconds>(again_at_ - steady_now());
          wait.count() > 0)
        return hand_in_soon(wait);
      hand_in(next_bulk());
      hand_in_soon({});
    });
  }

  /// The first ready job, and those with an equal request; cancelled jobs are left out.
  std::vector<PlacementPtr> next_bulk() {
    std::vector<PlacementPtr> bulk, others;
    for (auto& job : std::exchange(ready_, {})) {
      if (job->cancelled)
        files_.post([this, job] { end_unbegun(job, End::cancelled, "cancelled before it started"); });
      else if (bulk.empty() ||
               (bulk.size() < bulk_ && slurm_request(job->spec) == slurm_request(bulk[0]->spec)))
        bulk.push_back(job);
      else
        others.push_back(job);
    }
    ready_ = std::move(others);
    return bulk;
  }

  /// Repeats while the controller is unreachable, until the jobs' patience ends. Silently accepted jobs are
  /// found by name, and two copies are one execution: the second finds started.json taken.
  void hand_in(const std::vector<PlacementPtr>& bulk) {
    if (bulk.empty()) return;
    std::vector<const JobSpec*> specs;
    for (const auto& job : bulk) specs.push_back(&job->spec);
    // Each call has a unique name, so that an array index identifies its job.
    auto name = slurm_name(bulk[0]->spec.key);
    if (bulk[0]->calls++ > 0) name += "~" + std::to_string(bulk[0]->calls);
    bool temporary = false;
    auto id = sbatch(specs, name, options_.shim, calls(), temporary);
    if (!id.ok() && id.error().code == Errc::unsupported && bulk.size() > 1) {
      bulk_ = 1;
      return ready_.insert(ready_.begin(), bulk.begin(), bulk.end()), void();
    }
    if (!id.ok() && temporary && steady_now() < bulk[0]->patience) {
      if (!std::exchange(away_, true)) log::warn("{}", describe(id.error()));
      const auto queue = squeue(calls());
      const auto found = queue.ok() ? queue->lower_bound({name, -1}) : SlurmQueue::const_iterator{};
      if (!queue.ok() || found == queue->end() || found->first.first != name) {
        again_at_ = steady_now() + kAgain;
        return ready_.insert(ready_.begin(), bulk.begin(), bulk.end()), void();
      }
      id = found->second.id;
    }
    if (id.ok()) away_ = false;
    for (std::size_t i = 0; i < bulk.size(); ++i)
      if (id.ok()) bulk[i]->place = {name, bulk.size() > 1 ? static_cast<int>(i) : -1, *id};
    files_.post([this, bulk, id] {
      for (const auto& job : bulk) {
        if (!id.ok()) {
          give_up(job, End::start_failed, describe(id.error()));
          continue;
        }
        record_place(job->spec, job->place);
        job->handed_at = steady_now();
        job->handed_in = true;
      }
    });
  }

  void ask_soon() {
    if (std::exchange(asking_, true)) return;
    commands_.after(pause_, [this] { ask(); });
  }

  void ask() {
    asking_ = false;
    if (commands_.stop().stop_requested()) return;
    const auto began = steady_now();
    const auto queue = squeue(calls());
    // A slow controller is asked less often.
    const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(steady_now() - began);
    pause_ = std::max(options_.ask, 10 * took);
    if (commands_.stop().stop_requested()) return;
    if (!queue.ok() && !std::exchange(away_, true)) log::warn("{}", describe(queue.error()));
    if (queue.ok()) away_ = false;
    files_.post([this, queue, began] {
      if (queue.ok()) judge(*queue, began);
      if (!watched_.empty()) commands_.post([this] { ask_soon(); });
    });
  }

  // --- loop's thread ---

  void finish(const PlacementPtr& placement, const JobResult& result) {
    const auto it = jobs_.find(placement->spec.key);
    if (it == jobs_.end() || it->second.placement != placement || it->second.ended) return;
    it->second.ended = true;
    it->second.result = result;
    const auto waiters = std::exchange(it->second.waiters, {});
    for (const auto& on_end : waiters)
      if (on_end) on_end(result);
  }

  static constexpr std::chrono::seconds kAgain{3};

  asio::io_context& loop_;
  SlurmOptions options_;
  std::shared_ptr<bool> alive_;
  std::map<std::string, Job> jobs_;
  std::map<std::string, PlacementPtr> watched_;  ///< used by the file thread
  std::chrono::milliseconds pause_{0};           ///< used by the command thread, like the members below
  bool asking_ = false;
  bool away_ = false;                ///< controller unreachable, and logged
  SteadyTime again_at_{};            ///< end of the pause before the next attempt
  std::vector<PlacementPtr> ready_;  ///< jobs to submit
  bool handing_in_ = false;
  std::size_t bulk_ = 500;  ///< maximum jobs of an array; Slurm's default is 1,000
  Worker files_, commands_;
  Worker trees_;  ///< packs and unpacks trees, so that results need not wait for it
};

}  // namespace

std::unique_ptr<Executor> make_slurm_executor(boost::asio::io_context& loop, SlurmOptions options) {
  return std::make_unique<SlurmExecutor>(loop, std::move(options));
}

}  // namespace hydra::exec
