// model: what keeps a score honest: which paths of a candidate its checks took from the base, and what its
// diff attempts (docs/integrity.md). Facts only; scoring decides nothing by them but eligibility.
#pragma once

#include "model/words.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace hydra::model {

enum class Restored {
  base,     ///< has the base's bytes
  removed,  ///< it is new
  by_key,   ///< parts of a manifest
};
template <>
inline constexpr auto kWords<Restored> = words_or(Restored::by_key, "base", "removed", "by_key");

/// A path of the candidate that its checks did not see as the candidate left it.
struct RestoredPath {
  std::string path;
  Restored how = Restored::by_key;
  std::string reason;     ///< one clause: "test file of the base"; for by_key the keys that went back
  bool own_test = false;  ///< a new test of the result, which is only set aside
};

enum class Severity {
  info,     ///< to be seen: honest work does it every day
  warning,  ///< honest work does it now and then: a person should look.
  block,    ///< the result is not eligible
};
template <>
inline constexpr auto kWords<Severity> = words<Severity>("info", "warning", "block");

/// One attempt to influence the judge, as the tamper report names it.
struct TamperFinding {
  std::string rule;  ///< "runner_source", "deaf_test", …
  Severity severity = Severity::info;
  std::string path;
  std::int64_t line = 0;  ///< of the candidate's file, or of the base's for what went; 0: the whole file
  std::string reason;     ///< one clause
  std::string text;       ///< what stands there, one line, hostile text; may be empty
};

inline constexpr std::size_t kMostRestored = 500;

/// About one captured commit.
struct Integrity {
  std::string commit;     ///< what its checks run on; the captured commit where nothing was restored
  bool effective = true;  ///< false: nothing is left of the change where protected paths are the base's
  bool own_run = false;   ///< its new tests can only be seen in a second run, with its own tests
  std::vector<RestoredPath> restored;   ///< at most kMostRestored
  std::vector<std::string> unrestored;  ///< files that also list sources: changed, flagged, compared by name;
                                        ///< at most kMostRestored
  std::int64_t more_restored = 0;       ///< rows of both beyond that
  std::vector<TamperFinding> findings;  ///< worst first
  std::int64_t suppressions = 0;        ///< inline suppressions of lint rules added, less those taken away
  std::int64_t not_shown = 0;           ///< findings beyond the limit of a report
  std::string error;                    ///< why it could not be looked at: then nothing is eligible
  std::vector<std::string> unseen{};    ///< what nobody looked at and so can't be ruled out, one clause each
  std::string
      files_command{};  ///< runs the base's test files one by one; empty: no recipe for the test command
};

}  // namespace hydra::model
