// subunit version 2, the binary stream of Python's test runners. Read before the log is cleaned, since that
// would destroy it.
#include "parsers/registry.hpp"
#include "parsers/reports.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string>

namespace hydra::parsers {
namespace {

using model::TestStatus;

constexpr char kSignature = '\xB3';
constexpr std::size_t kSubunitBinaryHead = std::size_t{64} << 10;  ///< a stream begins here
constexpr std::size_t kMostPacket = std::size_t{4} << 20;          ///< the format's own limit
constexpr std::size_t kLeastPacket = 8;                            ///< signature, flags, length, checksum

constexpr std::array<std::uint32_t, 256> kCrcTable = [] {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    auto c = i;
    for (int bit = 0; bit < 8; ++bit) c = (c & 1U) != 0 ? 0xEDB88320U ^ (c >> 1U) : c >> 1U;
    table[i] = c;
  }
  return table;
}();

std::uint32_t crc32(std::string_view bytes) {
  std::uint32_t c = 0xFFFFFFFFU;
  for (const char b : bytes) c = kCrcTable[(c ^ static_cast<unsigned char>(b)) & 0xFFU] ^ (c >> 8U);
  return ~c;
}

/// Reads big-endian fields from the begin of what is left of a packet.
class SubunitFields {
 public:
  explicit SubunitFields(std::string_view bytes) : rest_(bytes) {}

  std::optional<std::uint32_t> fixed(std::size_t n) {
    if (rest_.size() < n) return std::nullopt;
    std::uint32_t v = 0;
    for (std::size_t i = 0; i < n; ++i) v = v << 8U | static_cast<unsigned char>(rest_[i]);
    rest_.remove_prefix(n);
    return v;
  }
  /// The first two bits say how many bytes follow.
  std::optional<std::uint32_t> number() {
    if (rest_.empty()) return std::nullopt;
    const auto n = (static_cast<unsigned char>(rest_[0]) >> 6U) + std::size_t{1};
    const auto v = fixed(n);
    if (!v) return std::nullopt;
    return n == 4 ? *v & 0x3FFFFFFFU : *v & ((1U << (8 * n - 2)) - 1U);
  }
  std::optional<std::string_view> text() {
    const auto n = number();
    if (!n || *n > rest_.size()) return std::nullopt;
    const auto out = rest_.substr(0, *n);
    rest_.remove_prefix(*n);
    return out;
  }

 private:
  std::string_view rest_;
};

struct Packet {
  std::size_t length = 0;
  unsigned status = 0;  ///< 0: none
  std::string_view test;
};

/// Whether `bytes` begins a packet that goes on behind their end.
bool cut(std::string_view bytes) {
  if (bytes.size() < 3 || bytes[0] != kSignature) return bytes.size() < 3;
  SubunitFields fields(bytes.substr(1));
  const auto flags = fields.fixed(2);
  const auto length = fields.number();
  return flags && *flags >> 12U == 2 && (!length || (*length <= kMostPacket && *length > bytes.size()));
}

/// The packet that `bytes` begins with. `checked` grows by what its checksum has cost.
std::optional<Packet> packet_at(std::string_view bytes, std::size_t& checked) {
  if (bytes.size() < kLeastPacket || bytes[0] != kSignature) return std::nullopt;
  SubunitFields fields(bytes.substr(1));
  const auto flags = fields.fixed(2);
  const auto length = fields.number();
  if (!flags || *flags >> 12U != 2 || !length || *length < kLeastPacket || *length > kMostPacket ||
      *length > bytes.size())
    return std::nullopt;
  checked += *length;
  SubunitFields sum(bytes.substr(*length - 4, 4));
  if (sum.fixed(4) != crc32(bytes.substr(0, *length - 4))) return std::nullopt;
  Packet p;
  p.length = *length;
  p.status = *flags & 7U;
  if ((*flags & 0x0200U) != 0 && (!fields.fixed(4) || !fields.number())) return std::nullopt;
  if ((*flags & 0x0800U) != 0) {
    const auto test = fields.text();
    if (!test) return std::nullopt;
    p.test = *test;
  }
  return p;
}

std::optional<TestStatus> subunit_status_of(unsigned status) {
  switch (status) {
    case 3:
      return TestStatus::passed;
    case 4:  // an unexpected success
    case 6:
      return TestStatus::failed;
    case 5:
    case 7:  // an expected failure
      return TestStatus::skipped;
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<model::TestReport> read_subunit(std::string_view output) {
  model::TestReport r;
  r.format = "subunit";
  std::map<std::string, std::int64_t, std::less<>> open;  ///< begun and not ended
  std::int64_t n[4] = {0, 0, 0, 0};
  bool any = false, whole = true;
  // Bytes that only look like packets must not be summed up again and again.
  std::size_t checked = 0;
  const auto most = 2 * output.size() + kMostPacket;
  for (std::size_t at = 0; at < output.size() && checked <= most;) {
    const auto limit = any ? output.size() : std::min(kSubunitBinaryHead, output.size());
    at = output.substr(0, limit).find(kSignature, at);
    if (at == std::string_view::npos) break;
    const auto p = packet_at(output.substr(at), checked);
    if (!p) {
      if (any && cut(output.substr(at))) whole = false;
      ++at;
      continue;
    }
    any = true;
    at += p->length;
    if (p->test.empty()) continue;
    if (p->status == 2) {
      if (open.size() < kMaxNames)
        ++open[std::string(p->test)];
      else
        whole = false;
      continue;
    }
    const auto status = subunit_status_of(p->status);
    if (!status) continue;
    if (const auto it = open.find(p->test); it != open.end() && --it->second == 0) open.erase(it);
    ++n[static_cast<int>(*status)];
    if (r.tests.size() < kMaxNames) r.tests.push_back({std::string(p->test), *status});
  }
  if (!any) return std::nullopt;
  const auto ended = n[0] + n[1] + n[2];
  whole = whole && open.empty() && checked <= most;
  r.complete = whole;
  r.counts = counts(n[0], n[1], n[2], 0);
  if (!whole) r.counts.total.reset();
  if (whole && ended == 0) r.outcome = "no_tests";
  keep_complete_names(r);
  r.confidence = model::Confidence::high;
  return r;
}

}  // namespace hydra::parsers
