#include "cli/weights.hpp"

#include "base/strings.hpp"
#include "cli/context.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace hydra::cli {

Result<std::string> weights_json(std::string_view text) {
  std::string members;
  if (text.empty()) return members;
  for (const auto part : split(text, ',')) {
    const auto equals = part.find('=');
    const auto name = trim(part.substr(0, equals));
    const auto number = equals == std::string_view::npos ? std::string_view() : trim(part.substr(equals + 1));
    double value = 0;
    const auto read = std::from_chars(number.data(), number.data() + number.size(), value);
    if (number.empty() || read.ec != std::errc() || read.ptr != number.data() + number.size() ||
        !std::isfinite(value))
      return Error{Errc::usage, "no weight: '" + sanitize(part) + "'", "command line: --weights",
                   "build=30,tests=30,lint=15,diff_size=15,speed=10,judges=0"};
    // Printed anew: ".5" is a number for people and none for JSON.
    members += fmt::format("{}{}:{}", members.empty() ? "" : ",", json_string(name), value);
  }
  return members;
}

}  // namespace hydra::cli
