// storage, inside only: rows of race lists, and repair of a damaged database.
#pragma once

#include "base/result.hpp"
#include "model/event.hpp"

#include <cstdint>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

namespace SQLite {
class Database;
}

namespace hydra::storage {

/// Updates the race's list row by the event, in the event's transaction.
void update_summary(SQLite::Database& database, const model::Event& event);

/// Returns whether the file's content is to blame, not the disk or a lock.
bool is_damage(const std::exception& e);
/// Checks the pages, for about a second at most; skips databases above 256 MiB. Throws errors that
/// is_damage() recognises.
void quick_check(SQLite::Database& database);
/// Last write of the file as Unix time in seconds; 0: missing or empty.
std::int64_t last_written(const std::filesystem::path& file);
/// Renames the database and its side files; returns the new name.
Result<std::filesystem::path> move_aside(const std::filesystem::path& file);
/// Copies the readable content of a damaged database, which stays unchanged, and returns a sentence about it.
std::string salvage(const std::filesystem::path& damaged, SQLite::Database& database);
/// Restores races whose copies (storage/race_log.hpp) have more events than the database. Checks races that
/// the database lacks, and copies written after `written`, or all. Returns the restored ids.
std::vector<std::string> restore_from_copies(const std::filesystem::path& races, SQLite::Database& database,
                                             std::int64_t written, bool all);

}  // namespace hydra::storage
