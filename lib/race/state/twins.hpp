// race: the base's tests with other expected values, run on the leading results before the ranking
// (docs/integrity.md, "Twins"). What passes as it is and so does not listen to its answer. Pure; the effects
// are in checks_cross.cpp. Runs are subjects like cross runs: nobody can tell whose code it is.
#pragma once

#include "race/state/command.hpp"

#include <set>
#include <string>
#include <vector>

namespace hydra::race {

struct State;

/// A run that is wanted and not planned.
struct TwinWish {
  std::string owner;   ///< check owner, or kBaseline
  std::string commit;  ///< its gating commit
  bool copy = false;
};
/// Of the results that lead now, by [evaluation] verify; and of others that can tell whether a twin fails at
/// all.
std::vector<TwinWish> twin_wishes(const State& state);

/// The planned run of this subject; null: it is none of these.
const model::TwinRun* twin_run(const State& state, const std::string& subject);
/// A copy whose tests fail runs once more.
bool twin_repeat_wanted(const State& state, const std::string& subject);

/// Whether something is to be planned or run before this race is ranked.
bool twins_open(const State& state);
/// Only while they are open.
void want_twins(const State& state, std::set<Command>& commands);
/// The fold of TwinsPlanned.
void begin_twins(State& state, const model::TwinPlan& plan);

/// Which of the eight sets of other values this race has.
std::string twin_seed(const model::RaceSpec& spec);

/// What the runs say of this owner: "deaf_test", "known_test".
std::vector<model::TamperFinding> twin_findings(const State& state, const std::string& owner);

/// What of one owner is shown.
wire::Twins twin_facts(const State& state, const std::string& owner);

}  // namespace hydra::race
