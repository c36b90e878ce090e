// league: Bradley-Terry strengths from pairwise results. Every function is pure.
#pragma once

#include "league/statistics.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace hydra::league {

/// Results of two entries against each other; a tie is half a win for both.
struct Meeting {
  std::uint32_t a = 0, b = 0;  ///< entry numbers, a < b
  double wins_a = 0, wins_b = 0;
};

/// Virtual games per entry against an average opponent, half of them won. The prior keeps strengths finite
/// for an entry that won everything, and comparable for entries that never met.
inline constexpr double kPriorGames = 1.0;

/// Returns log strengths with mean 0: entry i beats j with probability 1 / (1 + exp(s_j - s_i)). `start`:
/// earlier result, for speed, or empty; `enough`: relative change of a step that ends the iteration.
std::vector<double> bradley_terry(std::size_t entries, const std::vector<Meeting>& meetings,
                                  double prior_games = kPriorGames, const std::vector<double>& start = {},
                                  double enough = 1e-9);

/// Meetings grouped by task, the unit of resampling: results of one task are correlated.
using TaskMeetings = std::vector<std::vector<Meeting>>;

struct Strengths {
  std::vector<double> strength;                   ///< log strengths, see bradley_terry()
  std::vector<std::optional<Interval>> interval;  ///< 95 % percentile bootstrap over tasks
  std::vector<std::vector<double>> resampled;     ///< strengths of each resample, for differences
  std::size_t tasks = 0;                          ///< tasks with at least one meeting
};
/// Returns strengths with intervals; no intervals for fewer than two tasks. `resamples` >= 2.
Strengths strengths(std::size_t entries, const TaskMeetings& tasks, std::size_t resamples);

/// Returns Elo-like points: 1000 for the mean, 400 more for odds of ten to one.
double rating(double strength);

}  // namespace hydra::league
