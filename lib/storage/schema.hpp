// storage, inside only: the database's schema, and what makes an older one new.
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
inline constexpr const char* kBranchEvents = "kind IN ('published', 'combined')";

/// `io`: `what` failed for that reason, with what to do about it.
Error storage_error(std::string_view what, const std::exception& e);

/// Before anything is prepared: a database of a newer Hydra is not written to (`environment`). Throws what
/// is_damage() knows.
Result<void> check_version(const std::filesystem::path& file);

/// The tables as they are must be there. Throws what is_damage() knows.
Result<void> migrate(SQLite::Database& database);

}  // namespace hydra::storage
