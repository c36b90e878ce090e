// daemon/api: checks of a request line and its header before parsing. Pure.
#pragma once

#include "daemon/api/http.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace hydra::api {

/// Returns why these header bytes (request line up to the empty line) are refused, for people; empty:
/// accepted. Ambiguous headers (line ends without CR, folded lines, a length together with chunks) are
/// refused, since two parsers could disagree.
std::string bad_header(std::string_view header);

/// Parses path, segments and query of a target. Nullopt if the target does not begin with '/', a segment is
/// `..`, or an escape encodes NUL or '/'.
std::optional<Request> read_target(std::string_view target);

}  // namespace hydra::api
