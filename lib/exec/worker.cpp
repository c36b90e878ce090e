#include "exec/worker.hpp"

#include <condition_variable>
#include <map>
#include <mutex>
#include <system_error>
#include <thread>

namespace hydra::exec {

struct Worker::Impl {
  using Clock = std::chrono::steady_clock;
  std::mutex mutex;
  std::condition_variable wake;
  std::multimap<Clock::time_point, std::function<void()>> due;
  bool ended = false;
  std::stop_source stop;
  std::thread thread;

  void run() {
    std::unique_lock lock(mutex);
    while (!ended) {
      if (due.empty()) {
        wake.wait(lock);
        continue;
      }
      if (const auto at = due.begin()->first; at > Clock::now()) {
        wake.wait_until(lock, at);
        continue;
      }
      const auto work = std::move(due.begin()->second);
      due.erase(due.begin());
      lock.unlock();
      work();
      lock.lock();
    }
  }
};

Worker::Worker() : impl_(std::make_unique<Impl>()) {}

Worker::~Worker() { end(); }

void Worker::end() {
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->ended = true;
    impl_->stop.request_stop();
  }
  impl_->wake.notify_one();
  if (impl_->thread.joinable()) impl_->thread.join();
}

void Worker::post(std::function<void()> work) { after(std::chrono::milliseconds(0), std::move(work)); }

void Worker::after(std::chrono::milliseconds delay, std::function<void()> work) {
  {
    const std::lock_guard lock(impl_->mutex);
    if (impl_->ended) return;
    if (!impl_->thread.joinable()) {
      try {
        impl_->thread = std::thread([impl = impl_.get()] { impl->run(); });
      } catch (const std::system_error&) {
      }
    }
    if (impl_->thread.joinable()) {
      impl_->due.emplace(Impl::Clock::now() + delay, std::move(work));
      work = nullptr;
    }
  }
  if (work) return work();
  impl_->wake.notify_one();
}

std::stop_token Worker::stop() const { return impl_->stop.get_token(); }

}  // namespace hydra::exec
