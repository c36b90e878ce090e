// storage, inside only: what lists of races show, and what is done about damage.
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

/// The list's row of a race follows from its events, in the same transaction.
void update_summary(SQLite::Database& database, const model::Event& event);

/// The file's content is to blame, and not the disk or a lock.
bool is_damage(const std::exception& e);
/// Looks at the pages, for about a second at most and not in a database above 256 MiB. Throws what
/// is_damage() knows.
void quick_check(SQLite::Database& database);
/// Unix time in seconds at which the file was last written; 0: it is not there, or empty.
std::int64_t last_written(const std::filesystem::path& file);
/// Renames the database with what belongs to it. Its new name.
Result<std::filesystem::path> move_aside(const std::filesystem::path& file);
/// Takes over what can be read of a damaged database, which stays as it is. A sentence about it.
std::string salvage(const std::filesystem::path& damaged, SQLite::Database& database);
/// Races whose copies (storage/race_log.hpp) have more than the database are stored again out of them. Looks
/// at those that the database does not have, and those that were written to after `written`, or at all. Their
/// ids.
std::vector<std::string> restore_from_copies(const std::filesystem::path& races, SQLite::Database& database,
                                             std::int64_t written, bool all);

}  // namespace hydra::storage
