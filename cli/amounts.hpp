// cli: amounts as people type them: dollars as 5, 0.50 or $1.25, tokens as 200000, 200k or 1.5M, sizes as
// 800k or 2G, and the weights of `hydra rescore`. An error is `usage` and names the option.
#pragma once

#include "base/result.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace hydra::cli {

/// US dollars, at least 0 (no limit), at most a million.
Result<double> parse_usd(std::string_view text, const std::string& option);
/// Tokens, at least 0 (no limit), at most 10^15.
Result<std::uint64_t> parse_tokens(std::string_view text, const std::string& option);
/// Bytes: "500M", "2G", "800k", "1000": decimal, as sizes are shown. Empty: 0.
Result<std::uint64_t> parse_bytes(std::string_view text, const std::string& option);
/// "tests=50,lint=0", by name. Numbers are finite; whether a name is one of a dimension and a number is one
/// of a weight is the daemon's affair.
Result<std::map<std::string, double>> read_weights(std::string_view text);

}  // namespace hydra::cli
