// daemon/api, inside only: JSON that came from outside.
#pragma once

#include "daemon/api/http.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string_view>

namespace hydra::api {

/// The body as an object; an empty body is an empty one. `usage` where it is none, a member comes twice
/// anywhere, it is nested deeper than 64, or it has a member that is not among `members` (words with blanks
/// between; "*": any).
Result<nlohmann::json> read_body(const Request& request, std::string_view members);

/// What is wrong with a member, in words: never the text of the JSON library alone.
Error bad_member(const std::exception& error);

}  // namespace hydra::api
