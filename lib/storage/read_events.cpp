#include "storage/read_events.hpp"

#include "storage/race_log.hpp"
#include "storage/schema.hpp"
#include "storage/sum.hpp"

#include <SQLiteCpp/SQLiteCpp.h>

#include <algorithm>

namespace hydra::storage {

Result<std::vector<model::Event>> read_events(const std::filesystem::path& database, const std::string& race,
                                              const std::vector<std::string>& kinds) {
  try {
    // Not read-only: SQLite may have to recover the write-ahead log after a crash.
    SQLite::Database connection(database.string(), SQLite::OPEN_READWRITE);
    connection.setBusyTimeout(5000);
    SQLite::Statement query(connection,
                            "SELECT id, at_ms, kind, body FROM events WHERE race = ? AND " HYDRA_WHOLE(
                                HYDRA_EVENT_COLUMNS) " ORDER BY id");
    query.bind(1, race);
    std::vector<model::Event> found;
    while (query.executeStep()) {
      const auto kind = query.getColumn(2).getString();
      if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) continue;
      model::Event event;
      event.id = query.getColumn(0).getInt64();
      event.race = race;
      event.at_ms = query.getColumn(1).getInt64();
      if (read_body(kind, query.getColumn(3).getString(), event).ok()) found.push_back(std::move(event));
    }
    return found;
  } catch (const std::exception& e) {
    return Error{Errc::io, std::string("cannot read events: ") + e.what(), database.string(), {}};
  }
}

}  // namespace hydra::storage
