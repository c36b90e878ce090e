// suite: the (task, entry, attempt) keys of a run and their outcomes. Every function is pure.
#pragma once

#include "league/leaderboard.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hydra::suite {

/// Outcome of one attempt of an entry at a task. A lost one runs again.
struct Outcome : league::Attempt {
  std::string race, word;  ///< race id; "completed", "timed_out", …
};

/// A row of the result (docs/scoring.md, "Term"): the leaderboard's figures of the run's keys.
struct Row : model::LeaderboardRow {
  double score = 0;       ///< solved / tasks; 0 without tasks (ruling T10)
  std::int64_t open = 0;  ///< keys that have not run yet
  double seconds = 0;     ///< of all runs, as cost and tokens: lost ones are included
};

class Board {
 public:
  /// `tasks` and `entries` must be unique; `attempts` >= 1.
  Board(std::vector<std::string> tasks, std::vector<std::string> entries, int attempts);

  /// Adds the outcome of a run; a key that has a verdict keeps it, and repeated() counts the run.
  void add(const std::string& task, const std::string& entry, int attempt, const Outcome& outcome);

  /// Returns a task's keys without a verdict, in the order of entries, then attempts.
  [[nodiscard]] std::vector<std::pair<std::string, int>> missing(const std::string& task) const;
  [[nodiscard]] std::int64_t keys() const;                           ///< number of keys in the run
  [[nodiscard]] std::int64_t verdicts() const;                       ///< number of keys with a verdict
  [[nodiscard]] std::int64_t repeated() const { return repeated_; }  ///< number of repeated verdicts
  [[nodiscard]] double cost_usd() const { return cost_usd_; }        ///< sum of reported costs
  [[nodiscard]] std::int64_t tokens() const { return tokens_; }
  /// Returns the rows in the order of the leaderboard.
  [[nodiscard]] std::vector<Row> rows() const;
  /// Returns the verdict of a key, else the outcome of its last lost run; null: the key never ran.
  [[nodiscard]] const Outcome* outcome(const std::string& task, const std::string& entry, int attempt) const;

  [[nodiscard]] const std::vector<std::string>& tasks() const { return tasks_; }
  [[nodiscard]] const std::vector<std::string>& entries() const { return entries_; }
  [[nodiscard]] int attempts() const { return attempts_; }

 private:
  struct Cell {
    Outcome last;
    bool known = false;
  };
  [[nodiscard]] const Cell* cell(std::size_t task, std::size_t entry, int attempt) const;
  [[nodiscard]] std::size_t index(std::size_t task, std::size_t entry, int attempt) const;

  std::vector<std::string> tasks_, entries_;
  std::map<std::string, std::size_t> task_at_, entry_at_;
  int attempts_ = 1;
  std::vector<Cell> cells_;
  struct Spent {
    bool priced = false;
    double cost_usd = 0, seconds = 0;
    std::int64_t tokens = 0;
  };
  std::vector<Spent> spent_;  ///< sums, one for each entry
  std::int64_t repeated_ = 0, verdicts_ = 0, tokens_ = 0;
  double cost_usd_ = 0;
};

}  // namespace hydra::suite
