// cli/tui: what a full-screen terminal shall show, as a grid of styled cells. Pure; terminal.cpp paints it.
#pragma once

#include "cli/render/style.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace hydra::cli::tui {

struct Look {
  Paint paint = Paint::plain;
  bool reverse = false;
  bool operator==(const Look&) const = default;
};

/// One character with the marks that combine with it.
struct Cell {
  std::string glyph;
  std::size_t width = 1;  ///< columns: 1 or 2
  Look look;
};
using Row = std::vector<Cell>;

struct Size {
  std::size_t rows = 24, columns = 80;
  bool operator==(const Size&) const = default;
};

struct Picture {
  std::vector<Row> rows;  ///< exactly as many as the terminal has, none wider than it
};

/// A line as cells. Colours of Style::paint() become looks; every other control character, and what reorders
/// or hides text, is dropped: nothing in a picture can move the cursor.
Row cells_of(std::string_view line, Look look = {});
/// The characters alone, of a line with colours.
std::string text_of(std::string_view line);
std::string text_of(const Row& row);
std::size_t width_of(const Row& row);

/// The columns from `left` on, at most `columns` of them; a wide character that is cut is a blank.
Row crop(const Row& row, std::size_t left, std::size_t columns);
/// Filled with blanks of this look up to `columns`.
Row fill(Row row, std::size_t columns, Look look = {});
/// Cells where `word` begins, whatever the case, reversed along its length; empty: nothing.
void highlight(Row& row, std::string_view word);

}  // namespace hydra::cli::tui
