#include "parsers/input.hpp"

#include <algorithm>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace hydra::parsers {
namespace {

/// Length of the well-formed sequence at s[i], a visible character; 0 for anything else.
std::size_t visible(std::string_view s, std::size_t i) {
  const auto at = [&](std::size_t k) { return k < s.size() ? static_cast<unsigned char>(s[k]) : 0U; };
  const auto tail = [&](std::size_t k) { return (at(k) & 0xC0U) == 0x80; };
  const auto c = at(i);
  if (c == '\r') return at(i + 1) == '\n' ? 1 : 0;
  if (c < 0x80) return c == '\n' || c == '\t' || (c >= ' ' && c != 0x7F) ? 1 : 0;
  if (c >= 0xC2 && c < 0xE0) return tail(i + 1) && (c != 0xC2 || at(i + 1) >= 0xA0) ? 2 : 0;
  if (c >= 0xE0 && c < 0xF0) {
    const auto next = at(i + 1);
    if (!tail(i + 1) || !tail(i + 2) || (c == 0xE0 && next < 0xA0) || (c == 0xED && next >= 0xA0)) return 0;
    return 3;
  }
  if (c < 0xF0 || c > 0xF4) return 0;
  const auto next = at(i + 1);
  if (!tail(i + 1) || !tail(i + 2) || !tail(i + 3)) return 0;
  return (c == 0xF0 && next < 0x90) || (c == 0xF4 && next >= 0x90) ? 0 : 4;
}

/// How many of the bytes from `i` on are printable ASCII, newlines or tabs, in whole blocks.
std::size_t easy_run(std::string_view s, std::size_t i) {
  const auto begin = i;
#ifdef __SSE2__
  const __m128i blank = _mm_set1_epi8(' '), newline = _mm_set1_epi8('\n'), tab = _mm_set1_epi8('\t'),
                del = _mm_set1_epi8(0x7F);
  for (; i + 16 <= s.size(); i += 16) {
    const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(s.data() + i));
    // Signed comparison: bytes of 0x80 and above are below the blank too.
    const __m128i low = _mm_cmplt_epi8(block, blank);
    const __m128i fine = _mm_or_si128(_mm_cmpeq_epi8(block, newline), _mm_cmpeq_epi8(block, tab));
    const __m128i bad = _mm_or_si128(_mm_andnot_si128(fine, low), _mm_cmpeq_epi8(block, del));
    if (_mm_movemask_epi8(bad) != 0) break;
  }
#endif
  return i - begin;
}

/// Above this size marks are not taken off: it would need a copy of the log.
constexpr std::size_t kMostCopied = std::size_t{256} << 20;

}  // namespace

bool is_plain(std::string_view output) {
  for (std::size_t i = 0; i < output.size();) {
    i += easy_run(output, i);
    for (const auto stop = std::min(i + 16, output.size()); i < stop;) {
      const auto n = visible(output, i);
      if (n == 0) return false;
      i += n;
    }
  }
  return true;
}

Lines::Lines(std::string_view text) : text_(text) {
  for (std::size_t at = 0; at < text.size(); ++count_) {
    if (count_ % kStep == 0) marks_.push_back(at);
    at = end_from(at) + 1;
  }
}

std::size_t Lines::end_from(std::size_t begin) const {
  const void* found = std::memchr(text_.data() + begin, '\n', text_.size() - begin);
  return found == nullptr ? text_.size()
                          : static_cast<std::size_t>(static_cast<const char*>(found) - text_.data());
}

std::string_view Lines::seek(std::size_t i) const {
  if (i >= count_) return {};
  Slot& slot = slots_[i % kSlots];
  const Slot& before = slots_[(i + kSlots - 1) % kSlots];
  const Slot& after = slots_[(i + 1) % kSlots];
  std::size_t begin = 0;
  if (i > 0 && before.index == i - 1) {
    begin = before.end + 1;
  } else if (after.index == i + 1) {
    const auto end = after.begin - 1;
    const void* found = ::memrchr(text_.data(), '\n', end);
    begin =
        found == nullptr ? 0 : static_cast<std::size_t>(static_cast<const char*>(found) - text_.data()) + 1;
    slot = {i, begin, end};
    return view(slot);
  } else {
    begin = marks_[i / kStep];
    for (std::size_t k = i / kStep * kStep; k < i; ++k) begin = end_from(begin) + 1;
  }
  slot = {i, begin, end_from(begin)};
  return view(slot);
}

Input make_input(std::string_view output, const ExitFacts& exit, std::string_view command) {
  Input in;
  in.exit = exit;
  in.command = command;
  const auto keep = [&in](std::string text) {
    in.storage = std::make_shared<const std::string>(std::move(text));
    in.text = *in.storage;
    in.lines = Lines(in.text);
  };
  if (is_plain(output)) {
    in.text = output;
    in.lines = Lines(output);
  } else {
    keep(plain_text(output));
  }
  for (int layer = 0; layer < 3 && in.text.size() <= kMostCopied; ++layer) {
    auto bare = unwrap(in.lines);
    if (!bare) break;
    if (!in.origin.empty())
      for (auto& line : bare->origin) line = in.origin[line];
    in.origin = std::move(bare->origin);
    const auto old = in.storage;  // `text` still looks into it
    keep(std::move(bare->text));
  }
  return in;
}

}  // namespace hydra::parsers
