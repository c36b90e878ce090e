// storage, inside only: a copy of a race's events beside its files, races/RACE/events.jsonl, or in
// removed/RACE after a clean. The database is authoritative; the copy restores it after damage or loss.
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
  bool operator==(const LoggedEvent&) const = default;
};

/// Body of an event as stored: its uptime is the last member, which other readers of bodies ignore.
std::string stored_body(const model::Event& event);
/// Reads a stored body, with or without an uptime, into `event`.
Result<void> read_body(const std::string& kind, const std::string& text, model::Event& event);

/// Appends stored events to the copies of their races. A race's first event makes its directory; nothing is
/// written if the directory is gone (the race was cleaned). Write failures are ignored: the copy is only a
/// backup. `bodies`: stored_body() of the events, in order.
void copy_events(const fs::path& races, const std::vector<model::Event>& events,
                 const std::vector<std::string>& bodies);
/// Reads the lines whose checksum is right. Empty: no copy, or its beginning is lost.
std::vector<LoggedEvent> copied_events(const fs::path& races, const std::string& race);
/// Races with a copy, and the copy's last write as Unix time in seconds.
std::vector<std::pair<std::string, std::int64_t>> copied_races(const fs::path& races);

}  // namespace hydra::storage
