// storage, inside only: rows of race lists, and repair of a damaged database.
#pragma once

#include "base/result.hpp"
#include "model/event.hpp"

#include <cstdint>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace SQLite {
class Database;
}

namespace hydra::storage {

/// Updates the race's list row by the event, in the event's transaction.
void update_summary(SQLite::Database& database, const model::Event& event);

/// Bytes that differ from those that were written.
class Damage : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Returns whether the file's content is to blame, not the disk or a lock.
bool is_damage(const std::exception& e);
/// is_damage() of an error of the start, where the tables are known to be Hydra's: all that is not the
/// disk's, a lock's or a permission's.
bool is_damage_at_start(const std::exception& e, const std::filesystem::path& file);
/// Checks pages, indexes and checksums. Throws errors that is_damage() recognises. A database above 64 MiB is
/// checked in the background instead: damage is marked, for the next start.
void check_whole(SQLite::Database& database);
/// Marks the database as damaged: the next start repairs it.
void mark_damaged(const std::filesystem::path& file);
[[nodiscard]] bool is_marked(const std::filesystem::path& file);
/// Last write of the file as Unix time in seconds; 0: missing or empty.
std::int64_t last_written(const std::filesystem::path& file);
/// Renames the database and its side files, and removes the mark; returns the new name.
Result<std::filesystem::path> move_aside(const std::filesystem::path& file);
/// Copies the readable content of a damaged database, which stays unchanged, and returns a sentence about it.
std::string salvage(const std::filesystem::path& damaged, SQLite::Database& database);
/// Restores races whose copies (storage/race_log.hpp) have events that the database lacks. Checks races that
/// the database lacks, and copies written after `written`, or all. Returns the restored ids.
std::vector<std::string> restore_from_copies(const std::filesystem::path& races, SQLite::Database& database,
                                             std::int64_t written, bool all);

}  // namespace hydra::storage
