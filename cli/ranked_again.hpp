// cli: verbs that rank a race again out of what is stored: no agent and no check runs.
#pragma once

#include "cli/context.hpp"
#include "cli/render/views.hpp"

#include <functional>
#include <string>
#include <string_view>

namespace hydra::cli {

/// POST of `body` to the race's `path`; shows the results that come back, with last(results) below them.
Result<int> rank_again(Context& context, const std::string& race, std::string_view path,
                       const std::string& body, bool json,
                       const std::function<std::string(const wire::Results&)>& last);

}  // namespace hydra::cli
