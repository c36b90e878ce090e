#include "parsers/input.hpp"

#include "base/strings.hpp"
#include "base/utf8.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace hydra::parsers {
namespace {

/// Returns the number of bytes from `i` on that are printable ASCII, newlines or tabs, in whole blocks.
std::size_t easy_run(std::string_view s, std::size_t i) {
  const auto begin = i;
#ifdef __SSE2__
  const __m128i blank = _mm_set1_epi8(' '), newline = _mm_set1_epi8('\n'), tab = _mm_set1_epi8('\t'),
                del = _mm_set1_epi8(0x7F);
  for (; i + 16 <= s.size(); i += 16) {
    const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(s.data() + i));
    // The comparison is signed: bytes of 0x80 and above are below the blank too.
    const __m128i low = _mm_cmplt_epi8(block, blank);
    const __m128i fine = _mm_or_si128(_mm_cmpeq_epi8(block, newline), _mm_cmpeq_epi8(block, tab));
    const __m128i bad = _mm_or_si128(_mm_andnot_si128(fine, low), _mm_cmpeq_epi8(block, del));
    if (_mm_movemask_epi8(bad) != 0) break;
  }
#endif
  return i - begin;
}

/// Bytes; a larger log keeps its marks, since removing marks needs a copy of the log.
constexpr std::size_t kMostCopied = std::size_t{256} << 20;
constexpr std::size_t kMostAtOnce = std::size_t{4} << 20;  ///< bytes between two reports to the text's owner
constexpr std::size_t kCached = std::size_t{1} << 18;  ///< bytes; all scans of a piece run while it is cached

/// Advances `at` to `end`, or past the character there; false: the text is not plain.
bool plain_to(std::string_view text, std::size_t& at, std::size_t end) {
  while (at < end) {
    at += easy_run(text.substr(0, end), at);
    for (const auto stop = std::min(at + 16, end); at < stop;) {
      const auto n = visible_at(text, at);
      if (n == 0) return false;
      at += n;
    }
  }
  return true;
}

}  // namespace

std::size_t visible_at(std::string_view s, std::size_t i) {
  const auto c = static_cast<unsigned char>(s[i]);
  if (c == '\r') return i + 1 < s.size() && s[i + 1] == '\n' ? 1 : 0;
  if (c < 0x80) return c == '\n' || c == '\t' || (c >= ' ' && c != 0x7F) ? 1 : 0;
  char32_t point = 0;
  const auto n = decode_utf8(s, i, point);
  return point < 0xA0 ? 0 : n;
}

bool is_plain(std::string_view output) {
  std::size_t at = 0;
  return plain_to(output, at, output.size());
}

Lines::Lines(std::string_view text, LeftBehind left) : text_(text), left_(std::move(left)) {
  if (!text.empty()) marks_.push_back(0);
}

void Lines::read_to(std::size_t end) {
  auto at = read_;
#ifdef __SSE2__
  const __m128i newline = _mm_set1_epi8('\n');
  for (; at + 64 <= end; at += 64) {
    std::uint64_t mask = 0;
    for (unsigned k = 0; k < 4; ++k) {
      const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text_.data() + at + 16 * k));
      mask |=
          static_cast<std::uint64_t>(static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(block, newline))))
          << (16 * k);
    }
    for (; mask != 0; mask &= mask - 1)
      if (++count_ % kStep == 0) marks_.push_back(at + static_cast<std::size_t>(std::countr_zero(mask)) + 1);
  }
#endif
  for (; at < end; ++at)
    if (text_[at] == '\n' && ++count_ % kStep == 0) marks_.push_back(at + 1);
  read_ = end;
  // A line begins behind each newline except one at the text's end.
  if (end == text_.size() && !text_.empty() && !text_.ends_with('\n')) ++count_;
}

bool Lines::contains(std::string_view what) const {
  for (std::size_t at = 0; at < text_.size(); at += kPiece) {
    const auto piece = text_.substr(at, kPiece + what.size() - std::min<std::size_t>(what.size(), 1));
    if (piece.find(what) != std::string_view::npos) return true;
    if (left_) left_(piece);
  }
  return false;
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
    // A reader that starts over passes, and reports, the whole text again.
    if (i == 0) left_at_ = 0, leave_at_ = kPiece;
    for (std::size_t k = i / kStep * kStep; k < i; ++k) begin = end_from(begin) + 1;
  }
  slot = {i, begin, end_from(begin)};
  return view(slot);
}

void Lines::leave(std::size_t upto) const {
  // The last lines may be read again soon.
  const auto end = upto - std::min(upto, kPiece / 4);
  if (left_ && end > left_at_) left_(text_.substr(left_at_, end - left_at_));
  left_at_ = end;
  leave_at_ = end + kPiece;
}

namespace {

/// Returns the text as valid UTF-8 with a blank for each byte of a control character.
std::string blanked(std::string_view bytes) {
  auto text = to_utf8(bytes);
  for (std::size_t i = 0; i < text.size();) {
    const auto n = visible_at(text, i);
    if (n == 0) text[i] = ' ';
    i += std::max<std::size_t>(n, 1);
  }
  return text;
}

/// Finds line begins and markers in one pass over a text; false: the text is not plain.
bool survey(std::string_view text, bool plain, const LeftBehind& left, std::span<const MarkerGroup> groups,
            Input& in) {
  Lines lines(text, left);
  MarkerSearch search(text, groups);
  std::size_t checked = 0, told = 0;
  for (std::size_t end = 0; end < text.size();) {
    end += std::min(kCached, text.size() - end);
    if (!plain && !plain_to(text, checked, end)) return false;
    lines.read_to(end);
    search.read_to(end);
    if (left && (end - told >= kMostAtOnce || end == text.size())) {
      left(text.substr(told, end - told));
      told = end;
    }
  }
  in.text = text;
  in.lines = std::move(lines);
  in.groups = groups.empty() ? std::vector<bool>{} : search.found();
  return true;
}

}  // namespace

Input make_input(std::string_view output, const ExitFacts& exit, const Hints& hints,
                 std::span<const MarkerGroup> groups) {
  Input in;
  in.exit = exit;
  in.command = hints.command;
  const auto keep = [&](std::string text) {
    in.storage = std::make_shared<const std::string>(std::move(text));
    survey(*in.storage, true, {}, groups, in);
  };
  if (!survey(output, false, hints.left_behind, groups, in)) {
    if (hints.file)
      keep(blanked(output));
    else if (hints.keep)
      survey(hints.keep([&](const auto& sink) { write_plain(output, sink, hints.left_behind); }), true,
             hints.left_behind, groups, in);
    else
      keep(plain_text(output));
  }
  for (int layer = 0; !hints.file && layer < 3 && in.text.size() <= kMostCopied; ++layer) {
    auto bare = unwrap(in.lines);
    if (!bare) break;
    if (!in.origin.empty())
      for (auto& line : bare->origin) line = in.origin[line];
    in.origin = std::move(bare->origin);
    const auto old = in.storage;  // keeps the old text alive, which `text` views until the assignment
    keep(std::move(bare->text));
  }
  return in;
}

}  // namespace hydra::parsers
