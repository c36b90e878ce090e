// model: what is measured of a result and never ranked by: mutants of its changed lines, and which of them
// its tests run (docs/selection.md, "Measured beside").
#pragma once

#include "model/cross_plan.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace hydra::model {

/// The result with one small change, and a run of all its tests.
struct MutantRun {
  PlannedRun run;
  std::string path;    ///< relative to the tree
  int line = 0;        ///< in the result's file, from 1
  std::string change;  ///< "< becomes <="
};

/// Lines that a result added or changed, of one file.
struct ChangedLines {
  std::string path;
  std::vector<int> lines;  ///< from 1, ascending
};

/// The result's tests, run so that they tell which lines they run.
struct CoverageRun {
  std::string agent;
  PlannedRun run;
  std::vector<ChangedLines> lines;
  std::string reason{};  ///< why it is not run; empty: it is
};

struct MeasurePlan {
  std::string agent{};                  ///< whose mutants these are; empty: none were wanted
  std::string reason{};                 ///< why there are none: "no_changed_code", …; empty: there are
  std::vector<PlannedRun> reference{};  ///< the same run without a mutant; at most one
  std::vector<MutantRun> mutants{};
  std::vector<CoverageRun> coverage{};
  std::int64_t never_run = 0;  ///< changed lines that have no mutant because no test runs them
};

enum class MutantState {
  not_run,   ///< no time was left, or its run came to no end
  killed,    ///< a test that passes without it fails
  survived,  ///< none does
  invalid,   ///< it does not build
};
template <>
inline constexpr auto kWords<MutantState> = words<MutantState>("not_run", "killed", "survived", "invalid");

struct Mutant {
  std::string path;
  int line = 0;
  std::string change;
  MutantState state = MutantState::not_run;
  std::string by{};  ///< a test that noticed it, or what else did; may be empty
};

/// How much the tests around one result notice of small changes of what it changed.
struct MutantReport {
  std::string agent;
  Measure state = Measure::not_measured;
  std::string reason;  ///< why not, or what is missing: "no_changed_code", "red_without", "out_of_time", …
  std::int64_t killed = 0, survived = 0;
  std::vector<Mutant> mutants;
  std::int64_t never_run = 0;  ///< changed lines that have no mutant because no test runs them
};

struct UnrunLines {
  std::string path;
  int from = 0, to = 0;  ///< from 1, both within
};

/// Which of a result's changed lines its tests run.
struct CoverageReport {
  std::string agent;
  Measure state = Measure::not_measured;
  std::string reason;               ///< why not: "no_recipe", "no_report", "no_gcov", "nothing_to_cover", …
  std::int64_t lines = 0, run = 0;  ///< changed lines that can be run, and those that were
  std::vector<UnrunLines> never_run;
};

}  // namespace hydra::model
