#include "parsers/markers.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

namespace hydra::parsers {
namespace {

constexpr std::size_t kBits = std::size_t{1} << 16;
constexpr std::size_t kPiece = std::size_t{4} << 20;  ///< bytes between two words to the text's holder

struct Needle {
  std::string_view text;
  std::size_t group = 0;
};

/// A needle by one of its triples: three neighbouring bytes.
struct Entry {
  std::uint32_t triple = 0;
  std::size_t needle = 0, offset = 0;  ///< where in the needle the triple stands
};

/// Four bytes, the first one lowest.
std::uint32_t four_at(const char* s) {
  std::uint32_t v = 0;
  std::memcpy(&v, s, sizeof v);
  if constexpr (std::endian::native == std::endian::big) v = __builtin_bswap32(v);
  return v;
}

std::uint32_t triple_at(const char* s) {
  const auto byte = [s](std::size_t k) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(s[k]));
  };
  return byte(0) | byte(1) << 8 | byte(2) << 16;
}

/// Of the lower three bytes only: the shift within the factor drops the fourth.
std::uint32_t hash(std::uint32_t v) { return (v * (2654435761U << 8)) >> 16; }

/// How common a byte is in logs, roughly: blanks and small letters most.
int commonness(char c) {
  if (c == ' ') return 4;
  if (c >= 'a' && c <= 'z') return 3;
  if (c >= '0' && c <= '9') return 3;
  return (c >= 'A' && c <= 'Z') || c == '.' || c == '/' || c == ':' || c == '-' ? 2 : 1;
}

/// Where the four rarest neighbouring bytes stand: the fewer of their triples are in the log, the less often
/// the search has to look closer.
std::size_t rarest_window(std::string_view text) {
  std::size_t best = 0;
  int least = 1000;
  for (std::size_t at = 0; at + kMarkerBytes <= text.size(); ++at) {
    int sum = 0;
    for (std::size_t k = 0; k < kMarkerBytes; ++k) sum += commonness(text[at + k]);
    if (sum < least) {
      least = sum;
      best = at;
    }
  }
  return best;
}

/// Looks at the three bytes at every even place: of four bytes of a needle either the first or the last three
/// stand at one. A bit for each hashed triple says whether it may be one of them; the tests do not depend on
/// each other, so that the machine does several at once.
class Search {
 public:
  Search(std::string_view text, std::span<const MarkerGroup> groups, const LeftBehind& left)
      : text_(text), left_(left), found_(groups.size(), false) {
    for (std::size_t g = 0; g < groups.size(); ++g)
      for (const auto marker : groups[g])
        if (marker.size() >= kMarkerBytes) needles_.push_back({marker, g});
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
    for (std::size_t n = 0; n < needles_.size(); ++n) {
      if (found_[needles_[n].group]) continue;
      const auto window = rarest_window(needles_[n].text);
      for (std::size_t k = 0; k < 2; ++k) {
        const auto triple = triple_at(needles_[n].text.data() + window + k);
        entries_.push_back({triple, n, window + k});
        filter_[hash(triple) / 64] |= std::uint64_t{1} << (hash(triple) % 64);
      }
    }
    std::sort(entries_.begin(), entries_.end(),
              [](const Entry& a, const Entry& b) { return a.triple < b.triple; });
  }

  bool may_be(std::uint32_t v) const {
    const auto h = hash(v);
    return (filter_[h / 64] >> (h % 64) & 1U) != 0;
  }

  /// `begin` is even.
  void piece(std::size_t begin, std::size_t end) {
    const char* data = text_.data();
    std::size_t at = begin;
    for (; at + 8 <= end && at + 10 <= text_.size(); at += 8) {
      const bool a = may_be(four_at(data + at)), b = may_be(four_at(data + at + 2));
      const bool c = may_be(four_at(data + at + 4)), d = may_be(four_at(data + at + 6));
      if (!(a | b | c | d)) continue;
      if (a) check(at);
      if (b) check(at + 2);
      if (c) check(at + 4);
      if (d) check(at + 6);
    }
    for (; at < end && at + 3 <= text_.size(); at += 2) check(at);
  }

  /// Whether a needle with the triple at `at` stands there; its group is then done.
  void check(std::size_t at) {
    const auto triple = triple_at(text_.data() + at);
    auto it = std::lower_bound(entries_.begin(), entries_.end(), triple,
                               [](const Entry& e, std::uint32_t t) { return e.triple < t; });
    bool any = false;
    for (; it != entries_.end() && it->triple == triple; ++it) {
      const auto& needle = needles_[it->needle];
      if (found_[needle.group] || at < it->offset ||
          text_.substr(at - it->offset, needle.text.size()) != needle.text)
        continue;
      found_[needle.group] = any = true;
    }
    if (any) build();
  }

  std::string_view text_;
  const LeftBehind& left_;
  std::vector<bool> found_;
  std::vector<Needle> needles_;
  std::vector<Entry> entries_;  ///< of the groups that were not found, by triple
  std::vector<std::uint64_t> filter_;
};

}  // namespace

std::string_view rarest_marker(std::string_view a, std::string_view b) {
  const auto cost = [](std::string_view s) {
    const auto at = rarest_window(s);
    int sum = 0;
    for (const char c : s.substr(at, kMarkerBytes)) sum += commonness(c);
    return sum;
  };
  if (a.size() < kMarkerBytes) return b.size() < kMarkerBytes ? std::string_view{} : b;
  if (b.size() < kMarkerBytes) return a;
  return cost(b) < cost(a) || (cost(b) == cost(a) && b.size() > a.size()) ? b : a;
}

std::vector<bool> groups_in(std::string_view text, std::span<const MarkerGroup> groups,
                            const LeftBehind& left) {
  return Search(text, groups, left).run();
}

}  // namespace hydra::parsers
