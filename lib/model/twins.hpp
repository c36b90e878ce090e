// model: runs of the base's tests with other expected values, and at other lines (docs/integrity.md,
// "Twins").
#pragma once

#include "model/cross_plan.hpp"
#include "model/words.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace hydra::model {

/// Whether changed copies of the base's tests ran on a result.
enum class TwinsState { not_run, running, compared };
template <>
inline constexpr auto kWords<TwinsState> = words<TwinsState>("not_run", "running", "compared");

struct TwinRun {
  PlannedRun run;     ///< `result`: check owner; no subject: the run is impossible
  std::string of;     ///< commit of these tests: another commit of the same owner has separate runs
  bool copy = false;  ///< true: equal expectations at other lines, in files with another digest
};

struct TwinPlan {
  std::string seed;  ///< seed of the changed values: differs from race to race
  std::vector<TwinRun> runs;
  std::vector<std::string> files{};  ///< files with changed expected values; at most kMostTwinFiles
  std::int64_t assertions = 0;       ///< number of changed assertions
  /// Test files without a change: no assertion was recognised, or the language is not known; at most
  /// kMostTwinFiles.
  std::vector<std::string> untouched{};
  std::vector<std::string> tests{};  ///< functions with a changed assertion; at most kMostTwinTests
  std::int64_t left_out = 0;  ///< number of test files outside of the sample; 0: all are changed and run
  std::string reason{};       ///< why no run is planned: "no_assertions", "failed"; empty: runs are planned
};
inline constexpr std::size_t kMostTwinFiles = 500, kMostTwinTests = 5000;

}  // namespace hydra::model
