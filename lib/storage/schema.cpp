#include "storage/schema.hpp"

#include "storage/history_tables.hpp"
#include "storage/repair.hpp"
#include "storage/sum.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>
#include <sqlite3.h>

#include <cerrno>

namespace hydra::storage {
namespace {

constexpr int kSchema = 1;

constexpr const char* kTables = R"sql(
CREATE TABLE IF NOT EXISTS events (
  id    INTEGER PRIMARY KEY AUTOINCREMENT,
  race  TEXT NOT NULL,
  at_ms INTEGER NOT NULL,
  kind  TEXT NOT NULL,
  body  TEXT NOT NULL,
  )sql" HYDRA_SUM(HYDRA_EVENT_COLUMNS) R"sql();
CREATE INDEX IF NOT EXISTS events_by_race ON events (race, id);
CREATE INDEX IF NOT EXISTS events_of_merges ON events (race, id) WHERE kind = 'merged';
CREATE INDEX IF NOT EXISTS events_of_branches ON events (race) WHERE )sql" HYDRA_BRANCH_EVENTS R"sql(;
CREATE TABLE IF NOT EXISTS races (
  id         TEXT PRIMARY KEY,
  created_ms INTEGER NOT NULL,
  repository TEXT NOT NULL,
  task       TEXT NOT NULL,
  agents     TEXT NOT NULL,
  state      TEXT NOT NULL,
  winner     TEXT NOT NULL,
  )sql" HYDRA_SUM(HYDRA_RACE_COLUMNS) R"sql();
CREATE INDEX IF NOT EXISTS races_by_time ON races (created_ms, id);
CREATE TABLE IF NOT EXISTS evidence_cache (
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL,
  at_ms INTEGER NOT NULL,
  )sql" HYDRA_SUM("key, value, at_ms") R"sql();
)sql";

int version_of(SQLite::Database& database) { return database.execAndGet("PRAGMA user_version").getInt(); }

/// The text of the whole schema; empty: a file without tables, which has just been created.
std::string schema_of(SQLite::Database& database) {
  return database
      .execAndGet(
          "SELECT coalesce(group_concat(type || ' ' || tbl_name || ' ' || coalesce(sql, name), char(10)), "
          "'') "
          "FROM (SELECT * FROM sqlite_master ORDER BY type, name)")
      .getString();
}

}  // namespace

Error storage_error(std::string_view what, const std::exception& e) {
  const auto* said = dynamic_cast<const SQLite::Exception*>(&e);
  const int code = said == nullptr ? SQLITE_ERROR : said->getErrorCode();
  const char* hint = "";
  if (is_damage(e)) {
    hint =
        "it is damaged: the next start of the daemon (`hydra daemon stop`, then any command) "
        "moves it aside and saves what can be read of it";
  } else if (code == SQLITE_FULL) {
    hint = "make room on its disk";
  } else if (code == SQLITE_BUSY || code == SQLITE_LOCKED) {
    hint = "another program holds it";
  } else if (code == SQLITE_READONLY || code == SQLITE_PERM || code == SQLITE_CANTOPEN) {
    hint = "it must be a file that you can write, in a directory that you can write";
  } else if (code == SQLITE_IOERR) {
    hint = "its disk reports errors: see the system's log";
  }
  return {Errc::io, fmt::format("{}: {}", what, e.what()), "database", hint,
          code == SQLITE_FULL ? ENOSPC : 0};
}

Result<void> check_version(const std::filesystem::path& file) {
  std::error_code ec;
  if (!std::filesystem::exists(file, ec) || std::filesystem::file_size(file, ec) == 0) return {};
  const auto look = [&](int how) -> Result<void> {
    SQLite::Database database(file.string(), how);
    database.setBusyTimeout(5000);
    const int version = version_of(database);
    const auto schema = schema_of(database);
    if (schema.empty()) return {};
    if (version == kSchema || version == 0) {
      SQLite::Database ours(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
      create_tables(ours);
      if (version == kSchema && schema == schema_of(ours)) return {};
      throw Damage("its tables are not those of Hydra");
    }
    return Error{Errc::environment,
                 fmt::format("the database has schema {}, and this version of Hydra reads schema {} only",
                             version, kSchema),
                 file.string(), "move the file away, or use the version of Hydra that wrote it"};
  };
  try {
    // Read-only first: closing the last writable connection would move the log into the file.
    return look(SQLite::OPEN_READONLY);
  } catch (const SQLite::Exception& e) {
    if (is_damage(e)) throw;
    // After a crash SQLite may have to recover the log before it can read.
    return look(SQLite::OPEN_READWRITE);
  }
}

void create_tables(SQLite::Database& database) {
  // A single transaction: a crash leaves all tables or none.
  SQLite::Transaction transaction(database);
  database.exec(kTables);
  database.exec(kHistoryTables);
  if (version_of(database) != kSchema) database.exec(fmt::format("PRAGMA user_version = {}", kSchema));
  transaction.commit();
}

}  // namespace hydra::storage
