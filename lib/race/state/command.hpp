// race: what the fold of a race asks the effects to do.
#pragma once

#include "model/event.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace hydra::race {

/// What the effects are asked to do. A command is wanted until an event says that it is done, so that after a
/// restart the same fold asks for the same work again: every effect is idempotent.
enum class Verb {
  prepare_race,       ///< make the store, pin the base
  prepare_workspace,  ///< subject: agent
  run_agent,          ///< subject: agent; starts it, or adopts it after a restart
  retry_agent,        ///< subject: agent; runs it again after a while ([limits] retries)
  stop_agent,         ///< subject: agent
  capture,            ///< subject: agent
  inspect,            ///< subject: agent whose tree is another one's: what its own transcript shows
  prepare_subject,    ///< subject: agent or baseline, or one of them cold: check workspace and set-up
  run_check,          ///< subject and dimension
  repeat_tests,       ///< subject: its tests once more in the same workspace
  stop_checks,        ///< subject
  publish,
  plan_twins,   ///< which results are run with twins of the base's tests
  plan_cross,   ///< finds out whose tests are run on whose results
  cross_clock,  ///< ends the cross tests when their time is over
  sum_cross,    ///< what they came to
  plan_judges,  ///< which judge is asked about which result, and in which order
  judge,        ///< subject: a planned judgement
  rank,
  next_round,     ///< tells agents what their results fell short of
  stop_rest,      ///< of `--until green`: after the grace time
  auto_merge,
  finish,
};

struct Command {
  Verb verb = Verb::prepare_race;
  std::string subject;
  model::Dimension dimension = model::Dimension::build;
  std::size_t number = 0;  ///< of those alike that follow each other: repetitions of tests, plans of twins
  auto operator<=>(const Command&) const = default;
};

/// What reduce() remembers of its last answer, so that not every agent is asked again after every event.
struct Wants {
  struct OfAgent {
    std::vector<Command> commands;  ///< sorted
    bool under_way = false, captured = false, settled = false;
  };
  std::vector<OfAgent> agents;                           ///< as State::agents; empty: nothing is remembered
  std::set<Command> of_race;                             ///< what no agent asks for
  std::size_t under_way = 0, captured = 0, settled = 0;  ///< agents that are
  std::uint64_t asked = 0;                               ///< agents asked so far: what reduce() costs
};

}  // namespace hydra::race
