#include "parsers/screen.hpp"

#include "base/utf8.hpp"

#include <algorithm>
#include <utility>

namespace hydra::parsers {
namespace {

constexpr char kScreenEscape = '\x1b';

/// The character at s[i] of valid UTF-8, and how many bytes it has.
std::pair<char32_t, std::size_t> character(std::string_view s, std::size_t i) {
  char32_t c = 0;
  const auto n = decode_utf8(s, i, c);
  return {c, std::max<std::size_t>(n, 1)};
}

/// "ESC [" is behind `i`.
Sequence read_control(std::string_view s, std::size_t i) {
  Sequence out;
  bool first = true;
  for (; i < s.size() && s[i] >= ' ' && s[i] <= '?'; ++i) {
    if (s[i] < '0' || s[i] > '9') first = false;
    if (!first) continue;
    out.n = std::min<std::size_t>(out.n * 10 + static_cast<std::size_t>(s[i] - '0'), 100000);
    out.given = true;
  }
  out.end = i;
  if (i >= s.size() || s[i] < '@' || s[i] > '~') return out;
  out.command = s[i];
  ++out.end;
  return out;
}

}  // namespace

Sequence read_sequence(std::string_view s, std::size_t i) {
  const auto behind = [](std::size_t end) { return Sequence{end, 0, 0, false}; };
  if (i >= s.size()) return behind(i);
  const char c = s[i];
  if (c == '[') return read_control(s, i + 1);
  if (c == ']' || c == 'P' || c == 'X' || c == '^' || c == '_') {
    // A string up to BEL or ESC \; a line end stops an unfinished one, so that it can't swallow the log.
    for (++i; i < s.size() && s[i] != '\n'; ++i) {
      if (s[i] == '\a') return behind(i + 1);
      if (s[i] == kScreenEscape) return behind(i + 1 < s.size() && s[i + 1] == '\\' ? i + 2 : i);
    }
    return behind(i);
  }
  while (i < s.size() && s[i] >= ' ' && s[i] <= '/') ++i;
  return behind(i < s.size() && s[i] >= '0' && s[i] <= '~' ? i + 1 : i);
}

Row::Row(std::string text) : bytes_(std::move(text)) {
  for (const char c : bytes_)
    if ((static_cast<unsigned char>(c) & 0xC0U) != 0x80) ++size_;
  ascii_ = size_ == bytes_.size();
}

void Row::push_back(char32_t c) {
  ++size_;
  if (is_wide_) {
    wide_.push_back(c);
  } else {
    ascii_ = ascii_ && c < 0x80;
    append_utf8(bytes_, c);
  }
}

void Row::push_ascii(std::string_view run) {
  size_ += run.size();
  if (is_wide_)
    wide_.append(run.begin(), run.end());
  else
    bytes_.append(run);
}

void Row::set(std::size_t at, char32_t c) {
  if (!is_wide_ && ascii_ && c < 0x80) {
    bytes_[at] = static_cast<char>(c);
    return;
  }
  widen();
  wide_[at] = c;
}

void Row::resize(std::size_t n) {
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

void Row::append_to(std::string& out) const {
  if (!is_wide_) out += bytes_;
  for (const char32_t c : wide_) append_utf8(out, c);
}

void Row::widen() {
  if (is_wide_) return;
  is_wide_ = true;
  wide_.reserve(size_);
  for (std::size_t i = 0; i < bytes_.size();) {
    const auto [c, n] = character(bytes_, i);
    wide_.push_back(c);
    i += n;
  }
  bytes_ = {};
}

void Screen::feed(std::string_view line) {
  fed_ += line.size();
  for (std::size_t i = 0; i < line.size();) {
    const char c = line[i];
    if (c >= ' ' && c < '\x7f') {
      const auto begin = i;
      while (i < line.size() && line[i] >= ' ' && line[i] < '\x7f') ++i;
      run(line.substr(begin, i - begin));
    } else if (c == kScreenEscape) {
      const auto sequence = read_sequence(line, i + 1);
      if (sequence.command != 0) move(sequence);
      i = sequence.end;
    } else if (static_cast<unsigned char>(c) >= 0x80) {
      i = wide(line, i);
    } else {
      control(c);
      ++i;
    }
  }
  try_to_rest();
}

void Screen::finish() {
  std::string text;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    text.clear();
    if (r > 0) text += '\n';
    rows_[r].append_to(text);
    above_.append(text);
  }
  rows_.assign(1, Row());
  row_ = column_ = 0;
}

void Screen::try_to_rest() {
  // What was taken back is written down again: not before as much was read, else a few bytes could have
  // thousands of rows go to and fro.
  if (row_ + 1 != rows_.size() || !rows_.back().empty() || fed_ < taken_) return;
  for (std::size_t r = 0; r + 1 < rows_.size(); ++r) push_up(rows_[r]);
  rows_.erase(rows_.begin(), rows_.end() - 1);
  row_ = taken_ = fed_ = 0;
}

void Screen::push_up(const Row& row) {
  std::string text;
  row.append_to(text);
  text += '\n';
  above_.append(text);
}

void Screen::run(std::string_view s) {
  auto& row = rows_[row_];
  if (column_ == row.size()) {
    row.push_ascii(s);
    column_ += s.size();
  } else {
    for (const char c : s) put(static_cast<char32_t>(c));
  }
}

void Screen::put(char32_t c) {
  auto& row = rows_[row_];
  if (column_ < row.size())
    row.set(column_, c);
  else
    row.push_back(c);
  ++column_;
}

void Screen::new_row() {
  rows_.emplace_back();
  if (rows_.size() <= kHeight) return;
  push_up(rows_.front());
  above_.flush();
  rows_.pop_front();
  if (row_ > 0) --row_;
}

void Screen::control(char c) {
  if (c == '\n') {
    if (row_ + 1 == rows_.size()) new_row();
    row_ = std::min(row_ + 1, rows_.size() - 1);
    column_ = 0;
  } else if (c == '\r') {
    column_ = 0;
  } else if (c == '\b') {
    if (column_ > 0) --column_;
  } else if (c == '\t') {
    put(static_cast<char32_t>(c));
  }
}

std::size_t Screen::wide(std::string_view s, std::size_t i) {
  const auto [c, n] = character(s, i);
  if (c >= 0xA0) put(c);
  return i + n;
}

void Screen::up(std::size_t steps) {
  while (row_ < steps && rows_.size() < kHeight) {
    auto text = above_.take_row();
    if (!text) break;
    taken_ += text->size() + 1;
    rows_.emplace_front(std::move(*text));
    ++row_;
  }
  row_ -= std::min(row_, steps);
}

void Screen::move(const Sequence& sequence) {
  const auto [end, command, n, given] = sequence;
  const std::size_t steps = given ? std::max<std::size_t>(n, 1) : 1;
  switch (command) {
    case 'A':
      up(steps);
      break;
    case 'F':
      up(steps);
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
      if (column_ + steps > rows_[row_].size()) {
        column_ = rows_[row_].size();
        put(' ');
      } else {
        column_ += steps;
      }
      break;
    case 'G':
      column_ = std::min(steps - 1, rows_[row_].size());
      break;
    case 'H':
      new_page();
      break;
    case 'J':
      erase_below(given ? n : 0);
      break;
    case 'K':
      if (!given || n == 0) rows_[row_].resize(std::min(column_, rows_[row_].size()));
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

void Screen::erase_below(std::size_t n) {
  if (n == 0) {
    rows_.resize(row_ + 1);
    rows_[row_].resize(std::min(column_, rows_[row_].size()));
  } else {
    new_page();
  }
}

/// A cleared screen keeps what was on it: the log has no other copy.
void Screen::new_page() {
  row_ = rows_.size() - 1;
  if (!rows_[row_].empty()) {
    new_row();
    row_ = rows_.size() - 1;
  }
  column_ = 0;
}

}  // namespace hydra::parsers
