// race: cross tests: each author's tests on every other result, once the checks of all are over and before
// the ranking (docs/selection.md, ADR 17). Pure; the effects are in checks_cross.cpp.
#pragma once

#include "model/cross_plan.hpp"
#include "race/state/command.hpp"
#include "wire/status.hpp"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace hydra::race {

struct State;

/// A subject of checks that is a cross run.
bool is_cross(const std::string& subject);
/// The planned run of this subject; null: there is none.
const model::PlannedRun* cross_run(const State& state, const std::string& subject);
/// The author of that run; null: there is none.
const model::PlannedAuthor* cross_author(const State& state, const std::string& subject);

/// The fold of CrossPlanned: what an earlier plan left undone is begun anew.
void begin_cross(State& state, const model::CrossPlan& plan, const Moment& at);

/// What an earlier plan left undone of this run is begun anew.
void begin_anew(State& state, const model::PlannedRun& run);

/// Whether cross tests are to be planned, run or summed up before this race is ranked.
bool cross_open(const State& state);
/// Whether the configuration lets there be any.
bool cross_configured(const State& state);
/// Whether the newest plan was made while agents still ran (`--until green`).
bool early_cross(const State& state);
/// What of them is wanted now; only while they are open.
void want_cross(const State& state, std::set<Command>& commands);
/// Runs that go on although nobody waits for them any more.
void want_cross_stops(const State& state, std::set<Command>& commands);
/// A red test is run once more, alone: another outcome is unstable. So is a run that was cut short.
bool cross_repeat_wanted(const State& state, const std::string& subject);

/// How many planned runs there are, and how many of them are over.
wire::Progress cross_progress(const State& state);

/// What the runs came to. Whose tests they are, and the cells; classes are derived elsewhere.
model::Matrix cross_matrix(const State& state);

/// Of the room's state.cpp: the next steps of a subject's checks.
void want_checks(const State& state, const std::string& subject, std::set<Command>& commands);

/// Tests of this author by name, as far as its runs on its own code and on the base tell: those of the base
/// are not among them (docs/cross-tests.md, "Whose tests").
std::vector<std::string> tests_of_author(const State& state, const model::PlannedAuthor& author);
/// What they came to in this run, one cell each.
std::vector<model::Cell> cells_of(const State& state, const model::PlannedRun& run,
                                  const std::vector<std::string>& tests);
/// A test ended the process, and others of its author with it, which can run by themselves
/// (PlannedAuthor::apart).
bool cross_cut_short(const State& state, const model::PlannedRun& run);
/// The run of this author's tests on this result; null: none is planned.
const model::PlannedRun* run_of(const State& state, const std::string& author, const std::string& result);

/// What planning needs of the fold.
struct CrossInputs {
  struct Result {
    std::string owner;   ///< check owner
    std::string commit;  ///< its gating commit
  };
  struct Writer {
    std::string owner;   ///< check owner, or the name of a tester
    std::string commit;  ///< captured, with its tests
    model::AuthorKind kind = model::AuthorKind::result;
    std::set<std::string> blocked;  ///< paths that a blocking finding names
  };
  std::vector<Result> results;  ///< eligible, identical trees once, in the order of asking
  std::vector<Writer> writers;
  bool base_named = false;  ///< the base's checks tell its tests by name
  bool alone = false;       ///< one result is enough: its own tests say whether it is green
};
/// Of a race whose checks are over.
CrossInputs cross_inputs(const State& state);

}  // namespace hydra::race
