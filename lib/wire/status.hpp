// wire: the state of a race, and the list of races (docs/api.md). See results.hpp for the names of members.
#pragma once

#include "model/agent_run.hpp"
#include "wire/results.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hydra::wire {

/// State of each configured check of build, tests and lint.
using CheckStates = std::map<std::string, model::CheckPhase>;

struct AgentStatus : AgentFacts {
  std::string last_line, tool;
  std::string waits;  ///< resource that the checks wait for; empty: none
  bool tester = false;
  std::int64_t elapsed_ms = 0;
  std::optional<std::int64_t> progress_ms, idle_limit_ms;
  std::vector<std::array<std::int64_t, 3>> growth;  ///< time, lines added, lines removed
  model::DiffStat diff;
  CheckStates checks;
  std::vector<model::LeftOut> left_out;  ///< the first of them
  Texts dependencies;  ///< directories of dependencies and build results in the agent's worktree
};

struct BaselineStatus {
  model::BasePhase state{};
  std::string step, command;  ///< while the workspace is made: "setup", "template" or "warm"
  std::int64_t step_ms = 0;
  std::string last_line, waits;
  CheckStates checks;
};

struct Progress {
  std::uint64_t done = 0, of = 0;
};

struct Status {
  std::string race, task;
  model::RacePhase state{};
  std::string reason, repository, base;
  model::Isolation sandbox{};
  std::string image;
  model::Placement placement{};
  std::string winner, verdict;
  bool final = false;  ///< false with a winner: verification goes on
  std::int64_t created_ms = 0, elapsed_ms = 0, last_event = 0, server_ms = 0;
  std::vector<std::string> notes;
  std::optional<model::RepositoryCompared> repository_changes;
  std::vector<AgentStatus> agents;
  std::vector<OrderReason> order_reasons;
  Progress cross_tests, judging;
  BaselineStatus baseline;
  std::optional<std::uint64_t> disk_bytes;  ///< left out until measured
};

/// A line of the list of races. Members from events are null if the events can't be read.
struct RaceRow {
  std::string race, task;
  model::RacePhase state{};
  std::string repository, winner;
  std::int64_t created_ms = 0;
  std::optional<std::int64_t> ended_ms;
  std::vector<std::string> agents;
  std::optional<double> best;
  std::optional<std::string> merged;  ///< agent whose result was merged
  std::map<std::string, std::string> displays;
  std::optional<std::uint64_t> disk_bytes;  ///< left out until measured
};
struct RaceList {
  std::vector<RaceRow> races;
  std::optional<std::string> next;  ///< `cursor` of the next page
  std::int64_t total = 0;
};

/// Frames of GET /v1/events other than stored events.
struct RacesFrame {
  std::vector<std::string> created, ended;
};
struct WaitsFrame {
  std::string text;  ///< obstacle to the race's progress; empty: none any more
};

}  // namespace hydra::wire
