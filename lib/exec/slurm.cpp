#include "exec/slurm.hpp"

#include "base/files.hpp"
#include "base/log.hpp"
#include "base/strings.hpp"
#include "exec/attempt.hpp"
#include "exec/lay_out.hpp"
#include "exec/slurm_calls.hpp"
#include "exec/worker.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include <atomic>
#include <map>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>

namespace hydra::exec {
namespace {

namespace asio = boost::asio;
using SteadyTime = std::chrono::steady_clock::time_point;

SteadyTime steady_now() { return std::chrono::steady_clock::now(); }

/// When a file was last touched, by whatever clock; 0: it is not there. Only changes of it are believed.
std::int64_t touched(const fs::path& file) {
  struct stat s {};
  if (::stat(file.c_str(), &s) != 0) return 0;
  return s.st_mtim.tv_sec * 1'000'000'000 + s.st_mtim.tv_nsec;
}

/// One attempt, as the thread that looks at files knows it.
struct Placement {
  JobSpec spec;  ///< without its environment
  std::shared_ptr<asio::executor_work_guard<asio::io_context::executor_type>> busy;
  std::atomic<bool> cancelled = false;
  bool handed_in = false;  ///< Slurm has, or may have, the job
  SteadyTime handed_at{};
  std::int64_t beat = 0;  ///< of its heartbeat, when that was looked at last
  int missing = 0;        ///< so many questions in a row Slurm did not know it, and it gave no sign of life
  SteadyTime held_since{};
};
using PlacementPtr = std::shared_ptr<Placement>;

/// What Hydra writes into an attempt's directory beside what the supervisor does.
constexpr const char* kQueued = "queued";
fs::path fence_file(const Placement& job) { return job.spec.attempt_dir / "cancel"; }

class SlurmExecutor final : public Executor {
 public:
  SlurmExecutor(asio::io_context& loop, SlurmOptions options)
      : loop_(loop), options_(std::move(options)), alive_(std::make_shared<bool>(true)) {}
  /// Jobs go on.
  ~SlurmExecutor() override {
    *alive_ = false;
    commands_.end();
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
    // The file reaches a supervisor wherever it is, and one that has not begun.
    files_.post([this, job = it->second.placement] {
      (void)write_file(fence_file(*job), "", 0600);
      commands_.post([this, job] {
        if (steady_now() < again_at_) return;  // the file does it
        scancel(job->spec.key, calls());
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
  /// As the loop's thread knows it.
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

  // --- the thread of files ---

  void begin(const PlacementPtr& job, const JobSpec& spec) {
    if (!handed_in(spec.attempt_dir)) {
      if (auto laid_out = prepare(spec); !laid_out.ok()) return fail(job, describe(laid_out.error()));
      commands_.post([this, job, until = steady_now() + options_.patience] { hand_in(job, until); });
    } else {
      // By the daemon before this one.
      job->handed_in = true;
      job->handed_at = steady_now();
    }
    watched_[spec.key] = job;
    if (watched_.size() == 1) look_soon();
    commands_.post([this] { ask_soon(); });
  }

  Result<void> prepare(const JobSpec& spec) const {
    HYDRA_CHECK(make_dirs(spec.attempt_dir, 0700));
    HYDRA_CHECK(lay_out(spec, {options_.bwrap, options_.shim, ::geteuid(), ::getegid()}, {}));
    // It may hold secrets: the supervisor takes it away before anything else, and so does the job's end.
    std::string words;
    for (const auto& [name, value] : marked_environment(spec)) words += name + "=" + value + '\0';
    return write_file_atomic(spec.attempt_dir / "environment", words, false, 0600);
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

  /// Whether its result is there; then it is told.
  bool settled(const PlacementPtr& job) {
    JobResult result;
    switch (read_result(job->spec.attempt_dir, job->spec, result)) {
      case FileState::good:
        tell(job, std::move(result));
        return true;
      case FileState::torn:
        lose(job, "result.json can't be read");
        return true;
      case FileState::foreign:
        lose(job, "result.json belongs to another attempt");
        return true;
      case FileState::absent:
        return false;
    }
    return false;
  }

  void judge(const std::map<std::string, SlurmJob>& queue, SteadyTime asked) {
    const auto all = watched_;
    for (const auto& [key, job] : all) {
      if (!job->handed_in || job->handed_at > asked || settled(job)) continue;
      const auto beat = touched(job->spec.attempt_dir / "heartbeat");
      const bool alive = beat != std::exchange(job->beat, beat);
      const auto found = queue.find(slurm_name(key));
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
    commands_.post([this, job] { scancel(job->spec.key, calls()); });
    lose(job, "Slurm holds it (" + reason + "): `scontrol release` would let it go");
  }

  /// Slurm does not have it, and it does not beat. A result may have been on its way.
  void gone(const PlacementPtr& job) {
    constexpr int kSure = 2;
    std::error_code ignored;
    const bool began = fs::exists(job->spec.attempt_dir / "started.json", ignored);
    if (++job->missing < kSure && !(job->cancelled && !began)) return commands_.post([this] { ask_soon(); });
    if (settled(job)) return;
    if (began) return lose(job, "its node, or its supervisor there, vanished without a result");
    const auto said = read_file(job->spec.attempt_dir / "slurm.log", 1u << 16).value_or("");
    if (!trim(said).empty()) return fail(job, "hydra-shim can't run on the node: " + std::string(trim(said)));
    if (job->cancelled) return end_unbegun(job, End::cancelled, "cancelled before it started");
    lose(job, "Slurm gave it up before it began");
  }

  /// From now on nothing of this attempt counts, and what of it is still somewhere ends itself.
  void lose(const PlacementPtr& job, const std::string& reason) {
    (void)write_file(fence_file(*job), "", 0600);
    end_unbegun(job, End::lost, reason + full_disk(job->spec.attempt_dir));
  }
  void fail(const PlacementPtr& job, const std::string& reason) {
    (void)write_file(fence_file(*job), "", 0600);
    end_unbegun(job, End::start_failed, reason + full_disk(job->spec.attempt_dir));
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
    fs::remove(job->spec.attempt_dir / "environment", ignored);
    asio::post(loop_, [this, alive = alive_, job, busy = std::move(job->busy), result = std::move(result)] {
      if (*alive) finish(job, result);
    });
  }

  // --- the thread of Slurm's commands ---

  /// Where the controller is away, again until `until`; a job that it took without a word is found by name,
  /// and two copies of one would be one execution anyway: the second finds started.json taken.
  void hand_in(const PlacementPtr& job, SteadyTime until) {
    if (job->cancelled)
      return files_.post([this, job] { end_unbegun(job, End::cancelled, "cancelled before it started"); });
    const auto later = [this, job, until] {
      commands_.after(std::chrono::ceil<std::chrono::milliseconds>(again_at_ - steady_now()),
                      [this, job, until] { hand_in(job, until); });
    };
    // One job finds out that the controller is away; the others need not hang there, too.
    if (steady_now() < again_at_) return later();
    bool temporary = false;
    auto id = sbatch(job->spec, options_.shim, calls(), temporary);
    if (!id.ok() && temporary && steady_now() < until) {
      if (!std::exchange(away_, true)) log::warn("{}", describe(id.error()));
      const auto queue = squeue(calls());
      if (!queue.ok() || !queue->contains(slurm_name(job->spec.key))) {
        again_at_ = steady_now() + kAgain;
        return later();
      }
      id = std::string("found");
    }
    if (id.ok()) away_ = false;
    files_.post([this, job, id] {
      if (!id.ok()) return fail(job, describe(id.error()));
      (void)write_file(job->spec.attempt_dir / kQueued, *id + "\n", 0600);
      job->handed_at = steady_now();
      job->handed_in = true;
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

  // --- the loop's thread ---

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
  std::map<std::string, PlacementPtr> watched_;  ///< of the thread of files
  std::chrono::milliseconds pause_{0};           ///< of the thread of commands, as the next ones
  bool asking_ = false;
  bool away_ = false;      ///< the controller, as was logged
  SteadyTime again_at_{};  ///< until then it is not tried
  Worker files_, commands_;
};

}  // namespace

bool handed_in(const fs::path& attempt_dir) {
  for (const char* name : {"started.json", "result.json", kQueued}) {
    std::error_code ignored;
    if (fs::exists(attempt_dir / name, ignored)) return true;
  }
  return false;
}

std::unique_ptr<Executor> make_slurm_executor(boost::asio::io_context& loop, SlurmOptions options) {
  return std::make_unique<SlurmExecutor>(loop, std::move(options));
}

}  // namespace hydra::exec
