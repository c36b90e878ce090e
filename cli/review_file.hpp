// cli: comments on lines of a result, as `hydra retry --review` reads them. Pure.
#pragma once

#include "base/result.hpp"
#include "wire/requests.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace hydra::cli {

/// Reads lines "PATH:LINE: TEXT" and "PATH:FIRST-LAST: TEXT"; indented lines continue the text. `name`: of
/// the file, for errors and ReviewComment::at.
Result<std::vector<wire::ReviewComment>> parse_review(std::string_view text, const std::string& name);

}  // namespace hydra::cli
