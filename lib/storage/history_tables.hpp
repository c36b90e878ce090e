// storage, inside only: the tables of the history and what writes them.
#pragma once

#include "model/history.hpp"

namespace SQLite {
class Database;
}

namespace hydra::storage {

/// Events that a history is made of. Not as a list: for that each event that is stored would be looked up in
/// a table made anew for it, which costs more than the rest of storing it.
#define HYDRA_HISTORY_EVENTS                                                                                 \
  "kind = 'race_ended' OR kind = 'merged' OR kind = 'merge_undone' OR kind = 'history_forgotten' OR kind = " \
  "'rated'"
/// Attempts lie in the order of their races, so that all of them are one scan.
inline constexpr const char* kHistoryTables = R"sql(
CREATE TABLE IF NOT EXISTS history_races (
  number     INTEGER PRIMARY KEY,
  race       TEXT NOT NULL UNIQUE,
  through    INTEGER NOT NULL,
  forgotten  INTEGER NOT NULL,
  state      TEXT NOT NULL,
  task       TEXT NOT NULL,
  kind       TEXT NOT NULL,
  labels     TEXT NOT NULL,
  root       TEXT NOT NULL,
  repository TEXT NOT NULL,
  base       TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  ended_ms   INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS history_attempts (
  race       INTEGER NOT NULL,
  place      INTEGER NOT NULL,
  name       TEXT NOT NULL,
  entry      TEXT NOT NULL,
  agent      TEXT NOT NULL,
  asked      TEXT NOT NULL,
  model      TEXT NOT NULL,
  version    TEXT NOT NULL,
  attempt    INTEGER NOT NULL,
  outcome    TEXT NOT NULL,
  flags      INTEGER NOT NULL,
  rank       INTEGER NOT NULL,
  composite  REAL,
  build      REAL,
  tests      REAL,
  lint       REAL,
  diff_size  REAL,
  speed      REAL,
  fixed      INTEGER,
  broken     INTEGER,
  tokens     INTEGER,
  cost_usd   REAL,
  wall_ms    INTEGER NOT NULL,
  confidence TEXT NOT NULL DEFAULT '',
  rating     REAL,
  judged     REAL,
  merged_ms  INTEGER,
  votes      TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (race, place)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS events_of_ends ON events (race, id)
  WHERE )sql" HYDRA_HISTORY_EVENTS ";";

/// Ended races with an event of that index that their history does not know. As the index has it: only then
/// it is used.
inline constexpr const char* kStaleHistory =
    "SELECT e.race FROM (SELECT race, MAX(id) AS newest FROM events WHERE " HYDRA_HISTORY_EVENTS
    R"sql( GROUP BY race) e
  JOIN races r ON r.id = e.race AND r.state <> 'running'
  LEFT JOIN history_races h ON h.race = e.race
WHERE h.race IS NULL OR h.through < e.newest ORDER BY r.rowid)sql";

/// Bits of `flags`.
enum HistoryFlag {
  kLost = 1,
  kEligible = 2,
  kSuccess = 4,
  kTied = 8,
  kMergedFlag = 16,
  kChanged = 32,
  kUndone = 64
};

/// In one transaction. Throws what SQLiteCpp throws.
void write_history(SQLite::Database& database, const model::HistoryRace& race);

}  // namespace hydra::storage
