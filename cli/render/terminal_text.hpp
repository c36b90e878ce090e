// cli: the last filter before a terminal. Text for people is safe when composed, but JSON is printed as
// received and may contain characters that a terminal obeys.
#pragma once

#include <string>
#include <string_view>

namespace hydra::cli {

/// Escapes DEL and non-ASCII control and direction characters as "\u009b", which is the same string in JSON.
/// Colours, line ends and tabs stay. Linear time.
std::string for_terminal(std::string_view text);

}  // namespace hydra::cli
