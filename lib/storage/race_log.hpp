// storage, inside only: a copy of a race's events beside its files, races/RACE/events.jsonl, or in
// removed/RACE where a clean took the race away. The database is what counts; the copy is what it is made of
// again where it was damaged or lost.
#pragma once

#include "base/result.hpp"
#include "model/event.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace hydra::storage {

namespace fs = std::filesystem;

struct LoggedEvent {
  std::int64_t at_ms = 0;
  std::string kind, body;
};

/// An event's body as it is stored: with the uptime of its moment as a last member, which readers of bodies
/// do not know.
std::string stored_body(const model::Event& event);
/// Reads such a body, or one without an uptime, into `event`.
Result<void> read_body(const std::string& kind, const std::string& text, model::Event& event);

/// Appends stored events to the copies of their races. The first event of a race makes its directory; where
/// that is gone (the race was cleaned) nothing is written. What can't be written is left out: the copy is a
/// second line only. `bodies`: their stored_body(), in order.
void copy_events(const fs::path& races, const std::vector<model::Event>& events,
                 const std::vector<std::string>& bodies);
/// Whole lines only: what a crash cut off is none. Empty where there is no copy, or its beginning is lost.
std::vector<LoggedEvent> copied_events(const fs::path& races, const std::string& race);
/// Races that have a copy, with the Unix time in seconds at which it was last written.
std::vector<std::pair<std::string, std::int64_t>> copied_races(const fs::path& races);

}  // namespace hydra::storage
