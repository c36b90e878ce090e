// How points are shown (H2, H15).
#include "scoring/engine.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace hydra::scoring {

// Half up is decided on the shortest decimal text that names the double, the number a reader of the JSON
// sees. The binary value itself would round 0.15 (0.1499999…) down and 0.05 (0.0500000…003) up.
std::string format_score(double points) {
  if (!std::isfinite(points)) return "--";
  std::array<char, 512> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), std::fabs(points),
                                 std::chars_format::fixed);
  std::string digits(buffer.data(), end.ptr);
  const auto dot = digits.find('.');
  if (dot == std::string::npos) {
    digits += ".0";
  } else {
    const bool up = digits.size() > dot + 2 && digits[dot + 2] >= '5';
    digits.resize(dot + 2);
    auto i = static_cast<std::ptrdiff_t>(digits.size()) - 1;
    bool carry = up;
    for (; carry && i >= 0; --i) {
      char& c = digits[static_cast<std::size_t>(i)];
      if (c == '.') continue;
      carry = c == '9';
      c = carry ? '0' : static_cast<char>(c + 1);
    }
    if (carry) digits.insert(digits.begin(), '1');
  }
  if (points < 0 && digits != "0.0") digits.insert(digits.begin(), '-');
  return digits;
}

Colour colour(double points) {
  if (points > 80) return Colour::green;
  return points >= 50 ? Colour::yellow : Colour::red;
}

}  // namespace hydra::scoring
