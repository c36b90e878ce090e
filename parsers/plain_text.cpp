// What a person would have seen on a terminal at the end. Nearly every line of a coloured log needs no
// terminal for that: it is copied without its sequences, 16 bytes at a time. The others go through a Screen.
#include "base/strings.hpp"
#include "parsers/input.hpp"
#include "parsers/screen.hpp"
#include "parsers/scrollback.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>
#include <string>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace hydra::parsers {
namespace {

constexpr char kEscape = '\x1b';
constexpr std::size_t kPiece = std::size_t{1} << 18;  ///< bytes of the log that are taken at a time
constexpr std::size_t kPlainTextBlock = 16;

/// Copies printable ASCII and tabs up to the first other byte; both positions go on. Up to kPlainTextBlock
/// bytes more than that are written.
void copy_run(std::string_view s, std::size_t& i, char*& to) {
#ifdef __SSE2__
  const __m128i blank = _mm_set1_epi8(' '), tab = _mm_set1_epi8('\t'), del = _mm_set1_epi8(0x7F);
  while (i + kPlainTextBlock <= s.size()) {
    const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(s.data() + i));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), block);
    // Signed comparison: bytes of 0x80 and above are below the blank too.
    const __m128i low = _mm_andnot_si128(_mm_cmpeq_epi8(block, tab), _mm_cmplt_epi8(block, blank));
    const auto stops =
        static_cast<unsigned>(_mm_movemask_epi8(_mm_or_si128(low, _mm_cmpeq_epi8(block, del))));
    const auto n = stops == 0 ? kPlainTextBlock : static_cast<std::size_t>(std::countr_zero(stops));
    i += n;
    to += n;
    if (stops != 0) return;
  }
#endif
  for (; i < s.size() && ((s[i] >= ' ' && s[i] < '\x7f') || s[i] == '\t'); ++i) *to++ = s[i];
}

/// One line that is written from left to right, as often as it likes from its begin.
class SimpleLine {
 public:
  SimpleLine(std::string_view s, std::size_t at, char* to) : s_(s), i_(at), begin_(to), now_(to), to_(to) {}

  /// False: it takes a terminal, or has no end.
  bool read() {
    while (true) {
      copy_run(s_, i_, to_);
      if (i_ >= s_.size()) return false;
      const char c = s_[i_];
      if (c == '\n') {
        join();
        *to_++ = '\n';
        ++i_;
        return true;
      }
      if (!special(c)) return false;
    }
  }
  std::size_t next() const { return i_; }
  char* end() const { return to_; }

 private:
  std::size_t column() const { return static_cast<std::size_t>(to_ - now_); }

  bool special(char c) {
    if (c == kEscape) {
      const auto sequence = read_sequence(s_, i_ + 1);
      i_ = sequence.end;
      return sequence.command == 0 || obey(sequence);
    }
    if (static_cast<unsigned char>(c) >= 0x80) {
      const auto n = visible_at(s_, i_);
      // A column is a byte only as long as all is ASCII.
      if (n == 0 || before_ > 0) return false;
      std::memcpy(to_, s_.data() + i_, n);
      to_ += n;
      i_ += n;
      ascii_ = false;
      return true;
    }
    ++i_;
    if (c == '\b') return column() == 0;
    return c != '\r' || go_back();
  }

  bool obey(const Sequence& sequence) {
    switch (sequence.command) {
      case 'A':
      case 'B':
      case 'C':
      case 'D':
      case 'E':
      case 'F':
      case 'H':
        return false;
      case 'G':
        return sequence.n <= 1 && go_back();
      case 'J':
        if (sequence.n != 0) return false;
        break;
      case 'K':
        if (sequence.given && sequence.n == 2) {
          before_ = 0;
          to_ = now_ = begin_;
          ascii_ = true;
          return true;
        }
        if (sequence.n != 0) return true;
        break;
      default:
        return true;
    }
    before_ = std::min(before_, column());
    return true;
  }

  /// To the line's begin.
  bool go_back() {
    if (i_ < s_.size() && s_[i_] == '\n') return true;
    if (!ascii_) return false;
    join();
    before_ = static_cast<std::size_t>(to_ - begin_);
    now_ = to_;
    return true;
  }

  /// Lays what was written last over what was there before.
  void join() {
    if (now_ == begin_) return;
    const auto n = column();
    std::memmove(begin_, now_, n);
    to_ = begin_ + std::max(before_, n);
    before_ = 0;
    now_ = begin_;
  }

  std::string_view s_;
  std::size_t i_;
  char* begin_;             ///< of the row
  char* now_;               ///< of what is written from the row's begin now
  char* to_;                ///< the cursor
  std::size_t before_ = 0;  ///< characters that were there before it
  bool ascii_ = true;
};

void clean(std::string_view piece, Scrollback& text, Screen& screen) {
  for (std::size_t i = 0; i < piece.size();) {
    if (screen.rests()) {
      char* to = text.room(piece.size() - i + kPlainTextBlock);
      while (i < piece.size()) {
        SimpleLine line(piece, i, to);
        if (!line.read()) break;
        i = line.next();
        to = line.end();
      }
      text.advance_to(to);
      if (i == piece.size()) break;
    }
    const auto newline = piece.find('\n', i);
    const auto end = newline == std::string_view::npos ? piece.size() : newline + 1;
    screen.feed(to_utf8(piece.substr(i, end - i)));
    i = end;
  }
  text.flush();
}

}  // namespace

void write_plain(std::string_view output, const std::function<void(std::string_view)>& out,
                 const LeftBehind& left) {
  Scrollback text(out);
  Screen screen(text);
  // No sequence goes on behind a newline, so the text may be cut there.
  while (!output.empty()) {
    const auto end = output.find('\n', std::min(kPiece, output.size()) - 1);
    const auto piece = output.substr(0, end == std::string_view::npos ? output.size() : end + 1);
    clean(piece, text, screen);
    if (left) left(piece);
    output.remove_prefix(piece.size());
  }
  screen.finish();
  text.finish();
}

std::string plain_text(std::string_view output) {
  std::string text;
  text.reserve(output.size());
  write_plain(output, [&text](std::string_view part) { text += part; });
  return text;
}

}  // namespace hydra::parsers
