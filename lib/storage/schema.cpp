#include "storage/schema.hpp"

#include "storage/history_tables.hpp"
#include "storage/repair.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace hydra::storage {
namespace {

constexpr int kSchema = 4;

/// What leads from schema N to N+1, in order, beginning with 1. Each only adds: what is stored is never
/// rewritten.
constexpr std::array<const char*, kSchema - 1> kSteps{
    "CREATE INDEX IF NOT EXISTS races_by_time ON races (created_ms, id)",
    kHistoryTables,
    kHistoryOutcomes,
};

Error newer(int version) {
  return {Errc::environment,
          fmt::format("the database is of a newer Hydra (schema {} > {})", version, kSchema), "database",
          "upgrade hydra; this version changes nothing in it"};
}

/// Indexes, of a few rows of many. No step of the schema: programs that do not know it go on as before.
Result<void> index_few(SQLite::Database& database) {
  try {
    database.exec(kHistoryIndex);
    database.exec("CREATE INDEX IF NOT EXISTS events_of_merges ON events (race, id) WHERE kind = 'merged'");
    database.exec(fmt::format("CREATE INDEX IF NOT EXISTS events_of_branches ON events (race) WHERE {}",
                              kBranchEvents));
  } catch (const std::exception&) {
    // A full disk: without them lists take longer, nothing else.
  }
  return {};
}

}  // namespace

Error storage_error(std::string_view what, const std::exception& e) {
  return {Errc::io, fmt::format("{}: {}", what, e.what()), "database",
          is_damage(e)
              ? "it is damaged: the next start of the daemon (`hydra daemon stop`, then any command) "
                "moves it aside and saves what can be read of it"
              : "is the disk full?"};
}

Result<void> check_version(const std::filesystem::path& file) {
  std::error_code ec;
  if (!std::filesystem::exists(file, ec) || std::filesystem::file_size(file, ec) == 0) return {};
  const auto look = [&](int how) -> Result<void> {
    SQLite::Database database(file.string(), how);
    database.setBusyTimeout(5000);
    const int version = database.execAndGet("PRAGMA user_version").getInt();
    return version > kSchema ? Result<void>(newer(version)) : Result<void>();
  };
  try {
    // The last connection that may write moves the log into the file when it is closed.
    return look(SQLite::OPEN_READONLY);
  } catch (const SQLite::Exception& e) {
    if (is_damage(e)) throw;
    // What a crash left may have to be brought in order before it can be read.
    return look(SQLite::OPEN_READWRITE);
  }
}

Result<void> migrate(SQLite::Database& database) {
  try {
    const int version = database.execAndGet("PRAGMA user_version").getInt();
    if (version == kSchema) return index_few(database);
    // One transaction: a crash leaves the old schema or the new one.
    SQLite::Transaction transaction(database);
    for (int step = std::max(version, 1); step < kSchema; ++step)
      database.exec(kSteps[static_cast<std::size_t>(step) - 1]);
    database.exec(fmt::format("PRAGMA user_version = {}", kSchema));
    transaction.commit();
    return index_few(database);
  } catch (const std::exception& e) {
    if (is_damage(e)) throw;
    return storage_error("cannot prepare the database", e);
  }
}

}  // namespace hydra::storage
