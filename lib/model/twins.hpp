// model: runs of the base's tests with other expected values, and at other lines (docs/integrity.md,
// "Twins").
#pragma once

#include "model/cross_plan.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace hydra::model {

struct TwinRun {
  PlannedRun run;     ///< `result`: check owner, or kBaseline; an empty subject: it can't be run
  std::string of;     ///< commit whose tests these are: another one of the same owner has runs of its own
  bool copy = false;  ///< the same expectations at other lines, in files of another digest
};

struct TwinPlan {
  std::string seed;  ///< which other values: differs from race to race
  std::vector<TwinRun> runs;
  std::vector<std::string> files{};  ///< with other expected values; at most kMostTwinFiles
  std::int64_t assertions = 0;       ///< that were changed in them
  /// Test files without any: no assertion was recognised, or their language is not known; at most
  /// kMostTwinFiles.
  std::vector<std::string> untouched{};
  std::vector<std::string> tests{};  ///< functions in which one was changed; at most kMostTwinTests
  std::string reason{};              ///< why there is no run: "no_assertions", "failed"; empty: there are
};
inline constexpr std::size_t kMostTwinFiles = 500, kMostTwinTests = 5000;

}  // namespace hydra::model
