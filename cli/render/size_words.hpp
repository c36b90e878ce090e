// cli: sizes as people type them.
#pragma once

#include "base/result.hpp"

#include <cstdint>
#include <string>

namespace hydra::cli {

/// "500M", "2G", "800k", "1000": decimal, as sizes are shown. Empty: 0. `option` is named in the error.
Result<std::uint64_t> parse_bytes(const std::string& text, const std::string& option);

}  // namespace hydra::cli
