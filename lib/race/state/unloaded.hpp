// race: tests of the base that could not be loaded with a result: moved sources, a feature removed with its
// test, a changed interface (docs/integrity.md, "Honest work keeps its points"). Pure.
#pragma once

#include "race/state/state.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hydra::race {

/// Returns whether this subject's gating run lacks a test of the base; only once the baseline's checks have
/// ended.
bool misses_base_tests(const State& state, const Subject& subject);

/// Returns whether a test of the base is still missing after its test files were also run one by one.
bool lacks_base_tests(const State& state, const Subject& subject);

/// Returns whether the run with a result's own tests can leave the other tests out: the gating run tells
/// everything about these. `own`: subject of kind own_tests; false for others.
bool own_files_suffice(const State& state, const Subject& own);

/// Adds outcomes of the base's test files run one by one, for tests that the gating run lacks.
void add_base_files(const State& state, const Subject& subject, model::CheckSet& gating);

/// Uses the result's own tests in place of unloadable ones: not a file of the base that failed as a whole,
/// and all own tests if the base's do not even build with the result.
void take_own_tests(const State& state, const Subject& subject, model::CheckSet& checks);

struct Unloaded {
  std::int64_t tests = 0;          ///< tests of the base without an outcome
  std::vector<std::string> names;  ///< their names, sorted; empty: tests have no names
  std::int64_t snapshots = 0;      ///< part of `tests` that ran and compares with a snapshot changed by the
                                   ///< result
  std::int64_t own_passed = 0, own_total = 0;  ///< from the run with the result's own tests
};
/// Returns nullopt if every test of the base ran, or none of the result's own tests passes.
std::optional<Unloaded> unloaded_tests(const State& state, const Subject& owner);

/// Returns whether own tests replace unloadable ones: such a result ranks below results that pass the base's
/// tests, is never merged automatically, and a person decides.
bool is_undecided(const State& state, const Subject& owner);

}  // namespace hydra::race
