// sim: time that passes only when nothing is left to do, and randomness out of a seed. With both, a run of
// the simulation is a pure function of its options.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

namespace hydra::sim {

class VirtualClock {
 public:
  using Work = std::function<void()>;

  [[nodiscard]] std::int64_t now() const { return now_; }  ///< milliseconds
  void after(std::int64_t milliseconds, Work work) {
    due_.push({now_ + milliseconds, ++asked_, std::move(work)});
  }
  /// When something is due next; -1: nothing is.
  [[nodiscard]] std::int64_t next() const { return due_.empty() ? -1 : due_.top().at; }
  /// Goes to what is due next and does it; false: nothing is.
  bool step() {
    if (due_.empty()) return false;
    auto work = std::move(const_cast<Due&>(due_.top()).work);
    now_ = due_.top().at;
    due_.pop();
    work();
    return true;
  }

 private:
  struct Due {
    std::int64_t at;
    std::uint64_t order;  ///< of asking, among those of the same moment
    Work work;
    bool operator<(const Due& other) const { return at != other.at ? at > other.at : order > other.order; }
  };
  std::priority_queue<Due> due_;
  std::int64_t now_ = 1;
  std::uint64_t asked_ = 0;
};

/// splitmix64: the same numbers with every compiler and library.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31U);
  }
  /// [0, 1)
  double unit() { return static_cast<double>(next() >> 11U) * 0x1.0p-53; }
  bool chance(double probability) { return unit() < probability; }
  /// Log-normal, rounded; at least 1.
  std::int64_t around(double median, double sigma) {
    constexpr double kTau = 6.283185307179586;
    const double normal = std::sqrt(-2 * std::log(1 - unit())) * std::cos(kTau * unit());
    return std::max<std::int64_t>(1, std::llround(median * std::exp(sigma * normal)));
  }

 private:
  std::uint64_t state_;
};

}  // namespace hydra::sim
