// storage: reading events on any thread, beside the daemon's own work, by a connection of its own.
#pragma once

#include "base/result.hpp"
#include "model/event.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace hydra::storage {

/// Events of a race of these kinds, oldest first. What can't be read is left out.
Result<std::vector<model::Event>> read_events(const std::filesystem::path& database, const std::string& race,
                                              const std::vector<std::string>& kinds);

}  // namespace hydra::storage
