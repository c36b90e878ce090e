// race: a race as the API shows it (docs/api.md). Pure, apart from the given live values.
#pragma once

#include "adapters/adapters.hpp"
#include "league/calibration.hpp"
#include "race/state/state.hpp"
#include "wire/status.hpp"

#include <array>
#include <functional>
#include <string>
#include <vector>

namespace hydra::race {

struct LiveView {
  bool known = false;
  adapters::StreamReader::View stream;
  model::DiffStat diff;
  std::string waits;           ///< resource that a due agent waits for; may be empty
  std::string checks_wait;     ///< resource that the checks of its result wait for; may be empty
  std::int64_t silent_ms = 0;  ///< time since the last observed progress
  std::vector<std::array<std::int64_t, 3>> growth;  ///< see Live
};
/// The running step of making the base's check workspace: "setup", "template" (its build) or "warm"; empty:
/// none.
struct WorkspaceStep {
  std::string kind, command;
  std::int64_t started_ms = 0;  ///< Unix time
  std::string last_line;        ///< of its output, sanitised for display
  std::string waits;            ///< resource that the step, or the base's checks, wait for; may be empty
};
using LiveOf = std::function<LiveView(const AgentState&)>;

/// `step`: of the race's template. `problem`: an obstacle for all races; shown as the reason while this race
/// runs.
wire::Status status_view(const State& state, const Moment& now, const LiveOf& live_of,
                         const WorkspaceStep& step, const std::string& problem);
/// `calibration`: from the user's own races; null: not shown.
wire::Results results_view(const State& state, const Moment& now,
                           const league::Calibration* calibration = nullptr);
/// Explains each point of a result and its integrity (docs/integrity.md): every dimension of one agent with
/// formula, inputs, commands and evidence. The agent must exist.
wire::Explain explain(const State& state, const std::string& agent, const league::Calibration* calibration);

}  // namespace hydra::race
