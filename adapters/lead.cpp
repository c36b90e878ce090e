#include "adapters/tally.hpp"

#include <algorithm>

namespace hydra::adapters {
namespace {

constexpr std::string_view kMark = "\xEF\xBB\xBF";
constexpr std::string_view kIntroducer = "\x1b[";
/// Limit of a control sequence, in bytes.
constexpr std::size_t kLongest = 32;

/// Whether the byte may stand between a sequence's introducer and final byte.
bool is_parameter(char c) { return c >= ' ' && c <= '?'; }

/// Returns the length of the control sequence at the start; 0: none, or incomplete.
std::size_t sequence(std::string_view text) {
  if (!text.starts_with(kIntroducer)) return 0;
  for (std::size_t i = kIntroducer.size(); i < std::min(text.size(), kLongest); ++i)
    if (!is_parameter(text[i])) return text[i] >= '@' && text[i] <= '~' ? i + 1 : 0;
  return 0;
}

bool may_be_sequence(std::string_view text) {
  if (text.size() >= kLongest || !kIntroducer.starts_with(text.substr(0, kIntroducer.size()))) return false;
  return text.size() <= kIntroducer.size() ||
         std::all_of(text.begin() + kIntroducer.size(), text.end(), is_parameter);
}

}  // namespace

Lead lead_of(std::string_view text) {
  Lead lead;
  while (lead.size < text.size()) {
    const auto rest = text.substr(lead.size);
    if (rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\r') {
      ++lead.size;
      continue;
    }
    if (rest.starts_with(kMark)) {
      lead.size += kMark.size();
      continue;
    }
    if (const auto size = sequence(rest); size > 0) {
      lead.size += size;
      continue;
    }
    lead.open = kMark.starts_with(rest) || may_be_sequence(rest);
    break;
  }
  return lead;
}

}  // namespace hydra::adapters
