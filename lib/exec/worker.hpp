// exec: a thread for blocking work: a network file system, a program that hangs.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <stop_token>
#include <thread>

namespace hydra::exec {

/// Runs work in the order in which it becomes due, in one thread that starts with the first item. The
/// destructor drops work that has not begun and waits for running work.
class Worker {
 public:
  Worker() = default;
  ~Worker() { end(); }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Thread-safe. If no thread can be started, the work runs at once in the caller's thread.
  void post(std::function<void()> work);
  void after(std::chrono::milliseconds delay, std::function<void()> work);
  /// Ends as the destructor does; later work is dropped.
  void end();
  /// Stop token for tools that the worker runs: requested when the worker ends.
  [[nodiscard]] std::stop_token stop() const { return stop_.get_token(); }

 private:
  using Clock = std::chrono::steady_clock;
  void run();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::multimap<Clock::time_point, std::function<void()>> due_;
  bool ended_ = false;
  std::stop_source stop_;
  std::thread thread_;
};

}  // namespace hydra::exec
