// cli: completion scripts. They ask `hydra __complete` (cli/complete.hpp) for the candidates.
#pragma once

#include "base/result.hpp"

#include <string>
#include <string_view>

namespace hydra::cli {

/// `usage` for a shell other than bash, zsh and fish.
Result<std::string> completion_script(std::string_view shell);

}  // namespace hydra::cli
