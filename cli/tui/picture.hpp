// cli/tui: the contents of a full-screen terminal as a grid of styled cells. Pure; terminal.cpp paints the
// grid.
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

/// A character with its combining marks.
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
  std::vector<Row> rows;  ///< one row per terminal line, none wider than the terminal
};

/// Converts a line to cells. Colours of Style::paint() become looks; control characters and characters that
/// reorder or hide text are dropped, so that no text can move the cursor.
Row cells_of(std::string_view line, Look look = {});
/// Returns the characters of a line without colours.
std::string text_of(std::string_view line);
std::string text_of(const Row& row);
std::size_t width_of(const Row& row);

/// Returns at most `columns` columns from column `left`; a cut wide character becomes a blank.
Row crop(const Row& row, std::size_t left, std::size_t columns);
/// Fills the row with blanks of this look up to `columns`.
Row fill(Row row, std::size_t columns, Look look = {});
/// Reverses the cells of every match of `word`, ignoring case; empty: none.
void highlight(Row& row, std::string_view word);

}  // namespace hydra::cli::tui
