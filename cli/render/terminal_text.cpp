#include "cli/render/terminal_text.hpp"

#include "base/utf8.hpp"

#include <fmt/format.h>

#include <cstdint>

namespace hydra::cli {

std::string for_terminal(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    char32_t point = 0;
    const auto valid = decode_utf8(text, i, point);
    const auto shown = text.substr(i, valid == 0 ? 1 : valid);
    i += shown.size();
    // An invalid byte may be a C1 control on an 8-bit terminal.
    if (valid == 0) point = static_cast<unsigned char>(shown.front());
    const auto number = static_cast<std::uint32_t>(point);
    if (valid == 0 && point >= 0xA0)
      append_utf8(out, 0xFFFD);
    else if (point < 0x20 || !is_dangerous(point))
      out += shown;
    else if (point > 0xFFFF)
      out += fmt::format("\\u{:04x}\\u{:04x}", 0xD800 + ((number - 0x10000) >> 10),
                         0xDC00 + ((number - 0x10000) & 0x3FF));
    else
      out += fmt::format("\\u{:04x}", number);
  }
  return out;
}

}  // namespace hydra::cli
