// race: further rounds (`hydra race --rounds N`): each agent is told its result's failures in its own
// session, then the race is ranked again (docs/selection.md, "Rounds"). Pure; the effect is in
// agents_rounds.cpp.
#pragma once

#include "race/state/state.hpp"

#include <string>
#include <vector>

namespace hydra::race {

/// Failures of one result, by name. Lists of the base's tests never hold hidden ones.
struct Shortcomings {
  bool unchanged = false;            ///< the agent changed no file
  bool build = false;                ///< the build fails
  std::string build_log;             ///< attempt of the failed build
  std::vector<std::string> broken;   ///< tests of the base that pass there
  std::vector<std::string> unfixed;  ///< tests of the base that fail there, too
  std::vector<std::string> own;      ///< the result's own tests, on its own tree
  std::vector<std::string> others;  ///< tests of other authors that fail before the change and pass for their
                                    ///< author
  [[nodiscard]] bool none() const {
    return !unchanged && !build && broken.empty() && unfixed.empty() && own.empty() && others.empty();
  }
};

struct AskedAgain {
  std::string agent;
  Shortcomings found;
};
/// Returns the agents that the next round asks, in their order: those that ended on their own, have
/// shortcomings, and have budget left.
std::vector<AskedAgain> agents_of_next_round(const State& state);

/// Returns whether another round may follow the current ranking.
bool round_due(const State& state);

/// Returns the message to an agent. `output`: end of the build's log; may be empty.
std::string round_message(const Shortcomings& found, const std::string& output);

}  // namespace hydra::race
