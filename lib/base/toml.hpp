// base: reading TOML that anybody may have written.
#pragma once

#include <toml++/toml.h>

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace hydra {

/// toml::parse(), which throws toml::parse_error. A line with so many dots that a key in it could nest tables
/// until the recursion of toml++ has used up the stack is such an error, too.
inline toml::table parse_toml(std::string_view text, std::string_view name = {}) {
  constexpr std::ptrdiff_t kMostDots = 1024;  // as toml++ itself has it after 3.4
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
