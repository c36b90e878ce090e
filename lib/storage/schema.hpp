// storage, inside only: the schema of the database, version 1.
#pragma once

#include "base/result.hpp"

#include <exception>
#include <filesystem>
#include <string_view>

namespace SQLite {
class Database;
}

namespace hydra::storage {

/// Events that name a result's branch, or make a result that may have none. The text must equal the index's,
/// or SQLite does not use it.
#define HYDRA_BRANCH_EVENTS "kind IN ('published', 'combined')"

/// `io`: `what` failed because of `e`; the hint says what to do.
Error storage_error(std::string_view what, const std::exception& e);

/// Columns of the tables that their checksums cover.
#define HYDRA_EVENT_COLUMNS "race, at_ms, kind, body"
#define HYDRA_RACE_COLUMNS "id, created_ms, repository, task, agents, state, winner"

/// Refuses a database of another version (`environment`) without writing to it. Throws Damage for tables that
/// are none of this version's, and errors that is_damage() recognises.
Result<void> check_version(const std::filesystem::path& file);

/// Throws SQLiteCpp's exceptions.
void create_tables(SQLite::Database& database);

}  // namespace hydra::storage
