// race: the history as in the API's answers (docs/suites.md, docs/api.md). Blocking: reads the database
// through a separate connection.
#pragma once

#include "race/service.hpp"

#include <cstddef>
#include <filesystem>
#include <string>

namespace hydra::race {

Result<wire::Leaderboard> leaderboard_view(const std::filesystem::path& database,
                                           const LeaderboardCall& call);
/// Returns at most `limit` races.
Result<wire::History> history_page(const std::filesystem::path& database,
                                   const storage::HistoryFilter& filter, std::size_t limit);

}  // namespace hydra::race
