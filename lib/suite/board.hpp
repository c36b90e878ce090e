// suite: the set of (task, entry, attempt) keys of a run, and what has come of them. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hydra::suite {

/// What became of one attempt of an entry at a task.
struct Outcome {
  std::string race, word;  ///< the race's id; "completed", "timed_out", …
  bool passed = false;     ///< r = 1.0
  bool lost = false;       ///< to the machine, a provider or a cancel: no verdict, it runs again
  std::optional<double> cost_usd;
  std::optional<std::int64_t> tokens;
  double seconds = 0;
};

/// One line of the result (spec term-challenge-scoring, "Benchmark Score"). A task counts as passed by an
/// entry when one of its attempts passed (the arena's best of N).
struct Row {
  std::string entry;
  int rank = 0;                              ///< by score, then by the order in which entries were handed in
  std::int64_t passed = 0, total = 0;        ///< tasks; those without any verdict are in neither
  double score = 0;                          ///< passed / total; 0 without tasks (ruling T10)
  std::int64_t attempts = 0, successes = 0;  ///< with a verdict; of them passed
  std::int64_t lost = 0;                     ///< keys without a verdict whose runs were lost
  std::int64_t open = 0;                     ///< keys that have not run yet
  std::optional<double> cost_usd;            ///< of all runs, lost ones too; absent: no run told any
  std::int64_t tokens = 0;
  double seconds = 0;
};

class Board {
 public:
  /// Names are unique; `attempts` >= 1.
  Board(std::vector<std::string> tasks, std::vector<std::string> entries, int attempts);

  /// What one run of a key came to. Nothing changes for a key that has a verdict: that is counted.
  void add(const std::string& task, const std::string& entry, int attempt, const Outcome& outcome);

  /// Keys of a task without a verdict, in the order of entries, then attempts.
  [[nodiscard]] std::vector<std::pair<std::string, int>> missing(const std::string& task) const;
  [[nodiscard]] std::int64_t keys() const;                           ///< of the whole run
  [[nodiscard]] std::int64_t verdicts() const;                       ///< how many of them are done
  [[nodiscard]] std::int64_t repeated() const { return repeated_; }  ///< verdicts that came a second time
  [[nodiscard]] double cost_usd() const { return cost_usd_; }        ///< as far as runs told theirs
  [[nodiscard]] std::int64_t tokens() const { return tokens_; }
  /// Best first.
  [[nodiscard]] std::vector<Row> rows() const;
  /// The verdict of a key, else what its last lost run came to; null: it never ran.
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
  std::vector<Spent> spent_;  ///< by entry
  std::int64_t repeated_ = 0, verdicts_ = 0, tokens_ = 0;
  double cost_usd_ = 0;
};

}  // namespace hydra::suite
