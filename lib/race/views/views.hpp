// race: a race as the API shows it (docs/api.md, docs/results.md). Pure but for the given live values.
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
  std::string waits;                                ///< what an agent that is due waits for
  std::string checks_wait;                          ///< what the checks of its result wait for
  std::int64_t silent_ms = 0;                       ///< since it was last seen to move
  std::vector<std::array<std::int64_t, 3>> growth;  ///< see Live
};
/// What is running to make the base's check workspace: "setup", "template" (its build) or "warm"; empty:
/// nothing.
struct WorkspaceStep {
  std::string kind, command;
  std::int64_t started_ms = 0;  ///< Unix time
  std::string last_line;        ///< of its output, fit to be shown
  std::string waits;            ///< what the step, or the base's checks, wait for
};
using LiveOf = std::function<LiveView(const AgentState&)>;

/// `step`: of the template that the race waits for.
/// `problem`: what keeps the daemon from going on with any race; shown as the reason while this one runs.
wire::Status status_view(const State& state, const Moment& now, const LiveOf& live_of,
                         const WorkspaceStep& step, const std::string& problem);
/// `calibration`: of own races; null: nothing is said of it.
wire::Results results_view(const State& state, const Moment& now,
                           const league::Calibration* calibration = nullptr);
/// How each point of a result came to be, and what keeps it honest (docs/integrity.md): every dimension of
/// one agent with formula, inputs, commands and evidence. The agent must exist.
wire::Explain explain(const State& state, const std::string& agent, const league::Calibration* calibration);

}  // namespace hydra::race
