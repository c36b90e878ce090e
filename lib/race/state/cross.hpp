// race: cross tests: each author's tests on every other result, after all checks and before the ranking
// (docs/selection.md, docs/adr/0017-cross-tests.md). Pure; the effects are in checks_cross.cpp.
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

/// Returns the planned run of this subject; null: none.
const model::PlannedRun* cross_run(const State& state, const Subject& subject);
/// Returns the author of that run; null: none.
const model::PlannedAuthor* cross_author(const State& state, const Subject& subject);

/// Folds CrossPlanned: unfinished runs of an earlier plan start again.
void begin_cross(State& state, const model::CrossPlan& plan);

/// Resets this run if an earlier plan left it unfinished.
void begin_anew(State& state, const model::PlannedRun& run);

/// Returns whether cross tests must be planned, run or summarised before the race is ranked.
bool cross_open(const State& state);
/// Returns whether the results so far are worth cross tests.
bool cross_possible(const State& state);
/// Returns whether the configuration allows cross tests.
bool cross_configured(const State& state);
/// Returns whether the newest plan was made while agents still ran (`--until green`).
bool early_cross(const State& state);
/// Adds the cross-test commands that are wanted now; only while cross_open().
void want_cross(const State& state, std::set<Command>& commands);
/// Returns whether a failed test needs a rerun, alone: another outcome means unstable. Runs that were cut
/// short are repeated too.
bool cross_repeat_wanted(const State& state, const Subject& subject);

/// Returns the number of planned runs, and how many of them have ended.
wire::Progress cross_progress(const State& state);

/// Returns the authors, tests and cells from all runs; classes are derived elsewhere.
model::Matrix cross_matrix(const State& state);

/// Adds the next steps of a subject's checks. Defined in state.cpp.
void want_checks(const State& state, const Subject& subject, std::set<Command>& commands);

/// Returns the measured cross tests; empty before. Tests of a result that the tamper report blocks are void.
model::Matrix matrix_of(const State& state);

/// Returns this author's test names, from its runs on its own code and on the base; tests of the base are
/// excluded (docs/selection.md, "Whose tests").
std::vector<std::string> tests_of_author(const State& state, const model::PlannedAuthor& author);
/// Returns the outcome of these tests in this run, one cell each.
std::vector<model::Cell> cells_of(const State& state, const model::PlannedRun& run,
                                  const std::vector<std::string>& tests);
/// Returns whether a test ended the process together with other tests of its author that can run separately
/// (PlannedAuthor::apart).
bool cross_cut_short(const State& state, const model::PlannedRun& run);
/// Returns the run of this author's tests on this result; null: not planned.
const model::PlannedRun* run_of(const State& state, const std::string& author, const Subject& result);
/// Returns the run of this author's tests on the neutral copy of the author's result; null: not planned.
const model::PlannedRun* neutral_run(const State& state, const std::string& author);
/// Returns those of these tests of the author that pass on the author's result and fail on its neutral copy.
std::set<std::string> tests_of_text(const State& state, const model::PlannedAuthor& author,
                                    const std::vector<std::string>& tests);

/// Returns a text that is equal for results that differ at most in their tests; empty: not known.
std::string product_of(const State& state, const Subject& owner);

/// Inputs of planning from the fold.
struct CrossInputs {
  struct Result {
    Subject owner;       ///< check owner
    std::string commit;  ///< its gating commit
  };
  struct Writer {
    std::string owner;   ///< check owner, or the name of a tester
    std::string commit;  ///< captured commit with the tests
    model::AuthorKind kind = model::AuthorKind::result;
    std::set<std::string> blocked;  ///< paths with a blocking finding
    /// Tree and command of the run with its own tests, if all of these passed: a cross run on its own code
    /// would be that run once more.
    std::string own_tree, own_command;
  };
  std::vector<Result> results;  ///< eligible results, identical trees once, in the requested order
  std::vector<Writer> writers;
  bool base_named = false;  ///< the base's checks report test names
  bool alone = false;       ///< one result suffices: its own tests decide whether it is green
};
/// Returns the inputs for a race whose checks have ended.
CrossInputs cross_inputs(const State& state);

}  // namespace hydra::race
