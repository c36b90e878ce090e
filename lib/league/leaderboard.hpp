// league: the leaderboard of many races (ruling A8 of docs/scoring.md, "Arena") with statistics. Every
// function is pure; docs/suites.md defines each figure.
#pragma once

#include "model/history.hpp"
#include "model/leaderboard.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hydra::league {

/// An attempt on a leaderboard. Entries, tasks and races are numbered from 0.
struct Attempt {
  std::uint32_t entry = 0;
  std::uint32_t task = 0;  ///< number of the task: same repository, base and prompt, or same task of a suite
  std::uint32_t race = 0;
  std::int32_t rank = 0;  ///< rank in its race; 0: none
  bool lost = false;  ///< whether machine, provider or a cancel ended the attempt: no verdict on the entry
  bool eligible = false;
  bool success = false;             ///< whether no check is worse than the base's (H28)
  bool solved = false;              ///< whether hidden tests pass, or tests of the base are fixed
  std::optional<double> composite;  ///< [0, 100]
  std::optional<double> cost_usd;
  std::int64_t tokens = 0;
  double seconds = 0;
  std::optional<model::ArenaFigures> arena;
};
/// Returns the attempt of a history's row; entry, task and race are 0.
Attempt attempt_of(const model::HistoryAttempt& row);

/// The key of every table over many results (H29), first part first.
inline constexpr const char* kOrder =
    "share of tasks solved, best, success rate, mean, fewer seconds, earlier submission";

/// Names of entries, the earliest submission first, and their attempts in any order.
struct League {
  std::vector<std::string> entries;
  std::vector<Attempt> attempts;
};

struct TableOptions {
  std::int64_t minimum = 5;  ///< attempts below which an entry is not ranked
  std::int64_t k = 0;        ///< k of pass@k; 0: the fewest attempts of an entry at a task
  bool strengths = true;     ///< whether strengths and tiers are computed
};

struct Row : model::LeaderboardRow {
  std::uint32_t index = 0;  ///< index in League::entries
  bool any_eligible = false;
};

struct Table {
  std::vector<Row> rows;  ///< rows, best first; rows with too little data last
  std::int64_t k = 1;
  std::size_t races = 0, tasks = 0, compared_tasks = 0, resamples = 0;
  std::vector<std::string> notes;  ///< limits of the data, for people
};

/// Returns the table; sorts `league.attempts`, without other side effects.
Table leaderboard(League& league, const TableOptions& options);
/// Compares two entries; an entry succeeds at a task with more than half of its attempts.
model::Comparison compare(const League& league, std::uint32_t a, std::uint32_t b);

}  // namespace hydra::league
