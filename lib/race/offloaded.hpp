// race: blocking work on a pool's thread and its answer on the loop.
#pragma once

#include "base/log.hpp"
#include "base/result.hpp"

#include <boost/asio/io_context.hpp>

#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace hydra::race {

/// Work and answer without their types: the sources that post them are compiled once.
class Offloaded {
 public:
  virtual ~Offloaded() = default;
  virtual void work() noexcept = 0;
  virtual void done() = 0;
};

/// Runs `job->work()` on the pool, then `job->done()` on the loop. `worked` is called on the pool between
/// both.
void run_offloaded(boost::asio::io_context& pool, boost::asio::io_context& loop,
                   std::unique_ptr<Offloaded> job, std::function<void()> worked = {});

template <class T>
struct AnswerOf {
  using type = Result<T>;
};
template <class T>
struct AnswerOf<Result<T>> {
  using type = Result<T>;
};

/// `done` gets a Result of what `work` returns; an exception of `work` is its `internal` error. After work
/// without a result `done` may take nothing.
template <class Work, class Done>
std::unique_ptr<Offloaded> offloaded(Work work, Done done) {
  using Made = std::invoke_result_t<Work&>;
  struct Both final : Offloaded {
    Both(Work w, Done d) : work_(std::move(w)), done_(std::move(d)) {}
    void work() noexcept override {
      try {
        if constexpr (std::is_void_v<Made>) {
          (*work_)();
          made_.emplace();
        } else {
          made_.emplace((*work_)());
        }
      } catch (const std::exception& e) {
        made_.emplace(
            Error{Errc::internal, std::string("work in the background failed: ") + e.what(), {}, {}});
        log::error("{}", made_->error().message);
      }
      work_.reset();  // frees the captures before the loop gets to done()
    }
    void done() override {
      if constexpr (std::is_void_v<Made> && std::is_invocable_v<Done&>)
        done_();
      else
        done_(std::move(*made_));
    }
    std::optional<Work> work_;
    Done done_;
    std::optional<typename AnswerOf<Made>::type> made_;
  };
  return std::make_unique<Both>(std::move(work), std::move(done));
}

}  // namespace hydra::race
