// integrity: what a reader of the diff should look at: deleted, weakened and skipped tests, suppressed lint,
// where runners come from; and tool calls. Advice: Pure and linear in the size of its input. A signal is
// named, with path and line; it never changes a number (reliability reference, section 4). What the
// configuration makes of a severity is the caller's affair.
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

enum class SignalKind {
  skip_marker,         ///< a test is told not to run, or to be allowed to fail
  weakened_assertion,  ///< assertions taken out of a test of the base or made true
  deleted_test,        ///< a test file of the base is gone
  lint_suppression,    ///< a rule switched off inline
  tool_shadowing,      ///< a file where a tool or a module of the runner would be looked for
  report_forgery,      ///< writes to names that reports have
  runner_hook,         ///< a new or changed file that runs inside the runner
  check_script,        ///< a script of the checks was changed
  configuration,       ///< other test, lint or CI configuration was changed
  build_file,          ///< a file that lists sources and tests was changed
  history_read,        ///< asked git for what is not an ancestor of the base
  hidden_test,         ///< names a hidden test
  solution_fetch,      ///< fetched a solution from the network
  old_mtime,           ///< a changed file that looks older than the base
  generated_file,      ///< a file of a generated kind, or in an ignored place, that a commit carries
  runner_source,       ///< a manifest takes the runner, or modules of its, from another place
  rewritten_path,      ///< a command of the checks changed a protected path
  not_inspected,       ///< something that could not be looked at
};
/// "skip_marker": stable, for JSON.
std::string_view name(SignalKind kind);

struct Signal {
  SignalKind kind = SignalKind::skip_marker;
  Severity severity = Severity::info;  ///< never block: text is no proof
  std::string path;                    ///< relative to the repository, sanitised; "transcript" for tool calls
  std::int64_t line =
      0;  ///< from 1: in the candidate's file, or the base's for what is gone; 0: the whole file
  std::string excerpt;  ///< sanitised, at most kMostExcerpt bytes; may be empty
  std::string reason;   ///< one clause
};

inline constexpr std::size_t kMostExcerpt = 160;
inline constexpr std::size_t kMostSignals = 500;                ///< of a report; further ones are counted
inline constexpr std::size_t kMostSignalsOfAFile = 20;          ///< of one kind and severity
inline constexpr std::size_t kMostFileBytes = 2 * 1024 * 1024;  ///< of a file are looked at

/// One changed path. A rename may come as such or as a deletion and an addition.
struct ChangedFile {
  trees::Change change;
  std::optional<std::string> base, candidate;      ///< bytes; absent: not there, binary or not asked for
  std::optional<std::int64_t> mtime_seconds = {};  ///< of the agent's file when it was captured; Unix time
};

/// One tool call of the agent: a command line, or the tool's name and arguments as one text.
struct ToolCall {
  std::string text;
  std::int64_t line = 0;  ///< in the agent's log; from 1; 0: not known
};

struct TamperInput {
  const ProtectedPaths* rules = nullptr;  ///< never null
  std::span<const ChangedFile> files;
  std::span<const ToolCall> calls;                ///< may be empty
  std::vector<std::string> hidden_tests;          ///< paths of the hidden tests, relative to the repository
  std::vector<trees::LeftOutPath> left_out;       ///< plan_rebuild()'s dropped and not_applied
  std::optional<std::int64_t> base_seconds = {};  ///< when the agent's workspace was made; Unix time
};

struct TamperReport {
  std::vector<Signal> signals;    ///< worst first, then by path and line
  std::int64_t suppressions = 0;  ///< inline suppressions of lint rules added, less those taken away; >= 0
  std::int64_t not_shown = 0;     ///< signals beyond the limits
  std::optional<Severity> worst;  ///< of all, shown or not; absent: nothing found
};

TamperReport find_tampering(const TamperInput& input);

}  // namespace hydra::integrity
