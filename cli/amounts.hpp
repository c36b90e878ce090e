// cli: amounts on the command line: dollars as 5, 0.50 or $1.25, tokens as 200000, 200k or 1.5M, sizes as
// 800k or 2G, and the weights of `hydra rescore`. Errors are `usage` and name the option.
#pragma once

#include "base/result.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace hydra::cli {

/// Parses US dollars, from 0 (no limit) to a million.
Result<double> parse_usd(std::string_view text, const std::string& option);
/// Parses tokens, from 0 (no limit) to 10^15.
Result<std::uint64_t> parse_tokens(std::string_view text, const std::string& option);
/// Parses bytes with decimal units: "500M", "2G", "800k", "1000". Empty: 0.
Result<std::uint64_t> parse_bytes(std::string_view text, const std::string& option);
/// Parses "tests=50,lint=0". Numbers must be finite; the daemon checks names and ranges.
Result<std::map<std::string, double>> read_weights(std::string_view text);

}  // namespace hydra::cli
