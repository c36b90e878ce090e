// cli: calls that have to wait for a merge of the same repository, and say so.
#pragma once

#include "cli/context.hpp"

#include <functional>
#include <string>
#include <string_view>

namespace hydra::cli {

/// POST of body("false"), whose argument is its member `wait`. Where that would have to wait the person is
/// told for what, and body("true") is sent, which may take an hour.
Result<std::string> call_in_turn(Context& context, client::Client& client, std::string_view target,
                                 const std::function<std::string(const char*)>& body);

}  // namespace hydra::cli
