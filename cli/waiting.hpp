// cli: calls that have to wait for a merge of the same repository, and say so.
#pragma once

#include "cli/context.hpp"

#include <functional>
#include <string>
#include <string_view>

namespace hydra::cli {

/// The body of a request by its member `wait`.
using BodyByWait = std::function<std::string(bool wait)>;

/// POST of body(false). Where that would have to wait the person is told for what, and body(true) is sent,
/// which may take an hour.
Result<std::string> call_in_turn(Context& context, client::Client& client, std::string_view target,
                                 const BodyByWait& body);

}  // namespace hydra::cli
