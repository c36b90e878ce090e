// base: parses untrusted TOML.
#pragma once

#include <toml++/toml.h>

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace hydra {

/// Calls toml::parse(), which throws toml::parse_error. A line with too many dots throws too: nested keys
/// would overflow the stack of toml++.
inline toml::table parse_toml(std::string_view text, std::string_view name = {}) {
  constexpr std::ptrdiff_t kMostDots = 1024;  // limit of toml++ itself after 3.4
  toml::source_index number = 1;
  for (std::size_t from = 0; from < text.size(); ++number) {
    const auto line = text.substr(from, text.find('\n', from) - from);
    if (std::count(line.begin(), line.end(), '.') > kMostDots)
      throw toml::parse_error("more than 1,024 dots in a line", {{number, 1}, {number, 1}, nullptr});
    from += line.size() + 1;
  }
  return toml::parse(text, name);
}

}  // namespace hydra
