// model: integrity of a score: paths of a candidate that its checks took from the base, and tamper findings
// of its diff (docs/integrity.md). Facts only; scoring derives nothing but eligibility from them.
#pragma once

#include "model/words.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace hydra::model {

enum class Restored {
  base,     ///< the base's bytes replace the candidate's
  removed,  ///< the path is new and was removed
  by_key,   ///< keys of a manifest were restored
};
template <>
inline constexpr auto kWords<Restored> = words_or(Restored::by_key, "base", "removed", "by_key");

/// A path whose version in the checks differs from the candidate's.
struct RestoredPath {
  std::string path;
  Restored how = Restored::by_key;
  std::string reason;     ///< one clause: "test file of the base"; for by_key the restored keys
  bool own_test = false;  ///< a new test of the result that is only set aside
  bool is_data = false;   ///< data that nothing but the base's tests names
};

enum class Severity {
  info,     ///< common in honest work; only shown
  warning,  ///< occasional in honest work: a person should look
  block,    ///< the result is not eligible
};
template <>
inline constexpr auto kWords<Severity> = words<Severity>("info", "warning", "block");

/// An attempt to influence the judge, as in the tamper report.
struct TamperFinding {
  std::string rule;  ///< "new_dependency", "deaf_test", …
  Severity severity = Severity::info;
  std::string path;
  std::int64_t line = 0;  ///< in the candidate's file, or in the base's for removed lines; 0: the whole file
  std::string reason;     ///< one clause
  std::string text;       ///< source text, one line, hostile; may be empty
};

inline constexpr std::size_t kMostRestored = 500;

/// Integrity facts of one captured commit.
struct Integrity {
  std::string commit;     ///< commit that the checks run on; the captured commit if nothing was restored
  bool effective = true;  ///< false: with protected paths restored, no change is left
  bool own_run = false;   ///< new tests are visible only in a second run with the result's own tests
  std::vector<RestoredPath> restored;   ///< at most kMostRestored
  std::vector<std::string> unrestored;  ///< changed files that also list sources: flagged and compared by
                                        ///< name; at most kMostRestored
  std::int64_t more_restored = 0;       ///< rows of both lists beyond that limit
  std::vector<TamperFinding> findings;  ///< worst first
  std::int64_t suppressions = 0;        ///< inline suppressions of lint rules: added less removed
  std::int64_t not_shown = 0;           ///< findings beyond the limit of a report
  std::string error;  ///< why the inspection failed; nothing is eligible then; empty: no error
  std::vector<std::string> unseen{};  ///< parts not inspected, so not ruled out; one clause each
  std::string own_command{};    ///< command that runs the result's own test files alone; empty: no recipe
  std::string files_command{};  ///< command that runs the base's test files one by one; empty: no recipe for
                                ///< the test command exists
};

}  // namespace hydra::model
