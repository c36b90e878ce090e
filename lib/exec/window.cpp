#include "exec/window.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include <algorithm>
#include <deque>
#include <list>
#include <set>
#include <string>
#include <unordered_map>

namespace hydra::exec {
namespace {

/// Keys are "RACE/SUBJECT/KIND/NUMBER".
std::string race_of_key(const std::string& key) { return key.substr(0, key.find('/')); }

class Window final : public Executor {
 public:
  Window(boost::asio::io_context& loop, Executor& inner, int limit)
      : loop_(loop),
        inner_(inner),
        default_limit_(std::max(1, limit)),
        alive_(std::make_shared<bool>(true)) {}
  ~Window() override { *alive_ = false; }
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  [[nodiscard]] ExecutorCaps caps() const override { return inner_.caps(); }

  Result<void> submit(const JobSpec& spec, OnEnd on_end) override {
    if (const auto known = jobs_.find(spec.key); known != jobs_.end()) {
      if (known->second.spec.token != spec.token)
        return Error{Errc::conflict, "another attempt of this job is still running", spec.key, ""};
      known->second.waiters.push_back(std::move(on_end));
      return {};
    }
    auto& job = jobs_[spec.key];
    job.spec = spec;
    job.waiters.push_back(std::move(on_end));
    if (const int wanted = window_of(spec); wanted > 0) windows_.insert(wanted);
    if (in_flight_ < limit() && waiting_ == 0) {
      auto started = start(spec.key);
      if (!started.ok()) forget(jobs_.find(spec.key));
      return started;
    }
    auto& queue = queue_of(race_of_key(spec.key));
    queue.keys.push_back(spec.key);
    ++waiting_;
    return {};
  }

  void cancel(const std::string& key) override {
    const auto found = jobs_.find(key);
    if (found == jobs_.end() || found->second.started) return inner_.cancel(key);
    JobResult result;
    result.end = End::cancelled;
    result.message = "cancelled before it started";
    finish_later(found->second.spec, std::move(result));
  }

  void release(const std::string& key) override { inner_.release(key); }

  [[nodiscard]] std::vector<std::string> running() const override {
    std::vector<std::string> keys;
    for (const auto& [key, job] : jobs_) keys.push_back(key);
    std::sort(keys.begin(), keys.end());
    return keys;
  }

 private:
  struct Job {
    JobSpec spec;
    std::vector<OnEnd> waiters;
    bool started = false;
  };
  struct Queue {
    std::string race;
    std::deque<std::string> keys;
  };

  static int window_of(const JobSpec& spec) { return spec.cluster ? spec.cluster->window : 0; }
  /// The smallest window of all races with a job here: a race's grant applies to all together.
  [[nodiscard]] int limit() const { return windows_.empty() ? default_limit_ : *windows_.begin(); }
  void forget(std::unordered_map<std::string, Job>::iterator job) {
    if (const auto window = windows_.find(window_of(job->second.spec)); window != windows_.end())
      windows_.erase(window);
    jobs_.erase(job);
  }

  Queue& queue_of(const std::string& race) {
    const auto found =
        std::find_if(queues_.begin(), queues_.end(), [&](const auto& q) { return q.race == race; });
    if (found != queues_.end()) return *found;
    return queues_.emplace_back(Queue{race, {}});
  }

  Result<void> start(const std::string& key) {
    auto& job = jobs_.at(key);
    const auto token = job.spec.token;
    auto submitted = inner_.submit(job.spec, [this, alive = alive_, key, token](const JobResult& result) {
      if (*alive) finish(key, token, result);
    });
    if (!submitted.ok()) return submitted;
    job.started = true;
    job.spec.env.clear();  // may hold secrets, and is no longer needed
    ++in_flight_;
    return {};
  }

  void finish_later(const JobSpec& spec, JobResult result) {
    result.key = spec.key;
    result.token = spec.token;
    result.isolation = spec.sandbox.isolation;
    boost::asio::post(loop_, [this, alive = alive_, result = std::move(result)] {
      if (*alive) finish(result.key, result.token, result);
    });
  }

  void finish(const std::string& key, const std::string& token, const JobResult& result) {
    const auto found = jobs_.find(key);
    if (found == jobs_.end() || found->second.spec.token != token) return;  // late or repeated
    const auto waiters = std::move(found->second.waiters);
    if (found->second.started) --in_flight_;
    forget(found);  // a queue entry that remains refers to no job
    for (const auto& on_end : waiters)
      if (on_end) on_end(result);
    fill();
  }

  /// The race at the front gives one job and moves to the end.
  void fill() {
    while (in_flight_ < limit() && !queues_.empty()) {
      const auto key = queues_.front().keys.front();
      queues_.front().keys.pop_front();
      --waiting_;
      if (queues_.front().keys.empty())
        queues_.pop_front();
      else
        queues_.splice(queues_.end(), queues_, queues_.begin());
      const auto found = jobs_.find(key);
      if (found == jobs_.end() || found->second.started) continue;
      const auto started = start(key);
      if (started.ok()) continue;
      JobResult failed;
      failed.end = End::start_failed;
      failed.message = describe(started.error());
      finish_later(found->second.spec, std::move(failed));
    }
  }

  boost::asio::io_context& loop_;
  Executor& inner_;
  const int default_limit_;
  std::multiset<int> windows_;  ///< windows that jobs here request
  std::shared_ptr<bool> alive_;
  std::unordered_map<std::string, Job> jobs_;  ///< jobs that have not ended
  std::list<Queue> queues_;                    ///< races that wait, the next one first
  std::size_t waiting_ = 0;
  int in_flight_ = 0;
};

}  // namespace

std::unique_ptr<Executor> make_window(boost::asio::io_context& loop, Executor& inner, int limit) {
  return std::make_unique<Window>(loop, inner, limit);
}

}  // namespace hydra::exec
