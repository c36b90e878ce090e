#include "parsers/markers.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

namespace hydra::parsers {
namespace {

constexpr std::size_t kWindow = 4;  ///< bytes of a marker that are searched for
constexpr std::size_t kPairs = std::size_t{1} << 16;

struct Needle {
  std::string_view text;
  std::size_t window = 0;  ///< where in `text` the searched bytes begin
  std::size_t group = 0;
};

std::uint16_t pair_at(const char* s) {
  std::uint16_t p = 0;
  std::memcpy(&p, s, sizeof p);
  return p;
}

/// How common a byte is in logs, roughly: blanks and small letters most.
int commonness(char c) {
  if (c == ' ') return 4;
  if (c >= 'a' && c <= 'z') return 3;
  if (c >= '0' && c <= '9') return 3;
  return (c >= 'A' && c <= 'Z') || c == '.' || c == '/' || c == ':' || c == '-' ? 2 : 1;
}

/// The window of rare bytes: the fewer of its pairs are in the log, the farther the search leaps.
std::size_t rarest_window(std::string_view text) {
  std::size_t best = 0;
  int least = 1000;
  for (std::size_t at = 0; at + kWindow <= text.size(); ++at) {
    int sum = 0;
    for (std::size_t k = 0; k < kWindow; ++k) sum += commonness(text[at + k]);
    if (sum < least) {
      least = sum;
      best = at;
    }
  }
  return best;
}

/// Wu and Manber's search: the last two bytes of a window tell how far it may move on.
class Search {
 public:
  Search(std::string_view text, std::span<const MarkerGroup> groups)
      : text_(text), found_(groups.size(), false) {
    for (std::size_t g = 0; g < groups.size(); ++g)
      for (const auto marker : groups[g])
        if (marker.size() >= kWindow) needles_.push_back({marker, rarest_window(marker), g});
    build();
  }

  std::vector<bool> run() {
    const char* data = text_.data();
    for (std::size_t end = kWindow; end <= text_.size() && !needles_.empty();) {
      const auto pair = pair_at(data + end - 2);
      const auto shift = shift_[pair];
      if (shift > 0) {
        end += shift;
        continue;
      }
      if (check(end - kWindow, pair)) build();
      ++end;
    }
    return std::move(found_);
  }

 private:
  void build() {
    std::erase_if(needles_, [this](const Needle& n) { return found_[n.group]; });
    std::stable_sort(needles_.begin(), needles_.end(),
                     [](const Needle& a, const Needle& b) { return tail(a) < tail(b); });
    shift_.assign(kPairs, kWindow - 1);
    for (const auto& n : needles_)
      for (std::size_t k = 0; k + 2 <= kWindow; ++k) {
        auto& shift = shift_[pair_at(n.text.data() + n.window + k)];
        shift = std::min<std::uint8_t>(shift, static_cast<std::uint8_t>(kWindow - 2 - k));
      }
  }

  static std::uint16_t tail(const Needle& n) { return pair_at(n.text.data() + n.window + kWindow - 2); }

  /// Whether a marker with this window is at `at`; its group is then done.
  bool check(std::size_t at, std::uint16_t pair) {
    auto it = std::lower_bound(needles_.begin(), needles_.end(), pair,
                               [](const Needle& n, std::uint16_t p) { return tail(n) < p; });
    bool any = false;
    for (; it != needles_.end() && tail(*it) == pair; ++it) {
      if (at < it->window || text_.substr(at - it->window, it->text.size()) != it->text) continue;
      found_[it->group] = any = true;
    }
    return any;
  }

  std::string_view text_;
  std::vector<bool> found_;
  std::vector<Needle> needles_;
  std::vector<std::uint8_t> shift_;
};

}  // namespace

std::vector<bool> groups_in(std::string_view text, std::span<const MarkerGroup> groups) {
  return Search(text, groups).run();
}

}  // namespace hydra::parsers
