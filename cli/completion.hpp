// cli: completion scripts, made from the verbs themselves.
#pragma once

#include "base/result.hpp"
#include "cli/app.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace hydra::cli {

/// `usage` for a shell other than bash, zsh and fish.
Result<std::string> completion_script(std::string_view shell, const std::vector<Verb>& verbs);

}  // namespace hydra::cli
