// wire: what many races say together (docs/leaderboard.md). Members stand in the order of their lists, not of
// their names: people read these tables. See results.hpp for how members are named.
#pragma once

#include "model/history.hpp"
#include "wire/results.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hydra::wire {

/// GET /v1/leaderboard: see league/leaderboard.hpp.
struct LeaderboardRow {
  std::optional<std::int64_t> rank, tier;
  std::string entry;
  std::int64_t attempts = 0, successes = 0, lost = 0, tasks = 0, solved = 0, tokens = 0, priced_attempts = 0;
  std::optional<double> best, success_rate, mean, deviation, mean_seconds, cost_usd, strength;
  std::optional<Interval> interval, strength_interval;
  std::optional<double> cost_per_solved, pass_at_k, pass_all_k, best_at_k;
  std::int64_t tasks_k = 0;
};
struct Comparison {
  std::string a, b;
  std::int64_t tasks = 0, both = 0, only_a = 0, only_b = 0, neither = 0;
  double p_value = 1;
  std::optional<double> difference;
  std::optional<Interval> difference_interval;
  std::uint64_t difference_tasks = 0;
};
/// How each figure is computed, in words.
struct Methods {
  std::string order, best, deviation, interval, strength, strength_interval, tier, pass_at_k, pass_all_k,
      best_at_k, comparison;
};
struct Leaderboard {
  int schema = 1;
  std::string by;
  std::uint64_t races = 0, tasks = 0;
  std::int64_t minimum = 0, k = 1;
  std::vector<LeaderboardRow> rows;
  std::optional<Comparison> comparison;
  Texts notes;
  Methods methods;
};

/// GET /v1/history
struct History {
  int schema = 1;
  std::vector<model::HistoryRace> races;
  std::optional<std::int64_t> next;  ///< `after` of the page after it
};

}  // namespace hydra::wire
