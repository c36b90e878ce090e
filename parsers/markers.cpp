#include "parsers/markers.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

namespace hydra::parsers {
namespace {

constexpr std::size_t kBits = std::size_t{1} << 16;
constexpr std::size_t kLists = 1024;
constexpr std::size_t kSample = std::size_t{1} << 15;  ///< bytes of each of two samples
constexpr std::size_t kPiece = std::size_t{4} << 20;   ///< bytes between two words to the text's holder

struct Needle {
  std::string_view text;
  std::size_t group = 0, window = 0;  ///< `window`: where the four bytes that are searched for begin
};

/// A needle as the search verifies it.
struct Entry {
  std::uint32_t window = 0;
  std::uint16_t needle = 0, offset = 0;  ///< of the window in the needle
  std::uint64_t bytes = 0, mask = 0;     ///< the needle's first eight bytes, as far as it has them
  std::uint16_t next = 0;                ///< of the same list, from 1; 0: none
};

std::uint32_t four_at(const char* s) {
  std::uint32_t v = 0;
  std::memcpy(&v, s, sizeof v);
  return v;
}

std::uint32_t hash(std::uint32_t v) { return (v * 2654435761U) >> 16; }

/// How common a byte is in logs, roughly: blanks and small letters most.
std::uint32_t commonness(char c) {
  if (c == ' ') return 4;
  if (c >= 'a' && c <= 'z') return 3;
  if (c >= '0' && c <= '9') return 3;
  return (c >= 'A' && c <= 'Z') || c == '.' || c == '/' || c == ':' || c == '-' ? 2 : 1;
}

std::uint32_t commonness(std::string_view four) {
  std::uint32_t sum = 0;
  for (const char c : four) sum += commonness(c);
  return sum;
}

/// How often any four bytes stand in two samples of the text: its own words are the common ones.
class Sample {
 public:
  explicit Sample(std::string_view text) {
    // A small text is searched before it is counted.
    if (text.size() < 2 * kSample) return;
    count_.assign(kBits, 0);
    for (const auto begin : {text.size() / 3, text.size() - kSample})
      for (std::size_t i = begin; i + 4 <= begin + kSample; ++i) ++count_[hash(four_at(text.data() + i))];
  }
  /// The window of `text` that is rarest.
  std::size_t rarest(std::string_view text) const {
    std::size_t best = 0;
    std::uint32_t least = 0xFFFFFFFF;
    for (std::size_t at = 0; at + kMarkerBytes <= text.size(); ++at) {
      auto cost = commonness(text.substr(at, kMarkerBytes));
      if (!count_.empty()) cost += 32 * count_[hash(four_at(text.data() + at))];
      if (cost < least) {
        least = cost;
        best = at;
      }
    }
    return best;
  }

 private:
  std::vector<std::uint32_t> count_;
};

/// Looks at the four bytes at every place: a bit for each hashed window says whether they may be one. The
/// tests do not depend on each other, so that the machine does several at once.
class Search {
 public:
  Search(std::string_view text, std::span<const MarkerGroup> groups, const LeftBehind& left)
      : text_(text), left_(left), found_(groups.size(), false) {
    const Sample sample(text);
    for (std::size_t g = 0; g < groups.size(); ++g)
      for (const auto marker : groups[g])
        if (marker.size() >= kMarkerBytes) needles_.push_back({marker, g, sample.rarest(marker)});
    build();
  }

  std::vector<bool> run() {
    for (std::size_t at = 0; at < text_.size() && !entries_.empty();) {
      const auto end = at + std::min(kPiece, text_.size() - at);
      piece(at, end);
      if (left_) left_(text_.substr(at, end - at));
      at = end;
    }
    return std::move(found_);
  }

 private:
  void build() {
    entries_.clear();
    filter_.assign(kBits / 64, 0);
    lists_.fill(0);
    for (std::size_t n = 0; n < needles_.size(); ++n) {
      const auto text = needles_[n].text;
      if (found_[needles_[n].group]) continue;
      Entry e;
      e.window = four_at(text.data() + needles_[n].window);
      e.needle = static_cast<std::uint16_t>(n);
      e.offset = static_cast<std::uint16_t>(needles_[n].window);
      std::memcpy(&e.bytes, text.data(), std::min(text.size(), sizeof e.bytes));
      std::memset(&e.mask, 0xFF, std::min(text.size(), sizeof e.mask));
      const auto h = hash(e.window);
      e.next = lists_[h % kLists];
      entries_.push_back(e);
      lists_[h % kLists] = static_cast<std::uint16_t>(entries_.size());
      filter_[h / 64] |= std::uint64_t{1} << (h % 64);
    }
  }

  bool may_be(const char* s) const {
    const auto h = hash(four_at(s));
    return (filter_[h / 64] >> (h % 64) & 1U) != 0;
  }

  void piece(std::size_t begin, std::size_t end) {
    const char* data = text_.data();
    std::size_t at = begin;
    for (; at + 4 <= end && at + 7 <= text_.size(); at += 4) {
      const bool a = may_be(data + at), b = may_be(data + at + 1);
      const bool c = may_be(data + at + 2), d = may_be(data + at + 3);
      if (!(a | b | c | d)) continue;
      if (a) check(at);
      if (b) check(at + 1);
      if (c) check(at + 2);
      if (d) check(at + 3);
    }
    for (; at < end && at + 4 <= text_.size(); ++at) check(at);
  }

  /// Whether a needle with the window at `at` stands there; its group is then done.
  void check(std::size_t at) {
    const auto window = four_at(text_.data() + at);
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
  const LeftBehind& left_;
  std::vector<bool> found_;
  std::vector<Needle> needles_;
  std::vector<Entry> entries_;                 ///< of the groups that were not found
  std::array<std::uint16_t, kLists> lists_{};  ///< the first entry for a hashed window, from 1
  std::vector<std::uint64_t> filter_;
};

}  // namespace

std::string_view rarest_marker(std::string_view a, std::string_view b) {
  const Sample none({});
  const auto cost = [&none](std::string_view s) {
    return s.size() < kMarkerBytes ? 1000 : commonness(s.substr(none.rarest(s), kMarkerBytes));
  };
  if (std::max(a.size(), b.size()) < kMarkerBytes) return {};
  return cost(b) < cost(a) || (cost(b) == cost(a) && b.size() > a.size()) ? b : a;
}

std::vector<bool> groups_in(std::string_view text, std::span<const MarkerGroup> groups,
                            const LeftBehind& left) {
  return Search(text, groups, left).run();
}

}  // namespace hydra::parsers
