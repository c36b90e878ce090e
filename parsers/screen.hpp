// parsers, inside: a high terminal, as far as text matters: rows, a cursor, and the sequences that move it or
// erase. Only the rows that a cursor has gone back to are kept as rows.
#pragma once

#include "parsers/scrollback.hpp"

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>

namespace hydra::parsers {

/// An escape sequence as it was read.
struct Sequence {
  std::size_t end = 0;  ///< where the text goes on
  char command = 0;     ///< of "ESC [ n command"; 0: any other sequence, and none of them changes text
  std::size_t n = 0;
  bool given = false;  ///< whether there was a number
};
/// `i` is behind the ESC. A line end stops an unfinished one.
Sequence read_sequence(std::string_view s, std::size_t i);

/// A row of characters: bytes as long as it only grows or is ASCII, and wide once something in the middle of
/// other characters changes.
class Row {
 public:
  Row() = default;
  explicit Row(std::string text);  ///< valid UTF-8
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  void clear() { *this = {}; }
  void push_back(char32_t c);
  void push_ascii(std::string_view run);
  void set(std::size_t at, char32_t c);
  /// To fewer characters.
  void resize(std::size_t n);
  void append_to(std::string& out) const;

 private:
  void widen();

  std::string bytes_;
  std::u32string wide_;
  std::size_t size_ = 0;
  bool ascii_ = true, is_wide_ = false;
};

class Screen {
 public:
  explicit Screen(Scrollback& above) : above_(above) {}

  /// Valid UTF-8 that ends with a line or the text. Each byte is looked at once; every row is made by a
  /// newline, and taken back rows are paid for by what follows: time is linear.
  void feed(std::string_view line);
  /// Whether the cursor stands at the begin of an empty last row, and all others are in the scrollback: a
  /// line may then be cleaned without this screen.
  bool rests() const { return rows_.size() == 1 && rows_[0].empty(); }
  void finish();

 private:
  void run(std::string_view s);
  void put(char32_t c);
  void new_row();
  void control(char c);
  std::size_t wide(std::string_view s, std::size_t i);
  void move(const Sequence& sequence);
  void up(std::size_t steps);
  void erase_below(std::size_t n);
  void new_page();
  void push_up(const Row& row);
  void try_to_rest();

  Scrollback& above_;
  std::deque<Row> rows_ = std::deque<Row>(1);
  std::size_t row_ = 0, column_ = 0;
  std::size_t taken_ = 0, fed_ = 0;  ///< bytes since the last rest: taken back, and read
};

}  // namespace hydra::parsers
