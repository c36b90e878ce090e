// league: the arena's table over many races (spec arena-scoring, "Racing and Leaderboards", ruling A8), and
// beside it what a statistician asks for. Pure; docs/leaderboard.md says what each figure means.
#pragma once

#include "league/statistics.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hydra::league {

/// One attempt as a leaderboard looks at it. Entries, tasks and races are numbers from 0.
struct Attempt {
  std::uint32_t entry = 0;
  std::uint32_t task = 0;  ///< the same repository, base and words, or the same task of a suite
  std::uint32_t race = 0;
  std::int32_t rank = 0;  ///< in its race; 0: it has none
  bool lost = false;      ///< to the machine, a provider or a cancel: says nothing of the entry
  bool eligible = false;
  bool success = false;             ///< eligible, and every configured check passed
  std::optional<double> composite;  ///< [0, 100]
  std::optional<double> cost_usd;
  std::int64_t tokens = 0;
  double seconds = 0;
};

/// What is compared: names of entries, and their attempts in any order.
struct League {
  std::vector<std::string> entries;
  std::vector<Attempt> attempts;
};

struct TableOptions {
  std::int64_t minimum = 5;  ///< attempts below which an entry is not ranked
  std::int64_t k = 0;        ///< of pass@k; 0: the fewest attempts that an entry made at a task
};

/// Of the attempts that were not lost.
struct Row {
  std::string entry;
  std::uint32_t index = 0;  ///< in League::entries
  int rank = 0;             ///< from 1; 0: too little data
  std::int64_t attempts = 0, lost = 0, successes = 0;
  std::int64_t tasks = 0, solved = 0;  ///< tasks tried, and those with a success
  /// Mean over tasks of the composite of the best eligible attempt there; a task without one counts 0.
  std::optional<double> best;
  bool any_eligible = false;
  double success_rate = 0;                ///< [0, 1]
  std::optional<Interval> interval;       ///< of it: Wilson, 95 %
  std::optional<double> mean, deviation;  ///< of the composites; population deviation (ruling A5)
  double mean_seconds = 0;
  std::optional<double> cost_usd;         ///< sum of those that are known
  std::int64_t priced = 0;                ///< attempts whose cost is known
  std::optional<double> cost_per_solved;  ///< where every attempt's cost is known
  std::int64_t tokens = 0;
  std::optional<double> pass_at_k, pass_all_k, best_at_k;  ///< means over tasks with k attempts or more
  std::int64_t tasks_k = 0;                                ///< how many those are
  std::optional<double> strength;                          ///< rating(); absent: it met nobody
  std::optional<Interval> strength_interval;
  int tier = 0;  ///< from 1: entries of one tier can't be told apart; 0: nobody knows
};

/// Two entries on the tasks that both tried.
struct Comparison {
  std::string a, b;
  std::int64_t tasks = 0, both = 0, only_a = 0, only_b = 0, neither = 0;
  double p_value = 1;           ///< exact McNemar, two-sided
  PairedDifference difference;  ///< of mean composites, a - b, over tasks where both have one
};

struct Table {
  std::vector<Row> rows;  ///< best first; those with too little data behind the others
  std::int64_t k = 1;
  std::size_t races = 0, tasks = 0, compared_tasks = 0, resamples = 0;
  std::vector<std::string> notes;  ///< what the data do not say, for people
};

/// Sorts `league.attempts`; else pure.
Table leaderboard(League& league, const TableOptions& options);
/// A task is solved where more than half of the entry's attempts at it succeeded.
Comparison compare(const League& league, std::uint32_t a, std::uint32_t b);

}  // namespace hydra::league
