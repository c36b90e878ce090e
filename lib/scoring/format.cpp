// Display of points (H2, H15).
#include "scoring/engine.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace hydra::scoring {

namespace {

// Rounding uses the shortest decimal text of the double, which JSON readers see. The binary value would round
// 0.15 (0.1499999…) down and 0.05 (0.0500000…003) up.
std::string half_up(double points, std::size_t decimals) {
  std::array<char, 512> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), std::fabs(points),
                                 std::chars_format::fixed);
  std::string digits(buffer.data(), end.ptr);
  if (digits.find('.') == std::string::npos) digits += '.';
  const auto dot = digits.find('.');
  digits.resize(std::max(digits.size(), dot + decimals + 2), '0');
  bool carry = digits[dot + decimals + 1] >= '5';
  digits.resize(dot + (decimals == 0 ? 0 : decimals + 1));
  for (auto i = digits.size(); carry && i-- > 0;) {
    char& c = digits[i];
    if (c == '.') continue;
    carry = c == '9';
    c = carry ? '0' : static_cast<char>(c + 1);
  }
  if (carry) digits.insert(digits.begin(), '1');
  const bool zero = digits.find_first_not_of("0.") == std::string::npos;
  if (points < 0 && !zero) digits.insert(digits.begin(), '-');
  return digits;
}

}  // namespace

std::string format_score(double points) { return std::isfinite(points) ? half_up(points, 1) : "--"; }

std::string format_points(double points) { return std::isfinite(points) ? half_up(points, 0) : "--"; }

Colour colour(double points) {
  if (points > 80) return Colour::green;
  return points >= 50 ? Colour::yellow : Colour::red;
}

std::string_view name(Colour c) {
  constexpr std::array<std::string_view, 3> kNames{"green", "yellow", "red"};
  return kNames.at(static_cast<std::size_t>(c));
}

}  // namespace hydra::scoring
