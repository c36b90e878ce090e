// scoring: the arena system (docs/scoring.md, "Arena", rulings A1-A8): scores, aggregates and orders of
// episodes. Every function is pure.
#pragma once

#include "base/result.hpp"
#include "model/check.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::scoring::arena {

/// A played episode. Valid are world 1-8, stage 1-4, other members >= 0 and finite (A3).
struct Episode {
  bool completed = false;
  std::int64_t world = 1, stage = 1;
  double max_x = 0;              ///< level units
  std::int64_t total_steps = 0;  ///< emulator steps
  std::int64_t coins = 0;
  double time_remaining = 0;  ///< seconds; counts only if completed (A1)
};

struct EpisodeScore {
  double total = 0;  ///< exact total, not rounded (A2)
  double completion_bonus = 0, progress_score = 0, efficiency_penalty = 0, coin_bonus = 0, time_bonus = 0;
  /// Warning for a valid value outside the usual ranges, within which a completion always wins (A3); may be
  /// empty.
  std::string warning;
};
/// Scores one episode. `usage`, with `where` = the field, for an invalid value.
Result<EpisodeScore> score_episode(const Episode& episode);

/// An episode or a full game with its score.
struct Played {
  double total = 0;
  bool completed = false;
  std::int64_t total_steps = 0;
  double max_x = 0;
};
struct Aggregate : model::ArenaFigures {
  std::size_t best_index = 0;  ///< index of the first episode with the best score
  std::string warning;         ///< first warning of an episode, with its index
};
/// Aggregates what was played; no figures of an empty list.
Aggregate figures_of(const std::vector<Played>& played);
/// Aggregates episodes. `usage` for an empty list (A7; where = "episodes") and for an invalid value (where =
/// "episodes[2].world").
Result<Aggregate> aggregate(const std::vector<Episode>& episodes);
/// Adds the figures of more episodes: `sum` becomes the figures of all of them.
void pool(model::ArenaFigures& sum, const model::ArenaFigures& more);

/// A level reached by a full-game run; valid ranges as in Episode.
struct Level {
  std::int64_t world = 1, stage = 1;
  double max_x = 0;
  bool completed = false;
};
enum class FullGameMode {
  furthest,  ///< the level furthest into the game, as in the specification's example
  sum,       ///< sum of world, stage and position over all levels
};
struct FullGameScore {
  double completion_bonus = 0, progress_score = 0, efficiency_penalty = 0, total = 0;
  std::string warning;
};
/// Scores a full-game run (A6), without bonus or step cost per level. `usage` for an empty list and for
/// invalid values; where = "levels_reached[0].stage".
Result<FullGameScore> score_full_game(FullGameMode mode, bool full_game_completed,
                                      const std::vector<Level>& levels, std::int64_t total_steps);

struct LevelId {
  std::int64_t world = 1, stage = 1;
};
/// Accepts only "SuperMarioBros-W-S-v0" (A7).
Result<LevelId> parse_level_id(std::string_view text);

/// A model on the leaderboard; all numbers are finite.
struct Model {
  std::string name;
  double score = 0;         ///< score of the best episode
  double success_rate = 0;  ///< [0, 1]
  double avg_score = 0;
  double avg_steps = 0;
};
/// Returns indices into `models`, best first, by score, success rate, average score, fewer average steps,
/// input order (A8).
std::vector<std::size_t> leaderboard_order(const std::vector<Model>& models);
/// Returns the leaderboard as text; `models` must be in order.
std::string leaderboard_table(const std::vector<Model>& models);

/// Formats a whole number, ties to even, with thousands separators (A2): 1039026.5 -> "1,039,026"; "--" for a
/// non-finite number.
std::string format_total(double total);

}  // namespace hydra::scoring::arena
