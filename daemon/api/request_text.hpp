// daemon/api: checks of a request line and its header before parsing. Pure.
#pragma once

#include "daemon/api/http.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace hydra::api {

/// Returns why these header bytes (request line up to the empty line) are refused, for people; empty:
/// accepted. Headers that two parsers could read differently are refused: no CR, folded lines, length plus
/// chunks.
std::string bad_header(std::string_view header);

/// Parses path, segments and query of a target. Nullopt if the target does not begin with '/', a segment is
/// `..`, or an escape encodes NUL or '/'.
std::optional<Request> read_target(std::string_view target);

}  // namespace hydra::api
