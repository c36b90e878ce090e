// model: what is remembered of an ended race when everything else of it is cleaned away. A projection of its
// events (docs/leaderboard.md, "History").
#pragma once

#include "model/agent_run.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hydra::model {

/// What one judge or person said of an attempt.
struct HistoryVote {
  std::string judge;
  double stake = 0, score = 0;  ///< score in [0, 1]
};

/// One attempt of an entry.
struct HistoryAttempt {
  std::string name;     ///< in the race: "codex-2#3"
  std::string entry;    ///< "codex-2"
  std::string agent;    ///< "codex": key of Config::agents
  std::string asked;    ///< model that was asked for; may be empty
  std::string model;    ///< as its stream named it, else the one asked for; may be empty
  std::string version;  ///< of the agent's program, where a probe had found it; may be empty
  int attempt = 1;
  Outcome outcome = Outcome::unknown;
  bool lost = false;  ///< to the machine, a provider or a cancel: says nothing of the entry
  bool eligible = false;
  bool success = false;  ///< eligible, and every configured check passed
  bool tied = false;
  bool changed = false;                         ///< it left something that is not the base
  bool merged = false;                          ///< and not undone
  int rank = 0;                                 ///< 0: the race has no ranking
  std::optional<double> composite;              ///< [0, 100]
  std::array<std::optional<double>, 5> points;  ///< by index(Dimension); absent: not configured
  std::optional<std::int64_t> fixed, broken;    ///< tests, where they are compared by name
  std::optional<std::int64_t> tokens;           ///< as budgets count them
  std::optional<double> cost_usd;
  std::int64_t wall_ms = 0;
  std::string confidence;                 ///< its word; empty: none
  std::optional<double> rating;           ///< mean of people's ratings, [0, 1]
  std::optional<double> judged;           ///< what judges and people came to, [0, 1]
  std::optional<std::int64_t> merged_ms;  ///< Unix time of a merge that was not undone
  bool undone = false;                    ///< it was merged, and that was taken back
  std::vector<HistoryVote> votes;
};

struct HistoryRace {
  std::int64_t number = 0;  ///< in the order in which races were remembered; 0: not stored
  std::string race, state;  ///< "done", "cancelled", "failed"
  std::string task, kind;   ///< the prompt; "bugfix", "feature", … (scoring/task_kind.hpp)
  std::vector<std::pair<std::string, std::string>> labels;  ///< sorted by key
  std::string root;                                         ///< top level of the user's checkout
  std::string repository;  ///< its common directory: what all its worktrees share
  std::string base;        ///< commit id
  std::int64_t created_ms = 0, ended_ms = 0;
  std::int64_t through = 0;  ///< the last event that this knows of
  bool forgotten = false;  ///< by `hydra clean --history`, or no race at all: no attempts, and none come back
  std::vector<HistoryAttempt> attempts;
};

}  // namespace hydra::model
