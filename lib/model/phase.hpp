// model: states of a race, its agents, its base and their checks while a race goes on.
#pragma once

#include "model/agent_run.hpp"
#include "model/check.hpp"
#include "model/event.hpp"
#include "model/words.hpp"

namespace hydra::model {

enum class RacePhase {
  preparing,
  running,
  ranking,  ///< ranked; merges, notices and clean-up follow
  cancelling,
  done,
  cancelled,
  failed,
};
template <>
inline constexpr auto kWords<RacePhase> = words<RacePhase>("preparing", "running", "ranking", "cancelling",
                                                           "done", "cancelled", "failed");

constexpr RacePhase phase_of(RaceEnd end) { return of_name<RacePhase>(name(end)); }
/// Returns whether a race in this phase has ended.
constexpr bool is_over(RacePhase phase) { return phase >= RacePhase::done; }

enum class AgentPhase {
  queued,
  preparing,  ///< its workspace
  running,
  cancelling,
  capturing,
  checking,
  ranked,       ///< its checks are done; the race's ranking is not
  completed,    ///< in the race's ranking
  no_changes,   ///< finished, with the base's tree
  not_checked,  ///< finished in a cancelled race, without all checks
  not_ranked,   ///< checked in a cancelled race
  unknown,
  failed,
  timed_out,
  cancelled,
  over_budget,
  launch_error,
  lost,
  stopped,
};
template <>
inline constexpr auto kWords<AgentPhase> = words<AgentPhase>("queued", "preparing", "running", "cancelling",
                                                             "capturing", "checking", "ranked", "completed",
                                                             "no_changes", "not_checked", "not_ranked",
                                                             "unknown", "failed", "timed_out", "cancelled",
                                                             "over_budget", "launch_error", "lost",
                                                             "stopped");

/// Returns the phase after an end other than a change or its lack.
constexpr AgentPhase phase_of(Outcome outcome) {
  return from_name<AgentPhase>(name(outcome)).value_or(AgentPhase::failed);
}
/// Returns whether an agent in this phase works, or is being worked on.
constexpr bool is_live(AgentPhase phase) { return phase > AgentPhase::queued && phase < AgentPhase::ranked; }

enum class BasePhase {
  not_configured,
  preparing,
  checking,
  checked,
  not_checked,  ///< the race failed before
  cancelled,
  failed,
};
template <>
inline constexpr auto kWords<BasePhase> = words<BasePhase>("not_configured", "preparing", "checking",
                                                           "checked", "not_checked", "cancelled", "failed");

/// A check before, while and after it runs: the enumerators behind `cancelled` are CheckStatus.
enum class CheckPhase {
  waiting,
  running,
  cancelled,
  passed,
  failed,
  timed_out,
  crashed,
  not_started,
  skipped,
};
template <>
inline constexpr auto kWords<CheckPhase> = words<CheckPhase>("waiting", "running", "cancelled", "passed",
                                                             "failed", "timed_out", "crashed", "not_started",
                                                             "skipped");
constexpr CheckPhase phase_of(CheckStatus status) { return of_name<CheckPhase>(name(status)); }

}  // namespace hydra::model
