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

/// Events that name a result's branch, or make a result that may have none. As the index has it: only then it
/// is used.
#define HYDRA_BRANCH_EVENTS "kind IN ('published', 'combined')"

/// `io`: `what` failed for that reason, with what to do about it.
Error storage_error(std::string_view what, const std::exception& e);

/// A database of another schema is refused (`environment`) and not written to. Throws what is_damage() knows.
Result<void> check_version(const std::filesystem::path& file);

/// Throws what SQLiteCpp throws.
void create_tables(SQLite::Database& database);

}  // namespace hydra::storage
