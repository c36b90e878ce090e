// cli: an explanation as text. Pure.
#pragma once

#include "base/result.hpp"
#include "cli/render/style.hpp"

#include <string>
#include <string_view>

namespace hydra::cli {

/// The daemon's answer about one agent, for people. `protocol` when it is not a JSON object.
Result<std::string> explain_block(std::string_view json, const Style& style);

}  // namespace hydra::cli
