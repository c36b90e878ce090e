#include "parsers/markers.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

namespace hydra::parsers {
namespace {

constexpr std::size_t kBits = std::size_t{1} << 16;
constexpr std::size_t kLists = 1024;

/// Bytes of a window; a window begins at every kStride-th offset of the text.
constexpr std::size_t kWindow = 3, kStride = 2;
/// Bytes of a needle that decide: kSpan bytes contain a whole window at any alignment.
constexpr std::size_t kSpan = kWindow + kStride - 1;
static_assert(kSpan <= kMarkerBytes);

/// Returns the window at `s` in the upper bytes. Reads one byte behind the window too.
std::uint32_t window_at(const char* s) {
  std::uint32_t v = 0;
  std::memcpy(&v, s, sizeof v);
  if constexpr (std::endian::native == std::endian::little) return v << 8;
  return v & 0xFFFFFF00U;
}

/// Returns the window at `s` when no byte follows.
std::uint32_t last_window_at(const char* s) {
  const char padded[] = {s[0], s[1], s[2], 0};
  return window_at(padded);
}

std::uint32_t hash(std::uint32_t v) { return (v * 2654435761U) >> 16; }

/// Rough frequency of a byte in logs: blanks and small letters are the most common.
std::uint32_t commonness(char c) {
  if (c == ' ') return 4;
  if (c >= 'a' && c <= 'z') return 3;
  if (c >= '0' && c <= '9') return 3;
  return (c >= 'A' && c <= 'Z') || c == '.' || c == '/' || c == ':' || c == '-' ? 2 : 1;
}

std::uint32_t commonness(std::string_view s) {
  std::uint32_t sum = 0;
  for (const char c : s) sum += commonness(c);
  return sum;
}

/// Returns the offset of the span of `text` that is rarest in logs.
std::size_t rarest(std::string_view text) {
  std::size_t best = 0;
  std::uint32_t least = 0xFFFFFFFF;
  for (std::size_t at = 0; at + kSpan <= text.size(); ++at)
    if (const auto cost = commonness(text.substr(at, kSpan)); cost < least) {
      least = cost;
      best = at;
    }
  return best;
}

}  // namespace

/// Tests every window: a bit per hash says whether the window may belong to a needle. The tests are
/// independent, so that the CPU runs several at once.
class MarkerSearch::Search {
 public:
  Search(std::string_view text, std::span<const MarkerGroup> groups)
      : text_(text), found_(groups.size(), false) {
    if (groups.empty()) return;
    for (std::size_t g = 0; g < groups.size(); ++g)
      for (const auto marker : groups[g])
        if (marker.size() >= kMarkerBytes) needles_.push_back({marker, g, rarest(marker)});
    build();
  }

  void read_to(std::size_t end) {
    if (!entries_.empty()) piece(at_, end);
    at_ = end;
  }
  const std::vector<bool>& found() const { return found_; }

 private:
  struct Needle {
    std::string_view text;
    std::size_t group = 0, span = 0;  ///< `span`: offset of the bytes that are searched for
  };

  /// A needle's window, for verification.
  struct Entry {
    std::uint32_t window = 0;              ///< bytes of the window
    std::uint16_t needle = 0, offset = 0;  ///< `offset`: of the window in the needle
    std::uint64_t bytes = 0, mask = 0;     ///< the needle's first eight bytes, or fewer if shorter
    std::uint16_t next = 0;                ///< next entry of the list, from 1; 0: none
  };

  void build() {
    entries_.clear();
    filter_.assign(kBits / 64, 0);
    lists_.fill(0);
    for (std::size_t n = 0; n < needles_.size(); ++n) {
      if (found_[needles_[n].group]) continue;
      for (std::size_t k = 0; k < kStride; ++k) add(n, needles_[n].span + k);
    }
  }

  void add(std::size_t needle, std::size_t offset) {
    const auto text = needles_[needle].text;
    Entry e;
    e.window = last_window_at(text.data() + offset);
    e.needle = static_cast<std::uint16_t>(needle);
    e.offset = static_cast<std::uint16_t>(offset);
    std::memcpy(&e.bytes, text.data(), std::min(text.size(), sizeof e.bytes));
    std::memset(&e.mask, 0xFF, std::min(text.size(), sizeof e.mask));
    const auto h = hash(e.window);
    e.next = lists_[h % kLists];
    entries_.push_back(e);
    lists_[h % kLists] = static_cast<std::uint16_t>(entries_.size());
    filter_[h / 64] |= std::uint64_t{1} << (h % 64);
  }

  bool may_be(const char* s) const {
    const auto h = hash(window_at(s));
    return (filter_[h / 64] >> (h % 64) & 1U) != 0;
  }

  void piece(std::size_t begin, std::size_t end) {
    const char* data = text_.data();
    std::size_t at = begin;
    constexpr std::size_t kAtOnce = 4 * kStride;
    for (; at + kAtOnce <= end && at + kAtOnce + kWindow <= text_.size(); at += kAtOnce) {
      const bool a = may_be(data + at), b = may_be(data + at + kStride);
      const bool c = may_be(data + at + 2 * kStride), d = may_be(data + at + 3 * kStride);
      if (!(a | b | c | d)) continue;
      if (a) check(at);
      if (b) check(at + kStride);
      if (c) check(at + 2 * kStride);
      if (d) check(at + 3 * kStride);
    }
    for (; at < end && at + kWindow <= text_.size(); at += kStride) check(at);
  }

  /// Marks the groups whose needle has the window at `at` and occurs there.
  void check(std::size_t at) {
    const auto window = last_window_at(text_.data() + at);
    bool any = false;
    for (auto k = lists_[hash(window) % kLists]; k != 0; k = entries_[k - 1U].next) {
      const auto& e = entries_[k - 1U];
      if (e.window != window || at < e.offset) continue;
      const auto begin = at - e.offset;
      if (begin + sizeof e.bytes <= text_.size()) {
        std::uint64_t bytes = 0;
        std::memcpy(&bytes, text_.data() + begin, sizeof bytes);
        if ((bytes & e.mask) != e.bytes) continue;
      }
      const auto& needle = needles_[e.needle];
      if (text_.substr(begin, needle.text.size()) != needle.text) continue;
      found_[needle.group] = any = true;
    }
    if (any) build();
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<bool> found_;
  std::vector<Needle> needles_;
  std::vector<Entry> entries_;                 ///< entries of the groups not yet found
  std::array<std::uint16_t, kLists> lists_{};  ///< first entry of a hash, from 1; 0: none
  std::vector<std::uint64_t> filter_;
};

std::string_view rarest_marker(std::string_view a, std::string_view b) {
  const auto cost = [](std::string_view s) {
    return s.size() < kMarkerBytes ? 1000 : commonness(s.substr(rarest(s), kMarkerBytes));
  };
  if (std::max(a.size(), b.size()) < kMarkerBytes) return {};
  return cost(b) < cost(a) || (cost(b) == cost(a) && b.size() > a.size()) ? b : a;
}

MarkerSearch::MarkerSearch(std::string_view text, std::span<const MarkerGroup> groups)
    : search_(std::make_unique<Search>(text, groups)) {}
MarkerSearch::~MarkerSearch() = default;

void MarkerSearch::read_to(std::size_t end) { search_->read_to(end); }

const std::vector<bool>& MarkerSearch::found() const { return search_->found(); }

}  // namespace hydra::parsers
