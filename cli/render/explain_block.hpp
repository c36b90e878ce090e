// cli: an explanation as text. Pure.
#pragma once

#include "base/result.hpp"
#include "cli/render/style.hpp"

#include <string>
#include <string_view>

namespace hydra::cli {

/// Formats the daemon's answer about one agent. `protocol` if the answer is no JSON object.
Result<std::string> explain_block(std::string_view json, const Style& style);

}  // namespace hydra::cli
