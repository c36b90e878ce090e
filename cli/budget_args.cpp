#include "cli/budget_args.hpp"

#include "base/strings.hpp"

#include <charconv>
#include <cmath>
#include <optional>

namespace hydra::cli {
namespace {

constexpr double kMostUsd = 1e6;
constexpr double kMostTokens = 1e15;

std::optional<double> number(std::string_view text) {
  double value = 0;
  // No sign, no exponent, no "inf": what is typed as an amount.
  if (text.empty() || text.find_first_not_of("0123456789.") != std::string_view::npos) return std::nullopt;
  const auto parsed =
      std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  if (parsed.ec != std::errc{} || parsed.ptr != text.data() + text.size()) return std::nullopt;
  return value;
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
  double unit = 1;
  auto digits = text;
  if (!digits.empty()) {
    if (digits.back() == 'k' || digits.back() == 'K') unit = 1e3;
    if (digits.back() == 'm' || digits.back() == 'M') unit = 1e6;
    if (unit > 1) digits.remove_suffix(1);
  }
  const auto value = number(digits);
  const double tokens = value.value_or(-1) * unit;
  if (!value || tokens > kMostTokens || tokens != std::floor(tokens))
    return bad(option, "not a number of tokens", text, "write it like 200000, 200k or 1.5M; 0 is no limit");
  return static_cast<std::uint64_t>(tokens);
}

}  // namespace hydra::cli
