// wire: what the daemon is asked. Members that are not said keep the daemon's defaults; what each of them
// means stands at the calls of race/service.hpp.
#pragma once

#include "model/config.hpp"
#include "model/race_spec.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hydra::wire {

/// The asking process's, by name.
using Environment = std::map<std::string, std::string>;

/// POST /v1/races
struct RaceRequest {
  std::string id, directory, task;
  std::vector<model::AgentEntry> agents;
  model::Config config;
  std::string base, kind, until;
  std::map<std::string, std::string> labels;
  bool include_dirty = false, fresh_baseline = false, check_only = false, auto_merge = false;
  int rounds = 1;
  Environment environment;
};

/// POST /v1/agents
struct AgentsRequest {
  std::optional<model::Config> config;
  std::optional<bool> probe;      ///< ask each program for its version
  std::vector<std::string> only;  ///< empty: all
  Environment environment;
};

/// POST /v1/doctor
struct DoctorRequest {
  std::string directory;
  Environment environment;
};

/// POST /v1/merge
struct MergeRequest {
  std::string target, directory, message, expected_ref, preview;
  bool dry_run = false, squash = false, ff = false, ff_only = false, undo = false, wait = true;
  bool accept_changes = false, repair_changes = false, repair_only = false;
  std::vector<std::string> allow, parts;
  Environment environment;
};

/// POST /v1/combine
struct CombineRequest {
  std::vector<std::string> parts;
  std::string directory;
};

/// POST /v1/races/RACE/retry
struct RetryRequest {
  std::string agent, message;
  std::optional<double> budget_usd;
  std::optional<std::uint64_t> budget_tokens;
  Environment environment;
};

/// POST /v1/races/RACE/cancel
struct CancelRequest {
  std::string agent;  ///< empty: the whole race
};

/// POST /v1/races/RACE/rescore
struct RescoreRequest {
  std::map<std::string, double> weights;  ///< by dimension; what is missing stays
};

/// POST /v1/ui
struct UiRequest {
  int port = 0;
  std::vector<int> allow_ports;
  std::string race;
  Environment environment;
};

/// POST /v1/history/forget
struct ForgetRequest {
  std::string race;  ///< empty: everything
};

}  // namespace hydra::wire
