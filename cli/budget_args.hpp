// cli: amounts on the command line: dollars as 5, 0.50 or $1.25, tokens as 200000, 200k or 1.5M.
#pragma once

#include "base/result.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace hydra::cli {

/// US dollars, at least 0 (no limit), at most a million. `usage` otherwise; `option` is the place it names.
Result<double> parse_usd(std::string_view text, const std::string& option);
/// Tokens, at least 0 (no limit), at most 10^15.
Result<std::uint64_t> parse_tokens(std::string_view text, const std::string& option);

}  // namespace hydra::cli
