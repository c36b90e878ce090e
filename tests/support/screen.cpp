#include "support/screen.hpp"

#include <algorithm>
#include <cstdlib>
#include <sstream>

namespace hydra::e2e {
namespace {

constexpr std::size_t kWait = std::string::npos;  // the sequence goes on in the next piece

std::vector<std::size_t> numbers_of(const std::string& parameters) {
  std::vector<std::size_t> out;
  std::istringstream parts(parameters);
  for (std::string part; std::getline(parts, part, ';');)
    out.push_back(static_cast<std::size_t>(std::atoi(part.c_str())));
  return out;
}

std::size_t length_of(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xF0) return 4;
  return first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 0;
}

}  // namespace

Screen::Screen(std::size_t rows, std::size_t columns) : rows_(rows), columns_(columns), bottom_(rows - 1) {
  main_.assign(rows, std::vector<std::string>(columns, " "));
  other_ = main_;
}

void Screen::resize(std::size_t rows, std::size_t columns) {
  rows_ = rows;
  columns_ = columns;
  top_ = 0;
  bottom_ = rows - 1;
  for (auto* grid : {&main_, &other_}) {
    grid->resize(rows, std::vector<std::string>(columns, " "));
    for (auto& row : *grid) row.resize(columns, " ");
  }
  y_ = std::min(y_, rows - 1);
  x_ = std::min(x_, columns - 1);
}

void Screen::feed(const std::string& bytes) {
  const auto all = rest_ + bytes;
  std::size_t at = 0;
  while (at < all.size()) {
    const auto used = take(all, at);
    if (used == kWait) break;
    at += used;
  }
  rest_ = all.substr(at);
}

std::size_t Screen::take(const std::string& bytes, std::size_t at) {
  const auto byte = static_cast<unsigned char>(bytes[at]);
  if (byte == 0x1B) return escape(bytes, at);
  if (byte == '\r') x_ = 0;
  if (byte == '\n') line_feed();
  if (byte == '\b' && x_ > 0) --x_;
  if (byte == '\t') x_ = std::min((x_ / 8 + 1) * 8, columns_ - 1);
  if (byte < 0x20 || byte == 0x7F) {
    if (byte != '\r' && byte != '\n' && byte != '\b' && byte != '\t')
      unexpected_ += "control " + std::to_string(byte) + "; ";
    return 1;
  }
  const auto length = length_of(byte);
  if (length == 0) {
    unexpected_ += "no UTF-8; ";
    return 1;
  }
  if (at + length > bytes.size()) return kWait;
  const auto glyph = bytes.substr(at, length);
  if (byte == 0xC2 && static_cast<unsigned char>(glyph[1]) < 0xA0)
    unexpected_ += "C1 control; ";
  else
    put(glyph);
  return length;
}

std::size_t Screen::escape(const std::string& bytes, std::size_t at) {
  if (at + 1 >= bytes.size()) return kWait;
  const char kind = bytes[at + 1];
  if (kind == '(' || kind == ')') return at + 2 < bytes.size() ? 3 : kWait;
  if (kind == '[') {
    auto end = at + 2;
    while (end < bytes.size() && (bytes[end] < '@' || bytes[end] > '~')) ++end;
    if (end == bytes.size()) return kWait;
    control(bytes.substr(at + 2, end - at - 2), bytes[end]);
    return end - at + 1;
  }
  if (kind == '7') saved_y_ = y_, saved_x_ = x_;
  if (kind == '8') y_ = saved_y_, x_ = saved_x_;
  if (kind == 'M') y_ == top_ ? scroll(top_, 1, false) : void(--y_);
  if (std::string("78M=>").find(kind) == std::string::npos) unexpected_ += std::string("ESC ") + kind + "; ";
  return 2;
}

void Screen::control(const std::string& parameters, char final) {
  const auto numbers = numbers_of(parameters);
  const auto n = [&](std::size_t i, std::size_t otherwise) {
    return i < numbers.size() && numbers[i] > 0 ? numbers[i] : otherwise;
  };
  const auto row = [&](std::size_t to) { y_ = std::min(to, rows_ - 1); };
  const auto column = [&](std::size_t to) { x_ = std::min(to, columns_ - 1); };
  auto& cells = grid()[y_];
  switch (final) {
    case 'H':
    case 'f':
      return row(n(0, 1) - 1), column(n(1, 1) - 1);
    case 'A':
      return row(y_ - std::min(y_, n(0, 1)));
    case 'B':
      return row(y_ + n(0, 1));
    case 'C':
      return column(x_ + n(0, 1));
    case 'D':
      return column(x_ - std::min(x_, n(0, 1)));
    case 'd':
      return row(n(0, 1) - 1);
    case 'G':
      return column(n(0, 1) - 1);
    case 'K':
      return erase(y_, n(0, 0) == 0 ? x_ : 0, n(0, 0) == 1 ? x_ + 1 : columns_);
    case 'X':
      return erase(y_, x_, x_ + n(0, 1));
    case 'J':
      for (std::size_t y = 0; y < rows_; ++y)
        if (n(0, 0) == 2 || (n(0, 0) == 0 ? y > y_ : y < y_)) erase(y, 0, columns_);
      return n(0, 0) == 2 ? void() : erase(y_, n(0, 0) == 0 ? x_ : 0, n(0, 0) == 0 ? columns_ : x_ + 1);
    case 'P':
      for (std::size_t i = 0; i < n(0, 1) && x_ < cells.size(); ++i)
        cells.erase(cells.begin() + static_cast<std::ptrdiff_t>(x_));
      return cells.resize(columns_, " ");
    case '@':
      cells.insert(cells.begin() + static_cast<std::ptrdiff_t>(x_), n(0, 1), " ");
      return cells.resize(columns_);
    case 'L':
      return scroll(y_, n(0, 1), false);
    case 'M':
      return scroll(y_, n(0, 1), true);
    case 'S':
      return scroll(top_, n(0, 1), true);
    case 'T':
      return scroll(top_, n(0, 1), false);
    case 'b':
      for (std::size_t i = n(0, 1); i > 0; --i) put(last_);
      return;
    case 'r':
      top_ = n(0, 1) - 1;
      bottom_ = std::min(n(1, rows_), rows_) - 1;
      return row(0), column(0);
    case 'm':
      for (const auto value : numbers) coloured_ = coloured_ || (value >= 30 && value <= 37);
      return;
    case 'h':
    case 'l':
      return mode(parameters, final == 'h');
    case 't':  // a window's state is pushed and popped, where xterm starts and leaves its full screen
      if (parameters.starts_with("22;") || parameters.starts_with("23;")) return;
      break;
    default:
      break;
  }
  unexpected_ += "CSI " + parameters + final + "; ";
}

void Screen::mode(const std::string& parameters, bool on) {
  if (parameters == "?1049") alternate_ = on;
  was_full_ = was_full_ || alternate_;
  if (parameters == "?1049" && on) other_.assign(rows_, std::vector<std::string>(columns_, " "));
  if (parameters == "?1049") on ? void((saved_y_ = y_, saved_x_ = x_)) : void((y_ = saved_y_, x_ = saved_x_));
  if (parameters == "?25") cursor_ = on;
  if (parameters.starts_with("?1000") || parameters.starts_with("?1006;1000")) mouse_ = on;
}

void Screen::put(const std::string& glyph) {
  if (x_ >= columns_) {
    x_ = 0;
    line_feed();
  }
  grid()[y_][x_++] = glyph;
  last_ = glyph;
}

void Screen::line_feed() {
  if (y_ < bottom_) {
    ++y_;
    return;
  }
  if (!alternate_) gone_.push_back(main_.front());
  scroll(top_, 1, true);
}

void Screen::scroll(std::size_t from, std::size_t count, bool up) {
  auto& rows = grid();
  const std::vector<std::string> blank(columns_, " ");
  for (std::size_t i = 0; i < count && from <= bottom_; ++i) {
    rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(up ? from : bottom_));
    rows.insert(rows.begin() + static_cast<std::ptrdiff_t>(up ? bottom_ : from), blank);
  }
}

void Screen::erase(std::size_t row, std::size_t from, std::size_t to) {
  for (auto x = from; x < std::min(to, columns_); ++x) grid()[row][x] = " ";
}

std::string Screen::joined(const Grid& rows) {
  std::string out;
  for (const auto& row : rows) {
    std::string line;
    for (const auto& glyph : row) line += glyph;
    out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return out;
}

std::string Screen::text() const { return joined(grid()); }
std::string Screen::ordinary() const { return joined(gone_) + joined(main_); }

}  // namespace hydra::e2e
