// wire: statistics over many races (docs/suites.md). Members are in the order of their lists, not
// sorted, since people read these tables. See results.hpp for the names of members.
#pragma once

#include "base/result.hpp"
#include "model/history.hpp"
#include "model/leaderboard.hpp"
#include "wire/results.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::wire {

/// The computation of each figure, in words.
struct Methods {
  std::string order, best, deviation, interval, strength, strength_interval, tier, pass_at_k, pass_all_k,
      best_at_k, comparison;
};
/// GET /v1/leaderboard
struct Leaderboard {
  int schema = 1;
  std::string by;
  std::uint64_t races = 0, tasks = 0;
  std::int64_t minimum = 0, k = 1;
  std::vector<model::LeaderboardRow> rows;
  std::optional<model::Comparison> comparison;
  Texts notes;
  Methods methods;
};

/// GET /v1/history
struct History {
  int schema = 1;
  std::vector<model::HistoryRace> races;
  std::optional<std::int64_t> next;  ///< `after` of the next page
};

/// Reads lines that `hydra export --format jsonl` wrote, as races that were imported. `usage`, with the
/// number of the line from `first` on: no such line, a figure out of its range, or an attempt given twice.
Result<std::vector<model::HistoryRace>> exported_races(std::string_view lines, std::int64_t first);

}  // namespace hydra::wire
