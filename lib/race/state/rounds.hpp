// race: further rounds (`hydra race --rounds N`): each agent is told its result's failures in its own
// session, then the race is ranked again (docs/cross-tests.md, "Rounds"). Pure; the effect is in
// agents_rounds.cpp.
#pragma once

#include "race/state/state.hpp"

#include <string>
#include <vector>

namespace hydra::race {

/// Failures of one result, by name.
struct Shortcomings {
  bool build = false;               ///< the build fails
  std::string build_log;            ///< attempt of the failed build
  std::vector<std::string> broken;  ///< tests of the base that pass there; never hidden ones
  std::vector<std::string> own;     ///< the result's own tests, on its own tree
  std::vector<std::string> others;  ///< tests of other authors that fail before the change and pass for their
                                    ///< author
  [[nodiscard]] bool none() const { return !build && broken.empty() && own.empty() && others.empty(); }
};
Shortcomings shortcomings(const State& state, const AgentState& agent);

/// Returns the agents that the next round asks, in their order: those that ended on their own with a change,
/// have shortcomings, and have budget left.
std::vector<std::string> agents_of_next_round(const State& state);

/// Returns whether another round may follow the current ranking.
bool round_due(const State& state);

/// Returns the message to an agent. `output`: end of the build's log; may be empty.
std::string round_message(const Shortcomings& found, const std::string& output);

}  // namespace hydra::race
