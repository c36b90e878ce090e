// race: the threads for blocking work. asio::thread_pool hangs in its constructor's way out when a thread
// can't be started (a limit on processes); this one goes on with those that it got, and without any it is an
// error.
#pragma once

#include "base/log.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>

#include <exception>
#include <system_error>
#include <thread>
#include <vector>

namespace hydra::race {

/// boost::asio::post(pool, work) runs `work` on one of its threads.
class WorkPool : public boost::asio::io_context {
 public:
  /// std::system_error when not even one thread can be started.
  explicit WorkPool(std::size_t threads) : guard_(get_executor()) {
    for (std::size_t i = 0; i < threads; ++i) {
      try {
        threads_.emplace_back([this] { work(); });
      } catch (const std::system_error&) {
        if (threads_.empty()) throw;
        return;
      }
    }
  }
  ~WorkPool() {
    stop();
    join();
  }
  WorkPool(const WorkPool&) = delete;
  WorkPool& operator=(const WorkPool&) = delete;

  /// Waits for all work that was posted; nothing may be posted afterwards.
  void join() {
    guard_.reset();
    for (auto& thread : threads_)
      if (thread.joinable()) thread.join();
  }
  [[nodiscard]] std::size_t threads() const { return threads_.size(); }

 private:
  // Work that throws is a bug or a machine without memory or threads: it is said, and the thread goes on with
  // what comes next. Its `done` is never called: what waits for it goes on after a restart.
  void work() {
    for (;;) {
      try {
        run();
        return;
      } catch (const std::exception& e) {
        log::error("work in the background failed: {}", e.what());
      }
    }
  }
  boost::asio::executor_work_guard<executor_type> guard_;
  std::vector<std::thread> threads_;
};

}  // namespace hydra::race
