// How a reading is held against the truth of a recorded output; one place for all tests and for the table of
// docs/toolchains.md.
#pragma once

#include "golden.hpp"
#include "parsers/parsers.hpp"

#include <optional>
#include <string>
#include <vector>

namespace hydra::parsers::golden {

struct Score {
  std::string wrong;       ///< knowable figures that differ, in words; empty: every one is equal
  std::string invented;    ///< figures that the truth calls unknowable and the reading has nevertheless
  std::string names;       ///< names or statuses that differ; empty: equal, or the truth lists none
  bool has_names = false;  ///< the truth lists names
  bool safe = false;       ///< a run that failed does not look clean
  bool clean_seen = true;  ///< a run that was clean is read as clean
};

/// Test figures: a figure of the truth that is null or absent is not knowable; each `alt` replaces some.
Score score_tests(const Case& c, const model::ParsedTests& r);
Score score_lint(const Case& c, const model::LintReport& r);
/// Whether a reading would pass for a clean run.
bool looks_clean(const model::ParsedTests& r);
bool looks_clean(const model::LintReport& r);
/// Whether the truth is a clean run: exit code 0, nothing failed, no errors, no outcome.
bool truly_clean(const Case& c);
bool same_name(const std::string& mine, const std::string& truth);

}  // namespace hydra::parsers::golden
