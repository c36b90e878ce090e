// race: what is measured of a result once the race is ranked, and never ranked by: mutants of its changed
// lines, and which of these its tests run (docs/selection.md, "Measured beside"). Pure; the effects are in
// checks_measure.cpp. Runs are subjects like cross runs, and like those nobody can tell whose code it is.
#pragma once

#include "race/state/command.hpp"

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace hydra::race {

struct State;

/// What is to be measured now.
struct MeasureWish {
  std::string agent;                  ///< whose mutants; empty: of none
  int mutants = 0;                    ///< at most
  std::vector<std::string> coverage;  ///< agents
  [[nodiscard]] bool none() const { return agent.empty() && coverage.empty(); }
};
/// By [selection] once a race is ranked, or by what was asked for since. Coverage comes first and alone:
/// lines that no test runs have no mutants.
MeasureWish measure_wish(const State& state);

/// What planning needs of the fold.
struct MeasureInputs {
  MeasureWish wish;
  std::vector<std::pair<std::string, std::string>>
      commits;                               ///< captured, with the agent's own tests; by agent
  std::vector<model::UnrunLines> never_run;  ///< of wish.agent, where that is known
};
MeasureInputs measure_inputs(const State& state);

/// The planned run of this subject; null: it is none of a measurement.
const model::PlannedRun* measure_run(const State& state, const std::string& subject);

bool measure_open(const State& state);
/// Only while it is open.
void want_measure(const State& state, std::set<Command>& commands);

/// Sets state and `by` of a mutant out of its run (null: there is none) and that without it, which tells
/// something: it passed, or has tests by name that pass.
void judge_mutant(const model::CheckSet* checks, const model::CheckEvidence& reference,
                  model::Mutant& mutant);

/// What the runs of the mutants came to; `agent` empty: none were planned.
model::MutantReport mutant_report(const State& state);

// The folds of the events of the same names.
void ask_measure(State& state, const model::MeasureRequested& asked);
void begin_measure(State& state, const model::MeasurePlan& plan, std::int64_t at_ms);
void end_measure(State& state, const model::Measured& measured);

}  // namespace hydra::race
