// cli: what the place where text goes can show: colours, UTF-8, width. Pure but for detect().
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
  std::size_t width = 0;  ///< columns; 0: not a terminal, no limit

  [[nodiscard]] std::string paint(Paint paint, std::string_view text) const;
  /// Hostile text made fit to show: no control characters, one line; '?' for what a plain ASCII place can't
  /// show.
  [[nodiscard]] std::string safe(std::string_view text) const;
  /// The same, at most `columns` wide.
  [[nodiscard]] std::string fit(std::string_view text, std::size_t columns) const;
  /// Our own text: typographic characters become ASCII where they must.
  [[nodiscard]] std::string own(std::string_view text) const;
  [[nodiscard]] std::string_view tick() const { return utf8 ? "✓" : "ok"; }
  [[nodiscard]] std::string_view cross() const { return utf8 ? "✗" : "FAIL"; }
};

enum class ColourMode { automatic, always, never };

/// True where LC_ALL, LC_CTYPE, LANG (the first that is set) name UTF-8.
bool utf8_locale(const EnvLookup& env);
/// The style for a descriptor: NO_COLOR, TERM, the locale and the terminal's size are looked at.
Style detect_style(int fd, ColourMode mode, const EnvLookup& env);
/// Columns of a terminal, 0 if it is none; 80 where it doesn't say.
std::size_t terminal_width(int fd);
std::size_t terminal_height(int fd);
/// A terminal on which a table can be redrawn in place.
bool can_redraw(int fd, const EnvLookup& env);

/// "1 file", "3 files".
std::string counted(std::integral auto count, std::string_view what) {
  return std::to_string(count).append(" ").append(what).append(count == 1 ? "" : "s");
}
/// `text` filled with blanks to `columns` columns, at the left where `right` is set.
std::string pad(std::string text, std::size_t columns, bool right = false);

}  // namespace hydra::cli
