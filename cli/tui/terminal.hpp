// cli/tui: a whole terminal by ncurses: paints pictures and reads keys. Only terminal.cpp includes ncurses.
#pragma once

#include "cli/tui/picture.hpp"

#include <memory>
#include <string>
#include <vector>

namespace hydra::cli::tui {

/// Takes over the terminal of standard input and output; the destructor restores it. At most one object at a
/// time.
class Terminal {
 public:
  /// Returns null if TERM is unknown or the terminal has no cursor addressing.
  static std::unique_ptr<Terminal> open(bool colour);
  ~Terminal();
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  /// Returns the current size, which may have changed since the last picture.
  [[nodiscard]] Size size() const;
  /// Whether the locale uses UTF-8.
  [[nodiscard]] bool utf8() const;
  void paint(const Picture& picture);
  /// Forces a full repaint, after another program wrote on the terminal.
  void spoilt();
  /// Returns keys since the last call, without waiting: a character, "up", "pageup", "home", "enter", "esc",
  /// "tab", "backspace", "wheelup" etc. (terminal.cpp), or "click ROW" (first button, ROW from 0).
  std::vector<std::string> keys();
  /// Reports wheel and first button as keys, which disables the terminal's own text selection.
  void mouse(bool on);

 private:
  explicit Terminal(void* screen) : screen_(screen) {}
  void* screen_;
};

}  // namespace hydra::cli::tui
