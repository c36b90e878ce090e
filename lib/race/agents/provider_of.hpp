// race: whose rate limits an agent's model calls share (agent-clis reference, section 6). Pure.
#pragma once

#include "adapters/adapters.hpp"
#include "model/race_spec.hpp"

#include <string>

namespace hydra::race {

/// The descriptor's provider; of a built-in agent that works with any, what stands before `/` in its model,
/// else its own id. Empty: nobody's, as for an agent of which only the command is known.
inline std::string provider_of(const model::RaceSpec& spec, const model::AgentEntry& agent) {
  const auto& provider = spec.config.agents.at(agent.id).provider;
  if (!provider.empty() || !adapters::builtin().contains(agent.id)) return provider;
  const auto slash = agent.model.find('/');
  return slash == std::string::npos || slash == 0 ? agent.id : agent.model.substr(0, slash);
}

}  // namespace hydra::race
