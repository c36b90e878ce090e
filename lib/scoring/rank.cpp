// The order of a race and the verdict on its best composite (H14, H16, H19).
#include "scoring/engine.hpp"
#include "scoring/numeric.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace hydra::scoring {
namespace {

/// Returns a sort key, smallest first.
auto order_key(const Contender& c) {
  return std::tuple(!c.eligible, -detail::on_grid(c.composite), -detail::on_grid(c.tests),
                    -detail::on_grid(c.build), -detail::on_grid(c.diff_size), std::max(c.duration_ms, 1.0));
}

}  // namespace

std::vector<std::size_t> rank_order(const std::vector<Contender>& contenders) {
  std::vector<std::size_t> order(contenders.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) {
    return order_key(contenders[x]) < order_key(contenders[y]);
  });
  return order;
}

KeyPart first_difference(const Contender& a, const Contender& b) {
  return static_cast<KeyPart>(detail::differs_at(order_key(a), order_key(b)));
}

bool tied(const Contender& a, const Contender& b) { return first_difference(a, b) == KeyPart::none; }

Verdict judge(std::optional<double> best, const model::Thresholds& thresholds) {
  Verdict out;
  out.all_failed = !best || *best < thresholds.fail_maximum;
  out.auto_merge = !out.all_failed && *best > thresholds.auto_merge_minimum;
  return out;
}

}  // namespace hydra::scoring
