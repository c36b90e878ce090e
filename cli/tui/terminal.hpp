// cli/tui: a whole terminal by ncurses: it paints pictures and says which keys were pressed. The only source
// that sees ncurses is terminal.cpp.
#pragma once

#include "cli/tui/picture.hpp"

#include <memory>
#include <string>
#include <vector>

namespace hydra::cli::tui {

/// Takes the terminal of standard input and output; gives it back as it was in its destructor. One at a time.
class Terminal {
 public:
  /// Nothing where the terminal is not known (TERM) or can't place the cursor.
  static std::unique_ptr<Terminal> open(bool colour);
  ~Terminal();
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  /// As it is now: a window may have changed since the last picture.
  [[nodiscard]] Size size() const;
  /// The locale shows UTF-8.
  [[nodiscard]] bool utf8() const;
  void paint(const Picture& picture);
  /// Paints everything anew next time: somebody else has written on the terminal.
  void spoilt();
  /// What was pressed since the last call, without waiting: a character, or "up", "down", "left", "right",
  /// "pageup", "pagedown", "home", "end", "enter", "esc", "tab", "backspace", "wheelup", "wheeldown", and
  /// "click ROW" for the first button, rows counted from 0.
  std::vector<std::string> keys();
  /// Wheel and first button are keys, too; the terminal's own marking of text is off meanwhile.
  void mouse(bool on);

 private:
  explicit Terminal(void* screen) : screen_(screen) {}
  void* screen_;
};

}  // namespace hydra::cli::tui
