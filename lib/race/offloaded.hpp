// race: work of a thread pool and what follows on the loop, without their types.
#pragma once

#include "base/log.hpp"
#include "base/result.hpp"

#include <concepts>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace hydra::race {

enum class Worked {
  done,   ///< done() may be called
  again,  ///< the work threw, and may be run once more
  lost,   ///< the work threw, and has moved away what it needs
};

class Offloaded {
 public:
  virtual ~Offloaded() = default;
  virtual Worked work() noexcept = 0;
  virtual void done() = 0;
};

/// Runs `work`, then `done(result)`; `done()` where `work` returns nothing. An exception is an `internal`
/// error of a Result, and logged where nothing is returned; any other result has no value for it, and is
/// asked for again.
template <class Work, class Done>
std::unique_ptr<Offloaded> offloaded(Work work, Done done) {
  using Made = std::invoke_result_t<Work&>;
  static constexpr bool kNothing = std::is_void_v<Made>;
  struct Both final : Offloaded {
    Both(Work w, Done d) : work_(std::move(w)), done_(std::move(d)) {}
    Worked work() noexcept override {
      try {
        if constexpr (kNothing)
          (*work_)();
        else
          made_.emplace((*work_)());
      } catch (const std::exception& e) {
        Error error{Errc::internal, std::string("work in the background failed: ") + e.what(), {}, {}};
        log::error("{}", error.message);
        if constexpr (!kNothing && std::constructible_from<Made, Error>)
          made_.emplace(std::move(error));
        else if constexpr (!kNothing)
          return std::is_invocable_v<const Work&> ? Worked::again : Worked::lost;
      }
      work_.reset();  // what it held is not held till the loop comes to the rest
      return Worked::done;
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
