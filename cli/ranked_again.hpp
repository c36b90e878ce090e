// cli: verbs that rank a race again from stored evidence; no agent and no check runs.
#pragma once

#include "cli/context.hpp"
#include "cli/render/views.hpp"

#include <functional>
#include <string>
#include <string_view>

namespace hydra::cli {

/// Posts `body` to the race's `path` and shows the returned results, followed by last(results).
Result<int> rank_again(Context& context, const std::string& race, std::string_view path,
                       const std::string& body, bool json,
                       const std::function<std::string(const wire::Results&)>& last);

}  // namespace hydra::cli
