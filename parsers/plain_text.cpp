// A high terminal, as far as text matters: what a person would have seen at the end.
#include "base/strings.hpp"
#include "parsers/parsers.hpp"

#include <algorithm>
#include <deque>
#include <functional>
#include <string>

namespace hydra::parsers {
namespace {

constexpr char kEscape = '\x1b';
/// Rows that the cursor can go back to: no terminal is higher, and what is above them is done with.
constexpr std::size_t kHeight = 4096;
constexpr std::size_t kPiece = std::size_t{1} << 16;  ///< bytes of the log that are taken at a time

void append_utf8(std::string& out, char32_t c) {
  const auto byte = [&out](char32_t b) { out += static_cast<char>(static_cast<unsigned char>(b)); };
  if (c < 0x80) {
    byte(c);
  } else if (c < 0x800) {
    byte(0xC0 | (c >> 6));
    byte(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    byte(0xE0 | (c >> 12));
    byte(0x80 | ((c >> 6) & 0x3F));
    byte(0x80 | (c & 0x3F));
  } else {
    byte(0xF0 | (c >> 18));
    byte(0x80 | ((c >> 12) & 0x3F));
    byte(0x80 | ((c >> 6) & 0x3F));
    byte(0x80 | (c & 0x3F));
  }
}

/// A row of characters: bytes as long as it only grows or is ASCII, and wide once something in the middle of
/// other characters changes.
class Row {
 public:
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  void clear() { *this = {}; }
  void push_back(char32_t c) {
    ++size_;
    if (is_wide_) {
      wide_.push_back(c);
    } else {
      ascii_ = ascii_ && c < 0x80;
      append_utf8(bytes_, c);
    }
  }
  void push_ascii(std::string_view run) {
    size_ += run.size();
    if (is_wide_)
      wide_.append(run.begin(), run.end());
    else
      bytes_.append(run);
  }
  void set(std::size_t at, char32_t c) {
    if (!is_wide_ && ascii_ && c < 0x80) {
      bytes_[at] = static_cast<char>(c);
      return;
    }
    widen();
    wide_[at] = c;
  }
  /// To fewer characters.
  void resize(std::size_t n) {
    if (n == size_) return;
    if (n == 0) return clear();
    if (is_wide_ || !ascii_) {
      widen();
      wide_.resize(n);
    } else {
      bytes_.resize(n);
    }
    size_ = n;
  }
  void append_to(std::string& out) const {
    if (!is_wide_) out += bytes_;
    for (const char32_t c : wide_) append_utf8(out, c);
  }

 private:
  void widen() {
    if (is_wide_) return;
    is_wide_ = true;
    wide_.reserve(size_);
    for (std::size_t i = 0; i < bytes_.size();) {
      const auto lead = static_cast<unsigned char>(bytes_[i]);
      const std::size_t n = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0x80 ? 2 : 1;
      char32_t c = lead & (n == 4 ? 0x07u : n == 3 ? 0x0Fu : n == 2 ? 0x1Fu : 0x7Fu);
      for (std::size_t k = 1; k < n; ++k) c = (c << 6) | (static_cast<unsigned char>(bytes_[i + k]) & 0x3Fu);
      wide_.push_back(c);
      i += n;
    }
    bytes_ = {};
  }

  std::string bytes_;
  std::u32string wide_;
  std::size_t size_ = 0;
  bool ascii_ = true, is_wide_ = false;
};

class Screen {
 public:
  explicit Screen(const std::function<void(std::string_view)>& out) : out_(out) {}

  /// Reads valid UTF-8 that ends with a line or the text. Each byte is looked at once; every row is made by a
  /// newline: time is linear, memory that of the last rows.
  void feed(std::string_view s) {
    std::size_t i = 0;
    while (i < s.size()) {
      const char c = s[i];
      if (c >= ' ' && c < '\x7f') {
        const auto begin = i;
        while (i < s.size() && s[i] >= ' ' && s[i] < '\x7f') ++i;
        run(s.substr(begin, i - begin));
      } else if (c == kEscape) {
        i = escape(s, i + 1);
      } else if (static_cast<unsigned char>(c) >= 0x80) {
        i = wide(s, i);
      } else {
        ascii(c);
        ++i;
      }
    }
  }

  void finish() {
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      if (r > 0) done_ += '\n';
      rows_[r].append_to(done_);
      flush(kPiece);
    }
    flush(1);
  }

 private:
  void flush(std::size_t least) {
    if (done_.size() < least) return;
    out_(done_);
    done_.clear();
  }

  void run(std::string_view s) {
    auto& row = rows_[row_];
    if (column_ == row.size()) {
      row.push_ascii(s);
      column_ += s.size();
    } else {
      for (const char c : s) put(static_cast<char32_t>(c));
    }
  }

  void put(char32_t c) {
    auto& row = rows_[row_];
    if (column_ < row.size())
      row.set(column_, c);
    else
      row.push_back(c);
    ++column_;
  }

  void new_row() {
    rows_.emplace_back();
    if (rows_.size() <= kHeight) return;
    rows_.front().append_to(done_);
    done_ += '\n';
    rows_.pop_front();
    flush(kPiece);
    if (row_ > 0) --row_;
  }

  void ascii(char c) {
    if (c == '\n') {
      if (row_ + 1 == rows_.size()) new_row();
      ++row_;
      row_ = std::min(row_, rows_.size() - 1);
      column_ = 0;
    } else if (c == '\r') {
      column_ = 0;
    } else if (c == '\b') {
      if (column_ > 0) --column_;
    } else if (c == '\t') {
      put(static_cast<char32_t>(c));
    }
  }

  std::size_t wide(std::string_view s, std::size_t i) {
    const auto lead = static_cast<unsigned char>(s[i]);
    const std::size_t n = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    char32_t c = lead & (n == 4 ? 0x07u : n == 3 ? 0x0Fu : 0x1Fu);
    for (std::size_t k = 1; k < n && i + k < s.size(); ++k)
      c = (c << 6) | (static_cast<unsigned char>(s[i + k]) & 0x3Fu);
    if (c >= 0xA0) put(c);
    return std::min(i + n, s.size());
  }

  /// `i` is behind the ESC; returns where the text goes on.
  std::size_t escape(std::string_view s, std::size_t i) {
    if (i >= s.size()) return i;
    const char c = s[i];
    if (c == '[') return control(s, i + 1);
    if (c == ']' || c == 'P' || c == 'X' || c == '^' || c == '_') {
      // A string up to BEL or ESC \; a line end stops an unfinished one, so that it can't swallow the log.
      for (++i; i < s.size() && s[i] != '\n'; ++i) {
        if (s[i] == '\a') return i + 1;
        if (s[i] == kEscape) return i + 1 < s.size() && s[i + 1] == '\\' ? i + 2 : i;
      }
      return i;
    }
    while (i < s.size() && s[i] >= ' ' && s[i] <= '/') ++i;
    return i < s.size() && s[i] >= '0' && s[i] <= '~' ? i + 1 : i;
  }

  std::size_t control(std::string_view s, std::size_t i) {
    std::size_t n = 0;
    bool given = false;
    bool first = true;
    for (; i < s.size() && s[i] >= ' ' && s[i] <= '?'; ++i) {
      if (s[i] < '0' || s[i] > '9') first = false;
      if (!first) continue;
      n = std::min<std::size_t>(n * 10 + static_cast<std::size_t>(s[i] - '0'), 100000);
      given = true;
    }
    if (i >= s.size() || s[i] < '@' || s[i] > '~') return i;
    move(s[i], n, given);
    return i + 1;
  }

  void move(char command, std::size_t n, bool given) {
    const std::size_t steps = given ? std::max<std::size_t>(n, 1) : 1;
    const auto& row = rows_[row_];
    switch (command) {
      case 'A':
        row_ -= std::min(row_, steps);
        break;
      case 'F':
        row_ -= std::min(row_, steps);
        column_ = 0;
        break;
      case 'B':
        row_ = std::min(row_ + steps, rows_.size() - 1);
        break;
      case 'E':
        row_ = std::min(row_ + steps, rows_.size() - 1);
        column_ = 0;
        break;
      case 'D':
        column_ -= std::min(column_, steps);
        break;
      case 'C':
        // Beyond the end of a row one blank stands for the gap: an escape must not buy memory.
        if (column_ + steps > row.size()) {
          column_ = row.size();
          put(' ');
        } else {
          column_ += steps;
        }
        break;
      case 'G':
        column_ = std::min(steps - 1, row.size());
        break;
      case 'H':
        new_page();
        break;
      case 'J':
        erase_below(given ? n : 0);
        break;
      case 'K':
        if (!given || n == 0) rows_[row_].resize(std::min(column_, row.size()));
        if (given && n == 2) {
          rows_[row_].clear();
          column_ = 0;
        }
        break;
      default:
        break;
    }
    column_ = std::min(column_, rows_[row_].size());
  }

  void erase_below(std::size_t n) {
    if (n == 0) {
      rows_.resize(row_ + 1);
      rows_[row_].resize(std::min(column_, rows_[row_].size()));
    } else {
      new_page();
    }
  }

  /// A cleared screen keeps what was on it: the log has no other copy.
  void new_page() {
    row_ = rows_.size() - 1;
    if (!rows_[row_].empty()) {
      new_row();
      row_ = rows_.size() - 1;
    }
    column_ = 0;
  }

  const std::function<void(std::string_view)>& out_;
  std::string done_;  ///< rows above the last ones, not yet given away
  std::deque<Row> rows_ = std::deque<Row>(1);
  std::size_t row_ = 0, column_ = 0;
};

}  // namespace

void write_plain(std::string_view output, const std::function<void(std::string_view)>& out,
                 const LeftBehind& left) {
  Screen screen(out);
  // No sequence goes on behind a newline, so the text may be cut there.
  while (!output.empty()) {
    const auto end = output.find('\n', std::min(kPiece, output.size()) - 1);
    const auto piece = output.substr(0, end == std::string_view::npos ? output.size() : end + 1);
    screen.feed(to_utf8(piece));
    if (left) left(piece);
    output.remove_prefix(piece.size());
  }
  screen.finish();
}

std::string plain_text(std::string_view output) {
  std::string text;
  write_plain(output, [&text](std::string_view part) { text += part; });
  return text;
}

}  // namespace hydra::parsers
