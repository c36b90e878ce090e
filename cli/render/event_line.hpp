// cli: a stored event as one line for output that is no terminal, and as one JSON object.
#pragma once

#include "cli/render/style.hpp"
#include "model/event.hpp"

#include <string>
#include <string_view>

namespace hydra::cli {

/// Returns "claude: running (attempt 1)"; empty for events without interest to a person.
std::string event_line(const model::EventBody& body, const Style& style);

/// Returns the reason why the race waits, from the data of a frame "waits", or that the race continues.
std::string waits_line(std::string_view data, const Style& style);

/// Returns {"event": KIND, "id": N, ...data} on one line; `data`: the frame's JSON object.
std::string event_json(std::string_view kind, std::string_view id, std::string_view data);

}  // namespace hydra::cli
