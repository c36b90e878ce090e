#include "cli/render/size_words.hpp"

#include "base/strings.hpp"

#include <utility>

namespace hydra::cli {

Result<std::uint64_t> parse_bytes(const std::string& text, const std::string& option) {
  if (text.empty()) return std::uint64_t{0};
  const Error bad{Errc::usage, "'" + sanitize(text) + "' is no size", option, "500M, 2G"};
  auto number = text;
  double unit = 1;
  for (const auto& [letter, value] : {std::pair{'k', 1e3}, {'K', 1e3}, {'M', 1e6}, {'G', 1e9}})
    if (number.back() == letter) {
      unit = value;
      number.pop_back();
      break;
    }
  const auto value = parse_int(number);
  if (!value || *value < 0 || static_cast<double>(*value) * unit > 1e18) return bad;
  return static_cast<std::uint64_t>(static_cast<double>(*value) * unit);
}

}  // namespace hydra::cli
