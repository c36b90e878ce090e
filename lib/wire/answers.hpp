// wire: the daemon's answers to verbs that change something (docs/api.md). See results.hpp for the names of
// members.
#pragma once

#include "model/agent_run.hpp"
#include "model/judging.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace hydra::wire {

/// Answer to a call that must not wait (`wait` of its request): nothing was done.
struct Waits {
  std::string waits_for;  ///< "the merge of RACE/AGENT"
};

/// POST /v1/races, POST /v1/races/RACE/verify
struct CreatedAgent {
  std::string agent, display;
};
struct Created {
  std::string race, base;
  std::vector<CreatedAgent> agents;
  std::vector<std::string> warnings;
};

/// POST /v1/races/RACE/cancel
struct Cancelled {
  std::string race, agent;
};

/// POST /v1/races/RACE/retry
struct RetriedAgent {
  std::string agent, session;
  std::int64_t attempt = 1;
  bool resumed = false;
};
struct Retried {
  std::string race;
  std::vector<RetriedAgent> agents;
  std::int64_t after = 0;  ///< id of the event before the retry
  std::vector<std::string> warnings;
};

/// POST /v1/races/RACE/rate
struct Rated {
  std::string race, agent, author;
  std::int64_t rating = 0;
  std::optional<double> score;  ///< combined score of judges and people
  model::JudgesState state{};
  std::string text;  ///< `state` as one clause for people
  bool ranked_again = false;
  std::string winner;
};

/// A frame of POST /v1/races/RACE/try: the agent's result runs, or has ended by itself.
struct TryFrame {
  std::string agent;
  std::int64_t port = 0;  ///< of 127.0.0.1, where the program is expected to listen
  bool ended = false;
  std::string attempt;  ///< key of the log; empty: nothing ran
  std::string reason;   ///< how the result ended, for people
};

/// POST /v1/combine
struct Combined {
  std::string race, agent, commit;
  std::int64_t after = 0;
  bool existing = false;  ///< an earlier call had asked for it
};

/// POST /v1/merge, and with `undo`.
struct ConflictText {
  std::string path, text;
};
struct ConsentNeeded {
  std::string kind;
  std::vector<std::string> paths;
  bool operator==(const ConsentNeeded&) const = default;
};
struct LeftOutFiles {
  std::string what;  ///< kind ("node_modules/", "*.log"), or a path of `without`
  std::int64_t files = 0;
  bool generated = false;  ///< left out for its kind
  bool operator==(const LeftOutFiles&) const = default;
};
struct Merge {
  std::string race, agent, branch, ref, old_commit, new_commit;
  bool dry_run = false, already_merged = false, signed_ = false;
  std::vector<std::string> conflicts, overlap, changed;
  std::vector<ConsentNeeded> consent;
  std::string state, note;
  model::DiffStat diff;
  std::int64_t line_ends_only = 0;     ///< files of `diff` whose only change is line ends
  std::vector<LeftOutFiles> left_out;  ///< new files that are not merged, largest group first
  std::vector<std::string> unnamed;    ///< new files that are merged and that nothing names
  // The following members are left out when empty.
  std::optional<std::vector<ConflictText>> conflict_text;  ///< only of a dry run
  std::optional<bool> undone;                              ///< only of an undo
  std::string preview;                     ///< only of a dry run: id of the preview for the following merge
  std::optional<std::int64_t> expires_ms;  ///< of `preview`; Unix time
};
/// POST /v1/merge with `repair_only`
struct Repaired {
  std::string race;
  std::vector<std::string> repaired, changed, meanwhile;
  std::string replaced;  ///< directory that keeps the replaced files
};
using MergeAnswer = std::variant<Merge, Repaired, Waits>;

/// POST /v1/races/RACE/restore
struct Restored {
  std::string race;
  std::vector<std::string> restored;  ///< agents whose worktrees were made again
  bool brought_back = false;          ///< the race itself had been removed
  std::string worktree;               ///< absolute path of the requested agent's worktree; else empty
};
using RestoreAnswer = std::variant<Restored, Waits>;

/// GET /v1/templates
struct TemplateRow {
  std::string template_;
  std::uint64_t bytes = 0;
  std::int64_t used_ms = 0;
  bool warm = false, in_use = false;
};
struct Templates {
  std::vector<TemplateRow> templates;
};

/// POST /v1/clean: one item on disk.
enum class CleanKind {
  unknown,    ///< a directory that no record names
  workspace,  ///< an agent's directory
  race,       ///< captures, logs and evidence
  removed,    ///< a race that a clean took away and that can come back
  trash,
  suite,  ///< repositories of a suite's run
};
struct CleanItem {
  CleanKind kind{};
  std::string race, agent, path;
  std::uint64_t bytes = 0;  ///< disk usage
  std::int64_t age_ms = 0;  ///< since the race's end
  std::string kept;         ///< why the item stays; empty: it may be removed
  /// Only of a workspace: files that were never captured, the first of them; else left out.
  std::optional<std::vector<model::LeftOut>> left_out{};
  std::string lost{};  ///< why its content may exist nowhere else although it is removed; else left out
};
struct CleanPlan {
  bool applied = false;
  std::vector<CleanItem> items;
  std::vector<TemplateRow> templates;
};
using CleanAnswer = std::variant<CleanPlan, Waits>;

/// POST /v1/history/rebuild: the number of races afterwards.
struct Rebuilt {
  std::uint64_t races = 0;
};
/// POST /v1/history/import: numbers of races.
struct Imported {
  std::uint64_t imported = 0;
  std::uint64_t kept = 0;  ///< races of this machine, which stay as they are
};
/// POST /v1/history/forget
struct Forgotten {
  std::uint64_t forgotten = 0;
};

}  // namespace hydra::wire

namespace hydra::model {
template <>
inline constexpr auto kWords<wire::CleanKind> = words<wire::CleanKind>("unknown", "workspace", "race",
                                                                       "removed", "trash", "suite");
}  // namespace hydra::model
