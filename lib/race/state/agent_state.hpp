// race: one agent in the fold of its race, and its attempts.
#pragma once

#include "model/event.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::race {

/// An attempt that another one followed.
struct EarlierAttempt {
  int number = 1;
  model::AgentEnded ended;
  std::optional<model::StopRequested> stop;
  std::string branch;         ///< under which its result is kept; may be empty
  bool same_work = false;     ///< the newest attempt goes on in the workspace as this one left it
  bool counts = false;        ///< against the budget of the newest attempt
  bool same_session = false;  ///< the newest attempt goes on with the session of this one
};

/// Path of the workspace of a result that no agent made in one: it was combined of parts.
inline constexpr std::string_view kNoWorkspace = "-";

struct AgentState {
  model::AgentEntry entry;
  std::string display;
  std::string workspace;  ///< path; empty until it is ready
  std::string workspace_error;
  int attempts = 0;     ///< number of the newest attempt that was started
  int due = 1;          ///< number of the attempt that runs or is to run
  std::string attempt;  ///< key of the newest attempt
  std::int64_t started_ms = 0, ended_ms = 0;
  Uptime started_up{};  ///< the moment of started_ms
  std::optional<model::AgentEnded> ended;
  std::optional<model::Capture> capture;
  std::string capture_error;
  std::optional<model::Integrity> integrity;  ///< known from when its check workspace is made
  std::vector<std::string>
      repository_changed;  ///< of the user's, by the end of its run: see RepositoryCompared
  bool cancelled = false;
  bool give_up = false;  ///< no automatic retry
  int retries = 0;       ///< automatic ones since the race or the last `hydra retry` began
  std::optional<model::StopRequested> stop;    ///< of the newest attempt
  std::optional<model::RetryRequested> retry;  ///< what the newest attempt is, where it is not the first
  std::vector<EarlierAttempt> earlier;         ///< oldest first
  std::string branch;                          ///< full name, once published
  std::string branch_refused;                  ///< why it has none, where it was to have one

  /// The attempt that is due was started.
  [[nodiscard]] bool begun() const { return attempts >= due; }
  /// It never will be.
  [[nodiscard]] bool never_runs() const { return (cancelled || stop) && !begun(); }
  /// It left a result that differs from the base.
  [[nodiscard]] bool changed() const { return capture && capture->changed; }
};

/// The attempt that is due never ran, but work of the one before it is in the agent's workspace.
bool left_work(const AgentState& agent);

/// The verdict of the newest attempt with the last rule applied, which needs the capture: everything refused
/// and nothing changed is a misconfigured agent (agent-clis reference, section 4).
model::Verdict final_verdict(const AgentState& agent);
/// What a stop of Hydra's own (StopRequested::reason) makes of an agent. `began`: it had shown anything.
model::Outcome outcome_of_stop(model::StopReason reason, bool began);
/// The outcome by that verdict, and by what was asked for.
model::Outcome final_outcome(const AgentState& agent);
/// Whether an outcome is `completed`, with a warning or without.
bool ended_well(model::Outcome outcome);

/// Wall time of all attempts whose work is in the agent's result; milliseconds.
std::int64_t work_ms(const AgentState& agent);
/// The task as this agent is told it first: a tester is asked for tests only, and [selection] ask_for_tests
/// asks everybody for tests too.
std::string first_prompt(const model::RaceSpec& spec, const model::AgentEntry& entry);

/// What all its attempts used; `live`: what is seen of one that runs.
model::Usage usage_of(const AgentState& agent, const model::Usage& live = {});
/// Usage of the attempts before the newest one. `of_budget`: those that count against its budget.
model::Usage earlier_usage(const AgentState& agent, bool of_budget);
/// Usage that the session of the newest attempt had before it.
model::Usage resume_base(const AgentState& agent);
/// All that is known of a and b together; cost_usd is absent only where neither names one.
model::Usage add_usage(const model::Usage& a, const model::Usage& b);

/// The events by which a verification takes over what this agent's attempts came to.
std::vector<model::EventBody> results_again(const AgentState& agent);

}  // namespace hydra::race
