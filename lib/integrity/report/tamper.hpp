// integrity: what a reader of the diff should look at beside the paths that the checks took from the base:
// tests in the sources, suppressed lint, where packages come from, files that were not applied; and tool
// calls. Advice: pure and linear in the size of its input. A finding is named, with path and line; it never
// changes a number and never blocks, text is no proof (ADR 12). What the configuration makes of a severity is
// the caller's affair.
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

inline constexpr std::size_t kMostExcerpt = 160;                ///< bytes of what a finding shows of a line
inline constexpr std::size_t kMostFindings = 500;               ///< of a report; further ones are counted
inline constexpr std::size_t kMostFindingsOfAFile = 20;         ///< of one rule and severity
inline constexpr std::size_t kMostFileBytes = 2 * 1024 * 1024;  ///< of a file are looked at

/// One changed path. A rename may come as such or as a deletion and an addition.
struct ChangedFile {
  trees::Change change;
  std::optional<std::string> base, candidate;  ///< bytes; absent: not there, binary or not asked for
};

/// One tool call of the agent: a command line, or the tool's name and arguments as one text.
struct ToolCall {
  std::string text;
  std::int64_t line = 0;  ///< in the agent's log; from 1; 0: not known
};

struct TamperInput {
  const ProtectedPaths* rules = nullptr;  ///< never null
  std::span<const ChangedFile> files;
  std::span<const ToolCall> calls;           ///< may be empty
  std::vector<std::string> hidden_tests;     ///< paths of the hidden tests, relative to the repository
  std::vector<trees::LeftOutPath> left_out;  ///< plan_rebuild()'s dropped and not_applied
};

struct TamperReport {
  /// Worst first, then by path and line; sanitised. The path of a tool call is "transcript"; a line is the
  /// base's for what is gone; at most kMostExcerpt bytes of text.
  std::vector<model::TamperFinding> findings;
  std::int64_t suppressions = 0;  ///< inline suppressions of lint rules added, less those taken away; >= 0
  std::int64_t not_shown = 0;     ///< findings beyond the limits
};

TamperReport find_tampering(const TamperInput& input);

}  // namespace hydra::integrity
