// The generator of the property tests: fixed seeds, the same numbers everywhere, and a liking for edges.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace hydra::scoring::fixture {

inline constexpr int kCases = 100'000;

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  /// Uniform in [0, limit]; the remainder's bias does not matter here, the same numbers everywhere do.
  std::int64_t upto(std::int64_t limit) {
    return static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(limit + 1));
  }
  bool one_in(std::int64_t n) { return upto(n - 1) == 0; }
  double points() { return static_cast<double>(upto(10000)) / 100.0; }
  double unit() { return static_cast<double>(upto(1'000'000)) / 1e6; }
  /// Any double there is, NaN and infinities included; every fourth one is an edge.
  double any() {
    constexpr double kMax = std::numeric_limits<double>::max();
    constexpr std::array kEdges{0.0,
                                -0.0,
                                1.0,
                                -1.0,
                                2.0,
                                1e308,
                                -1e308,
                                kMax,
                                -kMax,
                                std::numeric_limits<double>::denorm_min(),
                                -std::numeric_limits<double>::denorm_min(),
                                std::numeric_limits<double>::min(),
                                std::numeric_limits<double>::infinity(),
                                -std::numeric_limits<double>::infinity(),
                                std::numeric_limits<double>::quiet_NaN()};
    if (one_in(4)) return kEdges[static_cast<std::size_t>(upto(kEdges.size() - 1))];
    if (one_in(2)) return (points() - 50) / 10;
    const auto bits = engine_();
    double out = 0;
    static_assert(sizeof out == sizeof bits);
    __builtin_memcpy(&out, &bits, sizeof out);
    return out;
  }
  /// Finite and at least 0, from denormals to the largest there is.
  double size() {
    const double v = std::fabs(any());
    return std::isfinite(v) ? v : 0;
  }
  template <class T>
  void shuffle(std::vector<T>& values) {
    for (std::size_t i = values.size(); i > 1; --i)
      std::swap(values[i - 1], values[static_cast<std::size_t>(upto(static_cast<std::int64_t>(i) - 1))]);
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace hydra::scoring::fixture
