// cli: the last door before a terminal. Texts for people are made safe where they are put together; JSON is
// printed as the daemon sent it, and its strings may hold marks that a terminal obeys.
#pragma once

#include <string>
#include <string_view>

namespace hydra::cli {

/// The text with every mark that a terminal obeys or that turns the direction of text around, beyond ASCII,
/// and delete, as "\u009b": in JSON that is the same string. Colours, line ends and tabs stay. Linear.
std::string for_terminal(std::string_view text);

}  // namespace hydra::cli
