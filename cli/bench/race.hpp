// cli: a task of a suite as a race: its configuration, and the request for it.
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

/// What a race may spend; 0: no limit.
struct Budget {
  double usd = 0;
  std::uint64_t tokens = 0;
};

/// The user's configuration with what the task says: its tests are the only check, and nothing of the user's
/// own project is in it. `timed`: the user's wall time of an agent stays.
model::Config race_config(const model::Config& mine, const suite::Suite& suite, const suite::Task& task,
                          const TaskFiles& files, bool timed);

/// The agents of validation: one runs the task's solution, the other does nothing.
inline constexpr const char* kReference = "reference";
inline constexpr const char* kNothing = "nothing";
void add_validators(model::Config& config);

/// The keys of one task as runners: "codex#2", or "codex" where each entry has one attempt.
std::vector<model::AgentEntry> runners(const std::vector<model::AgentEntry>& entries, int attempts,
                                       const std::vector<std::pair<std::string, int>>& keys);

/// The body of POST /v1/races. The same words and labels each time: it may be sent again.
std::string race_request(const BenchRun& run, const suite::Task& task, const TaskFiles& files,
                         const std::string& id, const model::Config& config,
                         const std::vector<model::AgentEntry>& agents);

}  // namespace hydra::cli
