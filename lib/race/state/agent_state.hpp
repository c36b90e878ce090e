// race: one agent in the fold of its race, and its attempts.
#pragma once

#include "model/event.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::race {

/// An attempt that has a successor.
struct EarlierAttempt {
  int number = 1;
  model::AgentEnded ended;
  std::optional<model::StopRequested> stop;
  std::string branch;         ///< branch that keeps its result; may be empty
  std::string commit;         ///< its captured result; empty: none
  bool same_work = false;     ///< the newest attempt continues in the workspace as this attempt left it
  bool counts = false;        ///< counts against the budget of the newest attempt
  bool same_session = false;  ///< the newest attempt resumes this attempt's session
};

/// Maker of a result.
enum class Origin : std::uint8_t {
  agent,
  tester,    ///< an agent that saw the task and wrote tests only
  combined,  ///< parts of other results, combined by the user: no workspace, no attempt
};

struct AgentState {
  model::AgentEntry entry;
  Origin origin = Origin::agent;
  std::string display;
  std::string workspace;                  ///< path; empty: not ready yet
  std::vector<std::string> dependencies;  ///< see WorkspaceReady
  std::string workspace_error;
  int attempts = 0;     ///< number of the newest attempt that has started
  int due = 1;          ///< number of the attempt that runs or will run
  std::string attempt;  ///< key of the newest attempt
  std::int64_t started_ms = 0, ended_ms = 0;
  Uptime started_up{};  ///< uptime at started_ms
  std::optional<model::AgentEnded> ended;
  std::optional<model::Capture> capture;
  std::string capture_error;
  std::optional<model::Integrity> integrity;  ///< absent until the check workspace is made
  std::vector<std::string>
      repository_changed;  ///< changes of the user's repository by the end of the run: see RepositoryCompared
  bool cancelled = false;
  bool give_up = false;  ///< no automatic retry
  int retries = 0;       ///< automatic retries since the race or the last `hydra retry` began
  std::optional<model::StopRequested> stop;    ///< of the newest attempt
  std::optional<model::RetryRequested> retry;  ///< how the newest attempt came about; absent: the first
                                               ///< attempt
  std::vector<EarlierAttempt> earlier;         ///< oldest first
  std::string branch;                          ///< full name, once published
  std::string branch_refused;                  ///< why no branch was made; empty: no problem

  /// Returns whether the due attempt can't start yet for want of a workspace.
  [[nodiscard]] bool lacks_workspace() const { return origin != Origin::combined && workspace.empty(); }
  /// Returns whether the due attempt was started.
  [[nodiscard]] bool begun() const { return attempts >= due; }
  /// Returns whether the due attempt will never start.
  [[nodiscard]] bool never_runs() const { return (cancelled || stop) && !begun(); }
  /// Returns whether the result differs from the base.
  [[nodiscard]] bool changed() const { return capture && capture->changed; }
};

/// Returns whether the due attempt never ran, but the workspace has work of the attempt before.
bool left_work(const AgentState& agent);

/// Returns the verdict of the newest attempt with the last rule, which needs the capture: everything refused
/// and nothing changed means misconfigured (docs/adapters.md, "How an end is judged").
model::Verdict final_verdict(const AgentState& agent);
/// Returns the outcome for a stop by Hydra (StopRequested::reason). `began`: the agent had shown any output.
model::Outcome outcome_of_stop(model::StopReason reason, bool began);
/// Returns the outcome from final_verdict() and the requested stops.
model::Outcome final_outcome(const AgentState& agent);

/// Returns the wall time of all attempts whose work is in the agent's result, in milliseconds.
std::int64_t work_ms(const AgentState& agent);
/// Returns the first prompt of this agent: a tester is asked for tests only.
std::string first_prompt(const model::RaceSpec& spec, const model::AgentEntry& entry);

/// Returns the usage of all attempts; `live`: observed usage of a running attempt.
model::Usage usage_of(const AgentState& agent, const model::Usage& live = {});
/// Returns the usage of earlier attempts. `of_budget`: only attempts that count against the newest one's
/// budget.
model::Usage earlier_usage(const AgentState& agent, bool of_budget);
/// Returns the usage of the newest attempt's session before that attempt.
model::Usage resume_base(const AgentState& agent);
/// Adds the known numbers of a and b; cost_usd is absent only if both lack it.
model::Usage add_usage(const model::Usage& a, const model::Usage& b);

/// Returns the events by which a verification takes over the results of this agent's attempts.
std::vector<model::EventBody> results_again(const AgentState& agent);

}  // namespace hydra::race
