// cli: completion scripts, which call `hydra __complete` (cli/complete.hpp) for candidates.
#pragma once

#include "base/result.hpp"

#include <string>
#include <string_view>

namespace hydra::cli {

/// Returns the script; `usage` for a shell other than bash, zsh and fish.
Result<std::string> completion_script(std::string_view shell);

}  // namespace hydra::cli
