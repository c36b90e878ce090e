// model: how one agent's run ended, and its captured result.
#pragma once

#include "model/check.hpp"
#include "model/machine.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::model {

/// How an agent's run ended (docs/adapters.md, "How an end is judged"). `completed` does not imply a change;
/// the capture tells that.
enum class Outcome {
  unknown,  ///< still running
  completed,
  completed_with_warning,  ///< success reported, but a bad exit code
  failed,                  ///< the agent reported an error, or its output was cut
  crashed,                 ///< ended by a signal that Hydra did not send
  timed_out,
  cancelled,
  over_budget,
  launch_error,   ///< missing, refused to start, not signed in before it began
  misconfigured,  ///< every action was refused to the agent, and nothing changed
  lost,           ///< the supervisor vanished without a result
  stopped,        ///< stopped by the race: another result was good enough, or this one could not win any more
};
template <>
inline constexpr auto kWords<Outcome> = words<Outcome>("unknown", "completed", "completed_with_warning",
                                                       "failed", "crashed", "timed_out", "cancelled",
                                                       "over_budget", "launch_error", "misconfigured", "lost",
                                                       "stopped");

/// Returns whether an outcome is `completed`, with or without a warning.
constexpr bool ended_well(Outcome outcome) {
  return outcome == Outcome::completed || outcome == Outcome::completed_with_warning;
}

/// The kind of error that ended the run; `agent_error`: none of the other kinds, `none`: no error.
enum class ErrorClass { none, auth, rate_limit, provider, agent_error, launch_error };
template <>
inline constexpr auto kWords<ErrorClass> = words_or(ErrorClass::agent_error, "", "auth", "rate_limit",
                                                    "provider", "agent_error", "launch_error");

struct Usage {
  std::optional<std::int64_t> input, output, cache_read, cache_write,
      reasoning;  ///< tokens; input excludes cached ones
  std::optional<double> cost_usd;
  bool estimated = false;  ///< cost_usd comes from the price table, not from the agent
  bool partial = false;    ///< real usage was higher: a part of it is not known
};

/// Joint verdict from one agent's stream and exit.
struct Verdict {
  Outcome outcome = Outcome::unknown;
  ErrorClass error_class = ErrorClass::none;
  std::string message;     ///< one sentence for the user: what happened and what to do; may be empty
  std::string advice;      ///< the part of `message` that says what to do; may be empty
  std::string session;     ///< the CLI's own session id; may be empty
  std::string final_text;  ///< last message of the agent, at most 4 KiB, hostile text
  std::string model;       ///< name from the stream; may be empty
  std::optional<std::int64_t> turns;  ///< model calls; absent: the stream does not tell
  Usage usage;
  bool denied = false;  ///< actions were refused to the agent
};

struct DiffStat {
  std::int64_t lines_added = 0;  ///< lines; binary files count 0 (docs/scoring.md, H7)
  std::int64_t lines_removed = 0;
  std::int64_t files_changed = 0;
  bool operator==(const DiffStat&) const = default;
};

/// Directories whose content is left out of a capture where the agent's new ignore rules hide it
/// (docs/merging.md), beside those of [workspace] outputs and share.
inline constexpr std::array<std::string_view, 16> kGenerated{
    "node_modules", ".venv",       "venv", "target",  "build", "dist",   "__pycache__", ".pytest_cache",
    ".mypy_cache",  ".ruff_cache", ".tox", ".gradle", ".next", "vendor", "coverage",    ".cache"};
/// Size above which a file is left out of a capture, in bytes.
inline constexpr long long kLargestFile = 512ll << 20;

/// Why a file of an agent's directory is in no commit; the words are for people, too.
enum class LeftReason {
  ignored,         ///< by the base
  ignored_by_own,  ///< the agent's rule hides a generated directory
  copied,          ///< named by [workspace] copy, and changed
  worktree,        ///< a worktree that the agent made
  left_behind,     ///< written by the agent's program, not by its work
  too_large,
  above_limit,  ///< among the largest new files
  too_deep,
  no_file,
  refused_by_git,
};
template <>
inline constexpr auto kWords<LeftReason> =
    words<LeftReason>("ignored by the base", "ignored by the agent's own rule in a generated directory",
                      "named by [workspace] copy, and changed", "a worktree that the agent made",
                      "left behind by the agent's own program", "larger than 512 MiB",
                      "above [limits] disk_bytes", "nested too deeply", "not a file", "refused by git");

struct LeftOut {
  std::string path;
  std::uint64_t bytes = 0;
  LeftReason reason{};
};

enum class FlagKind {
  other,
  submodule_changed,
  gitmodules_changed,
  gitattributes_changed,
  worktree_removed,
  link_outside,     ///< a new link leads out of the repository
  hides_files,      ///< new ignore rules in this file hide files of the result
  commits_beside,   ///< an agent's branch, whose commits the result lacks
  holds_secret,     ///< the value of a key
  unnamed,          ///< nothing of the build or the tests names this new file
  commits_refused,  ///< git's complaint about the agent's commits
};
template <>
inline constexpr auto kWords<FlagKind> = words<FlagKind>("other", "submodule_changed", "gitmodules_changed",
                                                         "gitattributes_changed", "worktree_removed",
                                                         "symlink_outside", "ignore_rules_hide_files",
                                                         "commits_beside", "holds_secret", "unnamed",
                                                         "commits_refused");

/// A fact about a capture that a person should know before a merge.
struct CaptureFlag {
  FlagKind kind = FlagKind::other;
  std::string path{};  ///< or branch, or complaint; empty: the result as a whole
  bool operator==(const CaptureFlag&) const = default;
};
/// Returns "submodule_changed:PATH", or the kind alone.
std::string text(const CaptureFlag& flag);
CaptureFlag flag_of(std::string_view text);

/// An agent's directory, captured as a commit in Hydra's store (docs/merging.md, "What is left out of a
/// result").
struct Capture {
  std::string commit, tree;
  DiffStat diff;
  bool changed = false;  ///< the tree differs from the base's
  bool trivial = false;  ///< only white space, modes, comments or documentation differ (docs/scoring.md, H25)
  std::vector<CaptureFlag> flags;
  std::vector<std::string> warnings;     ///< complaints of git or of the directory walk, one a line
  std::vector<LeftOut> left_out;         ///< at most 200 rows, directories as one row
  std::int64_t agent_commits = 0;        ///< commits that the agent made itself (a note, never trusted)
  std::optional<DiffStat> weighed{};     ///< the part of `diff` that counts as its size; absent: all of it
  std::optional<DiffStat> tests{};       ///< the part of `weighed` that is tests and their helpers
                                         ///< (docs/scoring.md, H26); absent: none
  std::vector<std::string> set_apart{};  ///< files that do not count: lock, generated, vendored; at most 50
};

/// How a job ended.
enum class JobEnd {
  exited,     ///< by the process itself
  signaled,   ///< by a signal that Hydra did not send
  timed_out,  ///< wall limit
  idle,       ///< idle limit
  cancelled,
  oom,           ///< memory limit
  disk,          ///< disk limit
  no_room,       ///< too little free space on the disk that the job wrote to
  start_failed,  ///< the command was never executed
  lost,  ///< no trustworthy result: the supervisor vanished, or the result file is torn or has a wrong token
};
template <>
inline constexpr auto kWords<JobEnd> = words_or(JobEnd::lost, "exited", "signaled", "timed_out", "idle",
                                                "cancelled", "oom", "disk", "no_room", "start_failed",
                                                "lost");

/// Resources that the machine really spent on one job, shown with every result.
struct JobFacts {
  std::string attempt;
  std::int64_t wall_ms = 0, cpu_user_ms = 0, cpu_system_ms = 0;
  std::uint64_t max_rss_kib = 0;
  int leaked = 0;  ///< processes left when the leader ended; all were killed
  std::uint64_t output_bytes = 0;
  bool output_cut = false;  ///< a log was longer than head and tail
  Isolation isolation{};
  JobEnd end = JobEnd::lost;
  std::optional<int> exit_code, signal;
  std::int64_t leaving_ms = 0;  ///< part of wall_ms after the agent had reported its end
};

}  // namespace hydra::model
