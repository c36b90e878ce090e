// storage: reads events on any thread, beside the daemon's own work, through a separate connection.
#pragma once

#include "base/result.hpp"
#include "model/event.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace hydra::storage {

/// Events of a race of these kinds, oldest first. Unreadable events are omitted.
Result<std::vector<model::Event>> read_events(const std::filesystem::path& database, const std::string& race,
                                              const std::vector<std::string>& kinds);

}  // namespace hydra::storage
