// league: the arena's table over many races (spec arena-scoring, "Racing and Leaderboards", ruling A8), and
// beside it what a statistician asks for. Pure; docs/leaderboard.md says what each figure means.
#pragma once

#include "model/leaderboard.hpp"

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

struct Row : model::LeaderboardRow {
  std::uint32_t index = 0;  ///< in League::entries
  bool any_eligible = false;
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
model::Comparison compare(const League& league, std::uint32_t a, std::uint32_t b);

}  // namespace hydra::league
