#include "cli/terminal_text.hpp"

#include <fmt/format.h>

#include <cstdint>

namespace hydra::cli {
namespace {

/// The code point that begins at `i` and how many bytes it takes; 0 bytes for what is no UTF-8 of two to four
/// bytes. Overlong forms are not looked for: no terminal obeys them.
std::size_t decode(std::string_view text, std::size_t i, std::uint32_t& point) {
  const auto byte = [&](std::size_t n) { return static_cast<unsigned char>(text[n]); };
  const unsigned char lead = byte(i);
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 0;
  if (length == 0 || length > text.size() - i) return 0;
  point = lead & (0x7FU >> length);
  for (std::size_t n = 1; n < length; ++n) {
    if ((byte(i + n) & 0xC0) != 0x80) return 0;
    point = point << 6 | (byte(i + n) & 0x3FU);
  }
  return length;
}

bool obeyed(std::uint32_t point) {
  return (point >= 0x7F && point < 0xA0) || point == 0x061C || (point >= 0x200B && point <= 0x200F) ||
         (point >= 0x2028 && point <= 0x202E) || (point >= 0x2066 && point <= 0x2069) || point == 0xFEFF ||
         (point >= 0xE0000 && point <= 0xE007F);
}

}  // namespace

std::string for_terminal(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    std::uint32_t point = static_cast<unsigned char>(text[i]);
    const auto decoded = decode(text, i, point);
    const auto length = decoded == 0 ? std::size_t{1} : decoded;
    // A byte of 8-bit terminals' C1 controls that is no UTF-8.
    if (decoded == 0 && point >= 0x80) point = point < 0xA0 ? point : 0xFFFD;
    if (decoded == 0 && point == 0xFFFD)
      out += "\xEF\xBF\xBD";
    else if (!obeyed(point))
      out += text.substr(i, length);
    else if (point > 0xFFFF)
      out += fmt::format("\\u{:04x}\\u{:04x}", 0xD800 + ((point - 0x10000) >> 10),
                         0xDC00 + ((point - 0x10000) & 0x3FF));
    else
      out += fmt::format("\\u{:04x}", point);
    i += length;
  }
  return out;
}

}  // namespace hydra::cli
