#include "cli/tui/picture.hpp"

#include "base/strings.hpp"
#include "base/utf8.hpp"

#include <array>
#include <optional>
#include <utility>

namespace hydra::cli::tui {
namespace {

constexpr std::array<std::pair<std::string_view, Paint>, 7> kPaints{{{"\x1b[0m", Paint::plain},
                                                                     {"\x1b[1m", Paint::bold},
                                                                     {"\x1b[2m", Paint::dim},
                                                                     {"\x1b[31m", Paint::red},
                                                                     {"\x1b[32m", Paint::green},
                                                                     {"\x1b[33m", Paint::yellow},
                                                                     {"\x1b[36m", Paint::cyan}}};

// Returns length and meaning of a Style::paint() colour at `at`.
std::optional<std::pair<std::size_t, Paint>> paint_at(std::string_view line, std::size_t at) {
  for (const auto& [code, paint] : kPaints)
    if (line.substr(at).starts_with(code)) return std::pair{code.size(), paint};
  return std::nullopt;
}

}  // namespace

Row cells_of(std::string_view line, Look look) {
  const auto base = look.paint;
  Row row;
  for (std::size_t i = 0; i < line.size();) {
    if (const auto paint = paint_at(line, i)) {
      look.paint = paint->second == Paint::plain ? base : paint->second;
      i += paint->first;
      continue;
    }
    char32_t point = 0;
    const auto length = decode_utf8(line, i, point);
    const auto glyph = line.substr(i, length == 0 ? 1 : length);
    i += glyph.size();
    if (glyph == "\t") {
      do row.push_back({" ", 1, look});
      while (row.size() % 4 != 0);
    } else if (length != 0 && !is_dangerous(point)) {
      const auto width = display_width(glyph);
      if (width > 0)
        row.push_back({std::string(glyph), width, look});
      else if (!row.empty())
        row.back().glyph += glyph;
    }
  }
  return row;
}

std::string text_of(const Row& row) {
  std::string out;
  for (const auto& cell : row) out += cell.glyph;
  return out;
}
std::string text_of(std::string_view line) { return text_of(cells_of(line)); }

std::size_t width_of(const Row& row) {
  std::size_t width = 0;
  for (const auto& cell : row) width += cell.width;
  return width;
}

Row crop(const Row& row, std::size_t left, std::size_t columns) {
  Row out;
  std::size_t at = 0;
  for (const auto& cell : row) {
    const auto begin = at, end = at + cell.width;
    at = end;
    if (end <= left || begin >= left + columns) continue;
    if (begin >= left && end <= left + columns)
      out.push_back(cell);
    else
      out.push_back({" ", 1, cell.look});
  }
  return out;
}

Row fill(Row row, std::size_t columns, Look look) {
  for (auto width = width_of(row); width < columns; ++width) row.push_back({" ", 1, look});
  return row;
}

void highlight(Row& row, std::string_view word) {
  if (word.empty()) return;
  std::string text;
  std::vector<std::size_t> cell_of;  // cell index of each byte
  for (std::size_t i = 0; i < row.size(); ++i) {
    text += row[i].glyph;
    cell_of.resize(text.size(), i);
  }
  const auto low = to_lower(text), wanted = to_lower(word);
  for (auto at = low.find(wanted); at != std::string::npos; at = low.find(wanted, at + wanted.size()))
    for (auto byte = at; byte < at + wanted.size(); ++byte) row[cell_of[byte]].look.reverse = true;
}

}  // namespace hydra::cli::tui
