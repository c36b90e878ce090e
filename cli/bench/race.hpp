// cli: a suite's task as a race: its configuration and its request.
#pragma once

#include "cli/bench/files.hpp"
#include "cli/bench/store.hpp"
#include "model/config.hpp"
#include "model/race_spec.hpp"
#include "suite/suite.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace hydra::cli {

/// Spending limits of a race; 0: no limit.
struct Budget {
  double usd = 0;
  std::uint64_t tokens = 0;
};

/// Returns the user's configuration for a task: the task's tests are the only check, the user's project
/// settings are dropped. `timed`: the user's agent timeout stays, instead of the task's.
model::Config race_config(const model::Config& mine, const suite::Suite& suite, const suite::Task& task,
                          const TaskFiles& files, bool timed);

/// Agents of a validation: one applies the task's solution, the other does nothing.
inline constexpr const char* kReference = "reference";
inline constexpr const char* kNothing = "nothing";
void add_validators(model::Config& config);

/// Returns the keys of one task as agents: "codex#2", or "codex" if each entry has one attempt.
std::vector<model::AgentEntry> runners(const std::vector<model::AgentEntry>& entries, int attempts,
                                       const std::vector<std::pair<std::string, int>>& keys);

/// Returns the body of POST /v1/races. The request id and labels are deterministic, so the request may be
/// repeated.
std::string race_request(const BenchRun& run, const suite::Task& task, const TaskFiles& files,
                         const std::string& id, const model::Config& config,
                         const std::vector<model::AgentEntry>& agents);

}  // namespace hydra::cli
