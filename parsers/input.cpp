#include "parsers/input.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace hydra::parsers {
namespace {

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
constexpr std::size_t kMostAtOnce = std::size_t{4} << 20;  ///< bytes between two words to the text's holder

}  // namespace

std::size_t visible_at(std::string_view s, std::size_t i) {
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

bool is_plain(std::string_view output, const LeftBehind& left) {
  std::size_t told = 0;
  for (std::size_t i = 0; i < output.size();) {
    if (left && i - told >= kMostAtOnce) {
      left(output.substr(told, i - told));
      told = i;
    }
    i += easy_run(output.substr(0, left ? told + kMostAtOnce : output.size()), i);
    for (const auto stop = std::min(i + 16, output.size()); i < stop;) {
      const auto n = visible_at(output, i);
      if (n == 0) return false;
      i += n;
    }
  }
  return true;
}

Lines::Lines(std::string_view text, LeftBehind left) : text_(text), left_(std::move(left)) {
  if (text.empty()) return;
  marks_.push_back(0);
  std::size_t at = 0;
  // A line begins behind each newline but the last one of the text.
  count_ = text.ends_with('\n') ? 0 : 1;
  std::size_t newlines = 0;
  const auto piece = [&](std::size_t end) {
#ifdef __SSE2__
    const __m128i newline = _mm_set1_epi8('\n');
    for (; at + 64 <= end; at += 64) {
      std::uint64_t mask = 0;
      for (unsigned k = 0; k < 4; ++k) {
        const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + at + 16 * k));
        mask |= static_cast<std::uint64_t>(
                    static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(block, newline))))
                << (16 * k);
      }
      for (; mask != 0; mask &= mask - 1)
        if (++newlines % kStep == 0)
          marks_.push_back(at + static_cast<std::size_t>(std::countr_zero(mask)) + 1);
    }
#endif
    for (; at < end; ++at)
      if (text[at] == '\n' && ++newlines % kStep == 0) marks_.push_back(at + 1);
  };
  while (at < text.size()) {
    const auto begin = at;
    piece(at + std::min(kPiece, text.size() - at));
    if (left_) left_(text.substr(begin, at - begin));
  }
  count_ += newlines;
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
    if (begin >= leave_at_) leave(begin);
  } else if (after.index == i + 1) {
    const auto end = after.begin - 1;
    const void* found = ::memrchr(text_.data(), '\n', end);
    begin =
        found == nullptr ? 0 : static_cast<std::size_t>(static_cast<const char*>(found) - text_.data()) + 1;
    slot = {i, begin, end};
    return view(slot);
  } else {
    begin = marks_[i / kStep];
    // A reader that begins anew leaves everything behind once more.
    if (i == 0) left_at_ = 0, leave_at_ = kPiece;
    for (std::size_t k = i / kStep * kStep; k < i; ++k) begin = end_from(begin) + 1;
  }
  slot = {i, begin, end_from(begin)};
  return view(slot);
}

void Lines::leave(std::size_t upto) const {
  // The last lines may be asked for again soon.
  const auto end = upto - std::min(upto, kPiece / 4);
  if (left_ && end > left_at_) left_(text_.substr(left_at_, end - left_at_));
  left_at_ = end;
  leave_at_ = end + kPiece;
}

Input make_input(std::string_view output, const ExitFacts& exit, std::string_view command,
                 const LeftBehind& left, bool plain) {
  Input in;
  in.exit = exit;
  in.command = command;
  const auto keep = [&in](std::string text) {
    in.storage = std::make_shared<const std::string>(std::move(text));
    in.text = *in.storage;
    in.lines = Lines(in.text);
  };
  if (plain || is_plain(output, left)) {
    in.text = output;
    in.lines = Lines(output, left);
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
