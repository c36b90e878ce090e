// cli: an agent's recorded stream as a trajectory in the Agent Trajectory Interchange Format (ATIF-v1.4, of
// Harbor). Pure. Streams are read by the shapes that agents' events have in common; what has none of them is
// left out.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace hydra::cli {

/// What a trajectory says of its run beside the steps.
struct TrajectoryFacts {
  std::string session, task, agent, version, model;
  std::string extra;  ///< a JSON object: what Hydra found of it
  std::int64_t created_ms = 0;
};

/// One JSON document, one line, without an end. Steps: the task, then what the agent said and did, with what
/// its tools answered. A log that is no JSON Lines is one step.
std::string trajectory(const TrajectoryFacts& facts, std::string_view log);

}  // namespace hydra::cli
