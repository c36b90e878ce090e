// race: commands from the fold of a race to the effects.
#pragma once

#include "model/event.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

namespace hydra::race {

using model::Subject;
using model::subject_of;
using Kind = Subject::Kind;

/// Kinds of commands. A command is wanted until an event says that it is done, so that after a restart the
/// same fold issues the same work again: every effect is idempotent.
enum class Verb {
  prepare_race,       ///< makes the store, pins the base
  prepare_workspace,  ///< subject: agent, as a result
  run_agent,          ///< subject: agent; starts it, or adopts it after a restart
  retry_agent,        ///< subject: agent; runs it again after a delay ([limits] retries)
  stop_agent,         ///< subject: agent
  capture,            ///< subject: agent
  inspect,            ///< subject: tester, whose tree is never checked: inspects its change
  prepare_subject,    ///< check workspace and set-up of the subject
  run_check,          ///< subject and dimension
  preflight_clock,    ///< lets agents begin that wait for the base, once its checks have run for a while
  repeat_tests,       ///< subject: runs its tests again in the same workspace
  stop_checks,        ///< subject
  publish,
  plan_twins,   ///< plans the runs of twins of the base's tests
  plan_cross,   ///< plans whose tests run on whose results
  sum_cross,    ///< summarises the cross tests
  plan_judges,  ///< plans which judge judges which result, and in which order
  judge,        ///< subject: a planned judgement
  rank_first,   ///< ranks by the configured checks, while verification goes on
  rank,
  next_round,  ///< tells agents the shortcomings of their results
  stop_rest,   ///< for `--until green`: stops the others after the grace time
  auto_merge,
  finish,
};

struct Command {
  Verb verb = Verb::prepare_race;
  Subject subject;
  model::Dimension dimension = model::Dimension::build;
  std::size_t number = 0;  ///< distinguishes successive commands of one kind: reruns of tests, plans of twins
  auto operator<=>(const Command&) const = default;
};

/// Cache of reduce(), so that it does not ask every agent again after every event.
struct Wants {
  struct OfAgent {
    std::vector<Command> commands;  ///< sorted
    bool under_way = false, captured = false, settled = false;
  };
  std::vector<OfAgent> agents;                           ///< parallel to State::agents; empty: nothing cached
  std::set<Command> of_race;                             ///< commands that belong to no agent
  std::size_t under_way = 0, captured = 0, settled = 0;  ///< numbers of agents in these states
  std::uint64_t asked = 0;                               ///< agents asked so far: the cost of reduce()
};

}  // namespace hydra::race
