// wire: what many races say together (docs/leaderboard.md). Members stand in the order of their lists, not of
// their names: people read these tables. See results.hpp for how members are named.
#pragma once

#include "wire/results.hpp"

#include <cstdint>
#include <map>
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

/// GET /v1/history: see model/history.hpp.
struct HistoryPoints {
  std::optional<double> build, tests, lint, diff_size, speed;
};
struct HistoryVote {
  std::string judge;
  double stake = 0, score = 0;
};
struct HistoryAttempt {
  std::string name, entry, agent, asked_model, model, version;
  std::int64_t attempt = 1;
  std::string outcome;
  bool lost = false, eligible = false, success = false, tied = false, merged = false, changed = false;
  std::optional<std::int64_t> rank;
  std::optional<double> composite;
  HistoryPoints points;
  std::optional<std::int64_t> tests_fixed, tests_broken, tokens;
  std::optional<double> cost_usd;
  double duration_seconds = 0;
  std::string confidence;
  std::optional<double> rating, judges;
  std::optional<std::int64_t> merged_ms;
  bool merge_undone = false;
  std::vector<HistoryVote> votes;
};
struct HistoryRace {
  std::string race;
  std::int64_t number = 0;
  std::string state, task, kind;
  std::map<std::string, std::string> labels;
  std::string root, repository, base;
  std::int64_t created_ms = 0, ended_ms = 0;
  std::vector<HistoryAttempt> attempts;
};
struct History {
  int schema = 1;
  std::vector<HistoryRace> races;
  std::optional<std::int64_t> next;  ///< `after` of the page after it
};

}  // namespace hydra::wire
