// race: type-erased work of a thread pool with its continuation on the loop.
#pragma once

#include "base/log.hpp"
#include "base/result.hpp"

#include <concepts>
#include <exception>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

namespace hydra::race {

class Offloaded {
 public:
  virtual ~Offloaded() = default;
  virtual void work() noexcept = 0;
  virtual void done() = 0;
};

/// Calls `work` once, then `done(result)`, or `done()` if `work` returns void. An exception of `work` becomes
/// an `internal` error of its result, or is logged if it returns void: `done` is called either way.
template <class Work, class Done>
std::unique_ptr<Offloaded> offloaded(Work work, Done done) {
  using Made = std::invoke_result_t<Work&>;
  static constexpr bool kNothing = std::is_void_v<Made>;
  static_assert(kNothing || std::constructible_from<Made, Error>, "work that may throw returns a Result");
  struct Both final : Offloaded {
    Both(Work w, Done d) : work_(std::move(w)), done_(std::move(d)) {}
    void work() noexcept override {
      try {
        if constexpr (kNothing)
          (*work_)();
        else
          made_.emplace((*work_)());
      } catch (const std::exception& e) {
        Error error{Errc::internal, std::string("work in the background failed: ") + e.what(), {}, {}};
        if constexpr (kNothing)
          log::error("{}", error.message);
        else
          made_.emplace(std::move(error));
      }
      work_.reset();  // releases captured objects before the loop runs done()
    }
    void done() override {
      if constexpr (kNothing)
        done_();
      else
        done_(std::move(*made_));
    }
    std::optional<Work> work_;
    Done done_;
    std::optional<std::conditional_t<kNothing, bool, Made>> made_;
  };
  return std::make_unique<Both>(std::move(work), std::move(done));
}

}  // namespace hydra::race
