#include "exec/worker.hpp"

#include <system_error>

namespace hydra::exec {

void Worker::run() {
  std::unique_lock lock(mutex_);
  while (!ended_) {
    if (due_.empty()) {
      wake_.wait(lock);
      continue;
    }
    if (const auto at = due_.begin()->first; at > Clock::now()) {
      wake_.wait_until(lock, at);
      continue;
    }
    const auto work = std::move(due_.begin()->second);
    due_.erase(due_.begin());
    lock.unlock();
    work();
    lock.lock();
  }
}

void Worker::end() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    stop_.request_stop();
  }
  wake_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void Worker::post(std::function<void()> work) { after(std::chrono::milliseconds(0), std::move(work)); }

void Worker::after(std::chrono::milliseconds delay, std::function<void()> work) {
  {
    const std::lock_guard lock(mutex_);
    if (ended_) return;
    if (!thread_.joinable()) {
      try {
        thread_ = std::thread([this] { run(); });
      } catch (const std::system_error&) {
      }
    }
    if (thread_.joinable()) {
      due_.emplace(Clock::now() + delay, std::move(work));
      work = nullptr;
    }
  }
  if (work) return work();
  wake_.notify_one();
}

}  // namespace hydra::exec
