// cli: one stored event as one line, for output that is not a terminal, and as one JSON object.
#pragma once

#include "cli/render/style.hpp"
#include "model/event.hpp"

#include <string>
#include <string_view>

namespace hydra::cli {

/// "claude: running (attempt 1)"; empty for events that tell a person nothing.
std::string event_line(const model::EventBody& body, const Style& style);

/// Why nothing goes on, out of the data of a frame "waits", or that it goes on again.
std::string waits_line(std::string_view data, const Style& style);

/// {"event": KIND, "id": N, ...data} on one line; `data` is the frame's JSON object.
std::string event_json(std::string_view kind, std::string_view id, std::string_view data);

}  // namespace hydra::cli
