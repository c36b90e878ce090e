// race: the provider whose rate limits an agent's model calls share (docs/adapters.md, "Agents of one
// provider"). Pure.
#pragma once

#include "adapters/adapters.hpp"
#include "model/race_spec.hpp"

#include <string>

namespace hydra::race {

/// Returns the descriptor's provider; for a built-in agent that works with any provider, the part of its
/// model before `/`, else its kind. Empty: none, as for an agent with only a command.
inline std::string provider_of(const model::RaceSpec& spec, const model::AgentEntry& agent) {
  const auto& descriptor = spec.config.agents.at(agent.id);
  const auto& provider = descriptor.provider;
  if (!provider.empty() || !adapters::builtin().contains(descriptor.kind())) return provider;
  const auto slash = agent.model.find('/');
  return slash == std::string::npos || slash == 0 ? descriptor.kind() : agent.model.substr(0, slash);
}

}  // namespace hydra::race
