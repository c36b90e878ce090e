// model: statistics over many results (docs/suites.md): rows of a table and their remarks.
#pragma once

#include "model/check.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace hydra::model {

/// [low, high], 95 %.
using Interval = std::array<double, 2>;

/// An entry, over its attempts that were not lost.
struct LeaderboardRow {
  std::string entry;
  std::optional<std::int64_t> rank;  ///< from 1; absent: too little data, or no attempt is eligible
  std::int64_t attempts = 0, successes = 0, lost = 0;
  std::int64_t tasks = 0, solved = 0;  ///< tasks tried, and those that an attempt solved
  /// Mean over tasks of the composite of the best eligible attempt; a task without such an attempt counts 0.
  /// Absent: no attempt is eligible.
  std::optional<double> best;
  std::optional<double> success_rate;     ///< [0, 1]; absent: no attempts
  std::optional<Interval> interval;       ///< Wilson interval of success_rate
  std::optional<double> mean, deviation;  ///< of the composites; population deviation
  std::optional<double> mean_seconds;
  std::optional<double> cost_usd;         ///< sum of the known costs
  std::int64_t priced_attempts = 0;       ///< attempts whose cost is known
  std::optional<double> cost_per_solved;  ///< absent: the cost of an attempt is unknown
  std::int64_t tokens = 0;
  /// All episodes of the eligible attempts; best_score is the mean over tasks of the best episode, and a task
  /// at which only others have episodes counts 0.
  std::optional<ArenaFigures> arena;
  std::optional<double> pass_at_k, pass_all_k, best_at_k;  ///< means over tasks with k attempts or more
  std::int64_t tasks_k = 0;                                ///< number of those tasks
  std::optional<double> strength;  ///< league::rating(); absent: the entry met no other
  std::optional<Interval> strength_interval;
  std::optional<std::int64_t>
      tier;  ///< from 1: entries of one tier can't be told apart; absent: the tier is not known
};

/// Two entries, compared on the tasks that both tried.
struct Comparison {
  std::string a, b;
  std::int64_t tasks = 0, both = 0, only_a = 0, only_b = 0, neither = 0;
  double p_value = 1;                ///< exact McNemar, two-sided
  std::optional<double> difference;  ///< of mean composites, a - b, over tasks for which both have one
  std::optional<Interval> difference_interval;
  std::uint64_t difference_tasks = 0;  ///< number of those tasks
};

}  // namespace hydra::model
