// model: the history record of an ended race, kept after the race's files are removed. A projection of its
// events (docs/suites.md, "History").
#pragma once

#include "model/agent_run.hpp"
#include "model/check.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hydra::model {

/// Score of an attempt by one judge or person.
struct HistoryVote {
  std::string judge;
  double stake = 0, score = 0;  ///< score in [0, 1]
};

/// An attempt of an entry.
struct HistoryAttempt {
  std::string name;     ///< name in the race: "codex-2#3"
  std::string entry;    ///< "codex-2"
  std::string agent;    ///< "codex": key of Config::agents
  std::string asked;    ///< model that was asked for; may be empty
  std::string model;    ///< model named by the stream, else `asked`; may be empty
  std::string version;  ///< version of the agent's program by its probe; may be empty
  int attempt = 1;
  Outcome outcome = Outcome::unknown;
  bool lost = false;  ///< the machine, a provider or a cancel ended the attempt: no evidence about the entry
  bool eligible = false;
  bool success = false;  ///< eligible, and no check is worse than the base's (race/state/success.hpp)
  bool solved = false;   ///< hidden tests pass; without any, tests of the base are fixed and none is broken
  bool tied = false;
  bool changed = false;                         ///< the result differs from the base
  bool merged = false;                          ///< merged, and not undone
  int rank = 0;                                 ///< 0: the race has no ranking
  std::optional<double> composite;              ///< [0, 100]
  std::array<std::optional<double>, 5> points;  ///< by index(Dimension); absent: not configured
  std::optional<std::int64_t> fixed, broken;    ///< tests; absent: not compared by name
  /// Shares of the base's failing tests that pass, and of its passing tests that are lost, by names, counts
  /// or exit code, [0, 1]; absent: the tests failed, and nothing can be compared.
  std::optional<double> gained, damaged;
  std::optional<ArenaFigures> arena;   ///< episodes that the verifier of a suite reports
  std::optional<std::int64_t> tokens;  ///< as budgets count them
  std::optional<double> cost_usd;
  std::int64_t wall_ms = 0;
  std::string confidence;                 ///< confidence word; empty: none
  std::optional<double> rating;           ///< mean of people's ratings, [0, 1]
  std::optional<double> judged;           ///< combined score of judges and people, [0, 1]
  std::optional<std::int64_t> merged_ms;  ///< Unix time of a merge that was not undone
  bool undone = false;                    ///< the merge was undone
  std::vector<HistoryVote> votes;
};

struct HistoryRace {
  std::int64_t number = 0;  ///< order in which races were recorded; 0: not stored
  std::string race, state;  ///< "done", "cancelled", "failed"
  std::string task, kind;   ///< the prompt; "bugfix", "feature", … (scoring/task_kind.hpp)
  std::vector<std::pair<std::string, std::string>> labels;  ///< sorted by key
  std::string root;                                         ///< top level of the user's checkout
  std::string repository;  ///< git's common directory, shared by all worktrees
  std::string base;        ///< commit id
  std::int64_t created_ms = 0, ended_ms = 0;
  std::int64_t through = 0;  ///< id of the last event that is included; 0: imported from another machine
  bool forgotten = false;    ///< removed by `hydra clean --history`, or not a race: no attempts, now or later
  std::vector<HistoryAttempt> attempts;

  [[nodiscard]] bool imported() const { return through == 0; }
};

}  // namespace hydra::model
