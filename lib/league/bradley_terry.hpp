// league: Bradley-Terry strengths out of pairwise results, pure.
#pragma once

#include "league/statistics.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace hydra::league {

/// What two entries did against each other; a tie is half a win for both.
struct Meeting {
  std::uint32_t a = 0, b = 0;  ///< entries, a < b
  double wins_a = 0, wins_b = 0;
};

/// Virtual games of every entry against one of average strength, half of them won: keeps strengths finite
/// where somebody won everything, and entries that never met comparable.
inline constexpr double kPriorGames = 1.0;

/// Natural logarithms of the strengths, their mean 0: entry i beats j with probability 1 / (1 + exp(s_j -
/// s_i)). Maximum likelihood with the prior, by minorisation-maximisation. `start`: an earlier answer, to be
/// quicker; empty: none. `enough`: the relative change of a step at which it ends.
std::vector<double> bradley_terry(std::size_t entries, const std::vector<Meeting>& meetings,
                                  double prior_games = kPriorGames, const std::vector<double>& start = {},
                                  double enough = 1e-9);

/// Meetings task by task: what is resampled together, since results of one task depend on each other.
using TaskMeetings = std::vector<std::vector<Meeting>>;

struct Strengths {
  std::vector<double> strength;                   ///< as bradley_terry()
  std::vector<std::optional<Interval>> interval;  ///< 95 %, percentile bootstrap over tasks
  std::vector<std::vector<double>> resampled;     ///< strengths of each resample, for differences
  std::size_t tasks = 0;                          ///< with at least one meeting
};
/// Fewer than two tasks: no intervals. `resamples` >= 2.
Strengths strengths(std::size_t entries, const TaskMeetings& tasks, std::size_t resamples);

/// Points as chess players read them: 1000 for the mean, 400 more for odds of ten to one.
double rating(double strength);

}  // namespace hydra::league
