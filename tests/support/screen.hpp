// support: what a terminal shows after the bytes of a program, as xterm would: a grid of characters, another
// one for full-screen programs, the cursor's visibility. For tests; knows what ncurses sends.
#pragma once

#include <string>
#include <vector>

namespace hydra::e2e {

class Screen {
 public:
  Screen(std::size_t rows, std::size_t columns);

  /// Bytes may come in any pieces.
  void feed(const std::string& bytes);
  void resize(std::size_t rows, std::size_t columns);

  /// The rows, blanks at their ends cut, joined by line ends.
  [[nodiscard]] std::string text() const;
  /// Lines that scrolled out at the top of the ordinary screen, and its lines.
  [[nodiscard]] std::string ordinary() const;
  [[nodiscard]] bool full_screen() const { return alternate_; }
  [[nodiscard]] bool was_full() const { return was_full_; }
  [[nodiscard]] bool cursor_shown() const { return cursor_; }
  [[nodiscard]] bool mouse_taken() const { return mouse_; }
  /// Text that a colour was used for.
  [[nodiscard]] bool coloured() const { return coloured_; }
  /// Sequences that no full-screen program of ours sends: titles and other strings to the terminal, unknown
  /// sequences, C1 controls. Empty: nothing.
  [[nodiscard]] const std::string& unexpected() const { return unexpected_; }

 private:
  using Grid = std::vector<std::vector<std::string>>;
  Grid& grid() { return alternate_ ? other_ : main_; }
  [[nodiscard]] const Grid& grid() const { return alternate_ ? other_ : main_; }
  [[nodiscard]] std::size_t take(const std::string& bytes, std::size_t at);
  std::size_t escape(const std::string& bytes, std::size_t at);
  void control(const std::string& parameters, char final);
  void mode(const std::string& parameters, bool on);
  void put(const std::string& glyph);
  void line_feed();
  void scroll(std::size_t from, std::size_t count, bool up);
  void erase(std::size_t row, std::size_t from, std::size_t to);
  static std::string joined(const Grid& rows);

  std::size_t rows_, columns_, y_ = 0, x_ = 0, top_ = 0, bottom_;
  std::size_t saved_y_ = 0, saved_x_ = 0;
  Grid main_, other_, gone_;
  bool alternate_ = false, was_full_ = false, cursor_ = true, mouse_ = false, coloured_ = false;
  std::string last_ = " ", rest_, unexpected_;
};

}  // namespace hydra::e2e
