// cli: the capabilities of an output: colours, UTF-8, width. Every function but the detection is pure.
#pragma once

#include "base/paths.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace hydra::cli {

enum class Paint { plain, bold, dim, green, yellow, red, cyan };

struct Style {
  bool colour = false;
  bool utf8 = true;
  std::size_t width = 0;  ///< columns; 0: no terminal, no limit

  [[nodiscard]] std::string paint(Paint paint, std::string_view text) const;
  /// Makes untrusted text safe to show: no control characters, one line; '?' for characters that an ASCII
  /// output lacks.
  [[nodiscard]] std::string safe(std::string_view text) const;
  /// As safe(), at most `columns` wide.
  [[nodiscard]] std::string fit(std::string_view text, std::size_t columns) const;
  /// Converts typographic characters of our own text to ASCII for an ASCII output.
  [[nodiscard]] std::string own(std::string_view text) const;
  [[nodiscard]] std::string_view tick() const { return utf8 ? "✓" : "ok"; }
  [[nodiscard]] std::string_view cross() const { return utf8 ? "✗" : "FAIL"; }
};

enum class ColourMode { automatic, always, never };

/// Whether the first set variable of LC_ALL, LC_CTYPE, LANG names UTF-8.
bool utf8_locale(const EnvLookup& env);
/// Returns the style for a descriptor, from NO_COLOR, TERM, locale and terminal size.
Style detect_style(int fd, ColourMode mode, const EnvLookup& env);
/// Returns the columns of a terminal; 0: no terminal; 80: unknown size.
std::size_t terminal_width(int fd);
std::size_t terminal_height(int fd);
/// Whether `fd` is a terminal that can redraw a table in place.
bool can_redraw(int fd, const EnvLookup& env);

/// Returns "1 file" or "3 files".
std::string counted(std::integral auto count, std::string_view what) {
  return std::to_string(count).append(" ").append(what).append(count == 1 ? "" : "s");
}
/// Pads `text` with blanks to `columns` columns; `right`: blanks at the left.
std::string pad(std::string text, std::size_t columns, bool right = false);

}  // namespace hydra::cli
