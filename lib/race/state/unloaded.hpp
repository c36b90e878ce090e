// race: tests of the base that could not be loaded on a result: its sources moved, a feature is gone with its
// test, an interface was changed (docs/integrity.md, "Honest work keeps its points"). Pure.
#pragma once

#include "race/state/state.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hydra::race {

/// Whether the gating run of this subject did not come to a test of the base; only once the baseline's checks
/// are done.
bool misses_base_tests(const State& state, const std::string& subject);

/// The same, where the base's test files have been run one by one as well.
bool lacks_base_tests(const State& state, const std::string& subject);

/// What the base's test files show one by one, where the gating run did not come to it.
void add_base_files(const State& state, const std::string& subject, model::CheckSet& gating);

/// What its own tests are to speak for, where the base's could not be loaded: not a file of the base that
/// failed as a whole, and all of them where the base's do not even build with it.
void take_own_tests(const State& state, const std::string& subject, model::CheckSet& checks);

struct Unloaded {
  std::int64_t tests = 0;          ///< of the base that say nothing about it
  std::vector<std::string> names;  ///< of them, sorted; empty where tests have no names
  std::int64_t snapshots = 0;      ///< of `tests`: ran, and compare with a snapshot that it changes
  std::int64_t own_passed = 0, own_total = 0;  ///< in the run with its own tests
};
/// Absent: every test of the base was run on it, or nothing of its own passes.
std::optional<Unloaded> unloaded_tests(const State& state, const std::string& owner);

/// Whether its own tests speak where the base's could not be loaded: nothing ranks it before who passes the
/// base's, nothing merges it by itself, a person decides.
bool is_undecided(const State& state, const std::string& owner);

}  // namespace hydra::race
