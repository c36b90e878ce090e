// integrity: points of a diff that a reader should check besides the paths that the checks take from the
// base: tests in sources, suppressed lint, package origins, files that were not applied. Advice only: a
// finding is named, with path and line, and never changes a number or blocks, since text is no proof
// (docs/adr/0012-gating-runs.md). The caller maps a severity to an action by the configuration. Pure, linear
// in the input.
#pragma once

#include "integrity/protect/protected_paths.hpp"
#include "model/integrity.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::integrity {

using model::Severity;

inline constexpr std::size_t kMostExcerpt = 160;         ///< bytes of a line that a finding shows
inline constexpr std::size_t kMostFindings = 500;        ///< findings of a report; further ones are counted
inline constexpr std::size_t kMostFindingsOfAFile = 20;  ///< findings of one rule and severity in a file
inline constexpr std::size_t kMostFileBytes = 2 * 1024 * 1024;  ///< bytes of a file that are read

/// A changed path. A rename may be one change, or a deletion and an addition.
struct ChangedFile {
  trees::Change change;
  std::optional<std::string> base, candidate;  ///< bytes; absent: missing, binary or not requested
};

struct TamperInput {
  const ProtectedPaths* rules = nullptr;  ///< never null
  std::span<const ChangedFile> files;
  std::vector<trees::LeftOutPath> left_out;  ///< plan_rebuild()'s dropped and not_applied
};

struct TamperReport {
  /// Worst first, then by path and line; sanitised. A line that is gone has the base's number; at most
  /// kMostExcerpt bytes of text.
  std::vector<model::TamperFinding> findings;
  std::int64_t suppressions = 0;  ///< inline lint suppressions added, minus those removed; >= 0
  std::int64_t not_shown = 0;     ///< findings beyond the limits
};

TamperReport find_tampering(const TamperInput& input);

}  // namespace hydra::integrity
