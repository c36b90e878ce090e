#include "cli/weights.hpp"

#include "base/strings.hpp"

#include <charconv>
#include <cmath>

namespace hydra::cli {

Result<std::map<std::string, double>> read_weights(std::string_view text) {
  std::map<std::string, double> weights;
  if (text.empty()) return weights;
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
    weights[std::string(name)] = value;
  }
  return weights;
}

}  // namespace hydra::cli
