// race: a POST to a receiver of the user's own, as notify.hpp describes it, with headers.
#pragma once

#include "race/notify.hpp"

#include <string>
#include <utility>
#include <vector>

namespace hydra::race {

using PostHeaders = std::vector<std::pair<std::string, std::string>>;

/// As post_json() without them. Headers may be secrets: they are no part of an argument or a message.
Result<void> post_json(const std::string& url, const std::string& body, const PostHeaders& headers,
                       const NotifyContext& context);

}  // namespace hydra::race
