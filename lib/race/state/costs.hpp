// race: time of a race's checks and of their verification, and its limit ([evaluation] budget). Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hydra::race {

struct State;

/// Sums over runs; evidence from the cache costs nothing.
struct Cost {
  std::int64_t wall_ms = 0, cpu_ms = 0;
};
struct CheckCosts {
  Cost base, results;  ///< configured checks
  Cost own;            ///< own tests, reruns and builds from nothing
  Cost cross;          ///< cross tests and twins, which the budget limits
  std::int64_t cross_runs = 0, twin_runs = 0;
  std::int64_t twin_tests = 0, base_tests = 0;  ///< tests of the largest twin run, and of the base
};
CheckCosts check_costs(const State& state);

/// Returns whether a further twin may begin.
bool within_budget(const State& state);
/// Returns whether a further cross run may begin: half of the budget is kept for twins, which find cheats.
bool cross_within_budget(const State& state);

/// Returns the cross runs and twins that the budget left out, for people.
std::vector<std::string> left_out_by_budget(const State& state);

}  // namespace hydra::race
