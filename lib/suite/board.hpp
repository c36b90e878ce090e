// suite: the (task, entry, attempt) keys of a run and their outcomes. Every function is pure.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hydra::suite {

/// Outcome of one attempt of an entry at a task.
struct Outcome {
  std::string race, word;  ///< race id; "completed", "timed_out", …
  bool passed = false;     ///< r = 1.0
  bool lost = false;       ///< whether machine, provider or a cancel ended the attempt: the key runs again
  std::optional<double> cost_usd;
  std::optional<std::int64_t> tokens;
  double seconds = 0;
};

/// A row of the result (docs/scoring.md, "Term"). An entry passes a task if one of its attempts passed (the
/// arena's best of N).
struct Row {
  std::string entry;
  int rank = 0;                              ///< rank by score, then by the order of entries
  std::int64_t passed = 0, total = 0;        ///< number of tasks; tasks without a verdict are in neither
  double score = 0;                          ///< passed / total; 0 without tasks (ruling T10)
  std::int64_t attempts = 0, successes = 0;  ///< attempts with a verdict; passed attempts
  std::int64_t lost = 0;                     ///< keys without a verdict whose runs were lost
  std::int64_t open = 0;                     ///< keys that have not run yet
  std::optional<double> cost_usd;  ///< cost of all runs, lost ones included; absent: no run reported a cost
  std::int64_t tokens = 0;
  double seconds = 0;
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
  /// Returns the rows, best first.
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
  [[nodiscard]] Row row_of(std::size_t entry) const;

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
