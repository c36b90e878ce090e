// storage, inside only: the tables of the history and their writer.
#pragma once

#include "model/history.hpp"
#include "storage/sum.hpp"

namespace SQLite {
class Database;
}

namespace hydra::storage {

/// Events that make a history. Not written as `IN (...)`: SQLite would build a temporary table for each
/// stored event, which costs more than the rest of the insert.
#define HYDRA_HISTORY_EVENTS                                                                                 \
  "kind = 'race_ended' OR kind = 'merged' OR kind = 'merge_undone' OR kind = 'history_forgotten' OR kind = " \
  "'rated'"
/// The columns of both tables that their checksums cover, in the order in which they are read.
#define HYDRA_HISTORY_RACE \
  "race, through, forgotten, state, task, kind, labels, root, repository, base, created_ms, ended_ms"
#define HYDRA_HISTORY_ATTEMPT                                                                              \
  "race, name, entry, agent, asked, model, version, attempt, outcome, flags, rank, composite, build, "     \
  "tests, "                                                                                                \
  "lint, diff_size, speed, fixed, broken, gained, damaged, arena, tokens, cost_usd, wall_ms, confidence, " \
  "rating, "                                                                                               \
  "judged, merged_ms, votes"
/// Attempts are stored in the order of their races, so that one scan reads them.
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
  ended_ms   INTEGER NOT NULL,
  )sql" HYDRA_SUM(HYDRA_HISTORY_RACE) R"sql();
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
  gained     REAL,
  damaged    REAL,
  arena      TEXT NOT NULL DEFAULT '',
  tokens     INTEGER,
  cost_usd   REAL,
  wall_ms    INTEGER NOT NULL,
  confidence TEXT NOT NULL DEFAULT '',
  rating     REAL,
  judged     REAL,
  merged_ms  INTEGER,
  votes      TEXT NOT NULL DEFAULT '',
  )sql" HYDRA_SUM("place, " HYDRA_HISTORY_ATTEMPT) R"sql(,
  PRIMARY KEY (race, place)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS events_of_ends ON events (race, id)
  WHERE )sql" HYDRA_HISTORY_EVENTS ";";

/// Ended races whose history is stale. The WHERE text must equal the index's, or SQLite does not use it.
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
  kUndone = 64,
  kSolved = 128
};

/// Writes in one transaction. Throws SQLiteCpp's exceptions.
void write_history(SQLite::Database& database, const model::HistoryRace& race);

}  // namespace hydra::storage
