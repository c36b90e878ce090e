// race: the history as JSON (docs/leaderboard.md, docs/api.md). Blocking: it reads the database, with a
// connection of its own.
#pragma once

#include "race/service.hpp"

#include <cstddef>
#include <filesystem>
#include <string>

namespace hydra::race {

Result<std::string> leaderboard_json(const std::filesystem::path& database, const LeaderboardCall& call);
/// At most `limit` races.
Result<std::string> history_json(const std::filesystem::path& database, const storage::HistoryFilter& filter,
                                 std::size_t limit);

}  // namespace hydra::race
