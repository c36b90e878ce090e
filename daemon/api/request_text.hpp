// daemon/api: a request line and its header before anything is made of them. Pure.
#pragma once

#include "daemon/api/http.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace hydra::api {

/// Why these header bytes (request line up to the empty line) are refused, for people; empty: they are not.
/// What two readers could understand differently is: line ends without CR, folded lines, a length beside
/// chunks.
std::string bad_header(std::string_view header);

/// Path, segments and query of a target. Absent where it does not begin with '/', a segment is `..`, or an
/// escape stands for NUL or '/'.
std::optional<Request> read_target(std::string_view target);

}  // namespace hydra::api
