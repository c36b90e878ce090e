// race: the history as it is answered (docs/leaderboard.md, docs/api.md). Blocking: it reads the database,
// with a connection of its own.
#pragma once

#include "race/service.hpp"

#include <cstddef>
#include <filesystem>
#include <string>

namespace hydra::race {

Result<wire::Leaderboard> leaderboard_view(const std::filesystem::path& database,
                                           const LeaderboardCall& call);
/// At most `limit` races.
Result<wire::History> history_page(const std::filesystem::path& database,
                                   const storage::HistoryFilter& filter, std::size_t limit);

}  // namespace hydra::race
