// exec: a thread for work that may wait: for a file system of the network, for a program that hangs.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <stop_token>
#include <thread>

namespace hydra::exec {

/// Does what it is given in the order in which it became due, in its own thread, which starts with the first
/// piece of work. The end of the worker drops what has not begun and waits for what has.
class Worker {
 public:
  Worker() = default;
  ~Worker() { end(); }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Any thread. Where no thread can be started the work is done at once, in the caller's.
  void post(std::function<void()> work);
  void after(std::chrono::milliseconds delay, std::function<void()> work);
  /// What the destructor does; work that is given later is dropped.
  void end();
  /// Asked for when the worker ends: for tools that it runs.
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
