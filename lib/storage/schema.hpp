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

/// Refuses a database of another schema (`environment`) without writing to it. Throws errors that is_damage()
/// recognises.
Result<void> check_version(const std::filesystem::path& file);

/// Throws SQLiteCpp's exceptions.
void create_tables(SQLite::Database& database);

}  // namespace hydra::storage
