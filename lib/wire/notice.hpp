// wire: the notification of a user's command or receiver when a race has ended (docs/configuration.md). See
// results.hpp for the names of members.
#pragma once

#include "model/phase.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hydra::wire {

struct EndedAgent {
  std::string agent, display;
  model::AgentPhase state{};
  std::string branch;
  // The next three members are left out when the race has no ranking.
  std::optional<bool> eligible;
  std::optional<int> rank;
  std::optional<double> score;
};
struct EndNotice {
  int schema = 1;
  std::string event = "race_ended";
  std::string race;
  model::RaceEnd state{};
  std::string task, repository;
  std::int64_t created_ms = 0, ended_ms = 0;  ///< Unix time
  std::optional<std::string> winner;
  bool merged = false;
  std::vector<EndedAgent> agents;
};

}  // namespace hydra::wire
