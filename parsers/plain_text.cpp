// A terminal of endless height, as far as text matters: what a person would have seen at the end.
#include "base/strings.hpp"
#include "parsers/parsers.hpp"

#include <algorithm>
#include <vector>

namespace hydra::parsers {
namespace {

constexpr char kEscape = '\x1b';

class Screen {
 public:
  /// Reads valid UTF-8. Each byte is looked at once; every row is made by a newline: time and memory are
  /// linear.
  void feed(std::string_view s) {
    std::size_t i = 0;
    while (i < s.size()) {
      const char c = s[i];
      if (c == kEscape) {
        i = escape(s, i + 1);
      } else if (static_cast<unsigned char>(c) >= 0x80) {
        i = wide(s, i);
      } else {
        ascii(c);
        ++i;
      }
    }
  }

  std::string text() const {
    std::string out;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      if (r > 0) out += '\n';
      for (const char32_t c : rows_[r]) append(out, c);
    }
    return out;
  }

 private:
  static void append(std::string& out, char32_t c) {
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

  void put(char32_t c) {
    auto& row = rows_[row_];
    if (column_ < row.size())
      row[column_] = c;
    else
      row.push_back(c);
    ++column_;
  }

  void ascii(char c) {
    if (c == '\n') {
      if (++row_ == rows_.size()) rows_.emplace_back();
      column_ = 0;
    } else if (c == '\r') {
      column_ = 0;
    } else if (c == '\b') {
      if (column_ > 0) --column_;
    } else if (c == '\t' || (c >= ' ' && c != '\x7f')) {
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
      rows_.emplace_back();
      ++row_;
    }
    column_ = 0;
  }

  std::vector<std::u32string> rows_ = std::vector<std::u32string>(1);
  std::size_t row_ = 0, column_ = 0;
};

}  // namespace

std::string plain_text(std::string_view output) {
  Screen screen;
  screen.feed(to_utf8(output));
  return screen.text();
}

}  // namespace hydra::parsers
