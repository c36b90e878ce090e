// race: threads for blocking work. asio::thread_pool hangs while its constructor unwinds if a thread can't be
// started (a limit on processes); this pool continues with the threads it got, and throws without any.
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
  /// Throws std::system_error if not even one thread can be started.
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

  /// Waits for all posted work; nothing may be posted afterwards.
  void join() {
    guard_.reset();
    for (auto& thread : threads_)
      if (thread.joinable()) thread.join();
  }
  [[nodiscard]] std::size_t threads() const { return threads_.size(); }

 private:
  // An exception of posted work is logged, and the thread continues. Work that somebody waits for is an
  // Offloaded, which turns the exception into its answer.
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
