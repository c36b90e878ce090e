#include "cli/amounts.hpp"

#include "base/strings.hpp"

#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

namespace hydra::cli {
namespace {

constexpr double kMostUsd = 1e6;
constexpr double kMostTokens = 1e15;

std::optional<double> number(std::string_view text) {
  double value = 0;
  // Only digits and points are allowed: no sign, exponent or "inf".
  if (text.empty() || text.find_first_not_of("0123456789.") != std::string_view::npos) return std::nullopt;
  const auto parsed =
      std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  if (parsed.ec != std::errc{} || parsed.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Splits off a unit letter; returns the rest and the unit's factor.
std::pair<std::string_view, double> without_unit(std::string_view text, std::string_view letters) {
  if (text.empty() || letters.find(text.back()) == std::string_view::npos) return {text, 1};
  const char letter = text.back();
  text.remove_suffix(1);
  return {text, letter == 'G' ? 1e9 : letter == 'm' || letter == 'M' ? 1e6 : 1e3};
}

Error bad(const std::string& option, const std::string& what, std::string_view text, const char* hint) {
  return {Errc::usage, what + ": \"" + sanitize(text) + "\"", "command line: " + option, hint};
}

}  // namespace

Result<double> parse_usd(std::string_view text, const std::string& option) {
  const auto value = number(text.starts_with('$') ? text.substr(1) : text);
  if (!value || *value > kMostUsd)
    return bad(option, "not an amount of dollars", text, "write it like 5, 0.50 or 1.25; 0 is no limit");
  return *value;
}

Result<std::uint64_t> parse_tokens(std::string_view text, const std::string& option) {
  const auto [digits, unit] = without_unit(text, "kKmM");
  const auto value = number(digits);
  const double tokens = value.value_or(-1) * unit;
  if (!value || tokens > kMostTokens || tokens != std::floor(tokens))
    return bad(option, "not a number of tokens", text, "write it like 200000, 200k or 1.5M; 0 is no limit");
  return static_cast<std::uint64_t>(tokens);
}

Result<std::uint64_t> parse_bytes(std::string_view text, const std::string& option) {
  if (text.empty()) return std::uint64_t{0};
  const auto [digits, unit] = without_unit(text, "kKMG");
  const auto value = parse_int(digits);
  if (!value || static_cast<double>(*value) * unit > 1e18)
    return Error{Errc::usage, "'" + sanitize(text) + "' is no size", option, "500M, 2G"};
  return static_cast<std::uint64_t>(static_cast<double>(*value) * unit);
}

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
