// race: further rounds (`hydra race --rounds N`): each agent is told, in its own session, what its result
// failed, and the race is ranked again (docs/cross-tests.md, "Rounds"). Pure; the effect is in
// agents_rounds.cpp.
#pragma once

#include "race/state/state.hpp"

#include <string>
#include <vector>

namespace hydra::race {

/// What one result fails, by name.
struct Shortcomings {
  bool build = false;               ///< it does not build
  std::string build_log;            ///< attempt of that build
  std::vector<std::string> broken;  ///< tests of the base that passed there; never hidden ones
  std::vector<std::string> own;     ///< its own tests, on its own tree
  std::vector<std::string> others;  ///< tests of other authors that fail before and pass for their author
  [[nodiscard]] bool none() const { return !build && broken.empty() && own.empty() && others.empty(); }
};
Shortcomings shortcomings(const State& state, const AgentState& agent);

/// Agents that the next round asks, in their order: those that ended by themselves with a change that falls
/// short of something, and have a budget left.
std::vector<std::string> agents_of_next_round(const State& state);

/// Whether another round may follow the ranking that is there.
bool round_due(const State& state);

/// What an agent is told. `output`: the end of the build's log; may be empty.
std::string round_message(const Shortcomings& found, const std::string& output);

}  // namespace hydra::race
