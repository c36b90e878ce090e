// scoring: the arena system (spec arena-scoring with rulings A1-A8), pure: episodes in, scores, aggregates
// and orders out.
#pragma once

#include "base/result.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::scoring::arena {

/// One episode as it was played. Possible are world 1-8, stage 1-4, the rest >= 0 and finite (A3).
struct Episode {
  bool completed = false;
  std::int64_t world = 1, stage = 1;
  double max_x = 0;              ///< units of the level
  std::int64_t total_steps = 0;  ///< of the emulator
  std::int64_t coins = 0;
  double time_remaining = 0;  ///< seconds; counts only when completed (A1)
};

struct EpisodeScore {
  double total = 0;  ///< exact: unrounded (A2)
  double completion_bonus = 0, progress_score = 0, efficiency_penalty = 0, coin_bonus = 0, time_bonus = 0;
  /// Not empty where a value is possible and outside the usual ranges, in which a completion always wins
  /// (A3).
  std::string warning;
};
/// "Single Episode Score". `usage` with `where` = the field for an impossible value.
Result<EpisodeScore> score_episode(const Episode& episode);

struct Aggregate {
  double best_score = 0;
  std::size_t best_index = 0;  ///< the first of equal ones
  double success_rate = 0;     ///< [0, 1]
  double avg_steps = 0, avg_max_x = 0, avg_score = 0;
  double std_score_population = 0;  ///< divides by N, not by N - 1 (A5)
  std::string warning;              ///< the first one of an episode, with its place
};
/// "Multi-Episode Aggregation". `usage` for an empty list (A7; where = "episodes") and for an impossible
/// value (where = "episodes[2].world").
Result<Aggregate> aggregate(const std::vector<Episode>& episodes);

/// A level that a full-game run reached; the same ranges as in Episode.
struct Level {
  std::int64_t world = 1, stage = 1;
  double max_x = 0;
  bool completed = false;
};
enum class FullGameMode {
  furthest,  ///< the level furthest into the game, as in the printed example
  sum,       ///< every level's world, stage and position
};
struct FullGameScore {
  double completion_bonus = 0, progress_score = 0, efficiency_penalty = 0, total = 0;
  std::string warning;
};
/// "Full-Game Scoring" (A6): no bonus and no step cost of a single level. `usage` for no level at all and for
/// impossible values; where = "levels_reached[0].stage".
Result<FullGameScore> score_full_game(FullGameMode mode, bool full_game_completed,
                                      const std::vector<Level>& levels, std::int64_t total_steps);

struct LevelId {
  std::int64_t world = 1, stage = 1;
};
/// "SuperMarioBros-W-S-v0" and nothing else (A7).
Result<LevelId> parse_level_id(std::string_view text);

/// A model as the leaderboard compares it. All finite.
struct Model {
  std::string name;
  double score = 0;         ///< best episode
  double success_rate = 0;  ///< [0, 1]
  double avg_score = 0;
  double avg_steps = 0;
};
/// "Racing and Leaderboards" (A8): score, success rate, average score, fewer average steps, order of the
/// input. Indices into `models`, best first.
std::vector<std::size_t> leaderboard_order(const std::vector<Model>& models);
/// "Leaderboard Display" as text, already in order.
std::string leaderboard_table(const std::vector<Model>& models);

/// A whole number, ties to even, thousands separators (A2): 1039026.5 -> "1,039,026". "--" for no number.
std::string format_total(double total);

}  // namespace hydra::scoring::arena
