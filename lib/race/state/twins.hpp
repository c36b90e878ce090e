// race: runs of the base's tests with other expected values on the leading results (docs/integrity.md,
// "Twins"), to find code that passes whatever a test expects; opaque subjects. Pure; effects:
// checks_cross.cpp.
#pragma once

#include "race/state/command.hpp"
#include "wire/results.hpp"

#include <set>
#include <string>
#include <vector>

namespace hydra::race {

struct State;

/// A run that is wanted, but not planned.
struct TwinWish {
  Subject owner;
  std::string commit;  ///< its gating commit
  bool copy = false;
};
/// Returns wanted runs for the leading results, by [evaluation] verify, and for the base and, about hidden
/// tests, other results that can be witnesses.
std::vector<TwinWish> twin_wishes(const State& state);

/// Returns the base's tests that fail there and pass on a result: twins run these in any case.
std::vector<std::string> needed_tests(const State& state);

/// Returns the planned run of this subject; null: not a twin run.
const model::TwinRun* twin_run(const State& state, const Subject& subject);
/// Returns whether a copy needs a rerun because its tests failed.
bool twin_repeat_wanted(const State& state, const Subject& subject);

/// Returns whether twins must be planned or run before this race is ranked.
bool twins_open(const State& state);
/// Returns the results whose twins the budget left out, once twins are not open.
std::vector<Subject> unasked_twins(const State& state);
/// Adds the twin commands that are wanted now; only while twins_open().
void want_twins(const State& state, std::set<Command>& commands);
/// Folds TwinsPlanned.
void begin_twins(State& state, const model::TwinPlan& plan);

/// Returns the number that this race draws values, names and lines by.
std::string twin_seed(const model::RaceSpec& spec);

/// Returns the findings for this owner: `block` with the base or a hidden test as witness, else `warning`.
std::vector<model::TamperFinding> twin_findings(const State& state, const Subject& owner);

/// Returns whether a finding for this owner has no witness and nobody accepted it, so that only ties tell.
bool is_unproven(const State& state, const Subject& owner);

/// Returns the shown facts of one owner.
wire::Twins twin_facts(const State& state, const Subject& owner);

}  // namespace hydra::race
