// wire: the daemon's requests. Missing members keep the defaults here; json_requests.cpp marks required
// members and members accepted on the unix socket only.
#pragma once

#include "model/config.hpp"
#include "model/race_spec.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hydra::wire {

/// The asking process's variables, by name.
using Environment = std::map<std::string, std::string>;

/// A request without members.
struct Nothing {};

/// POST /v1/races
struct RaceRequest {
  /// The race's id, chosen by the client (10 of [0-9a-z]), so that a request whose answer was lost can be
  /// repeated: the repetition is answered with the existing race. Empty: a new race.
  std::string id;
  std::string directory;  ///< user's working directory
  std::string task;
  std::vector<model::AgentEntry> agents;
  model::Config config;                       ///< complete: descriptors of all asked agents included
  std::string base;                           ///< empty: HEAD
  std::string kind;                           ///< kind of the task; empty: derived from the words of the task
  std::string until;                          ///< "green" (see RaceSpec), or empty
  std::map<std::string, std::string> labels;  ///< see RaceSpec
  bool include_dirty = false, fresh_baseline = false;
  bool base_fails = false;  ///< race although the base's checks can judge no result
  bool check_only = false;  ///< no agents: only the baseline's checks
  bool auto_merge = false;  ///< [merge] automatic
  int rounds = 1;           ///< 1 to 10; see RaceSpec
  Environment environment;  ///< variables that are not plain are kept in memory only
};

/// POST /v1/agents
struct AgentsRequest {
  std::optional<model::Config> config;
  std::optional<bool> probe;      ///< ask each program for its version; default: yes
  std::vector<std::string> only;  ///< empty: all
  Environment environment;
};

/// POST /v1/doctor
struct DoctorRequest {
  std::string directory;
  Environment environment;
};

/// POST /v1/merge
struct MergeRequest {
  /// Branch, with or without hydra/, RACE/AGENT, unique prefix; empty: the last race's winner.
  std::string target;
  std::string race, agent;  ///< target in two words; empty `race`: `target` decides
  std::string directory;    ///< user's working directory; empty: the repository of `race`
  std::string message;
  std::string expected_ref;  ///< branch named in the question to the user; empty: the branch of the checkout
  std::string preview;       ///< id from a dry run's answer: the merge must be exactly the shown one
  bool dry_run = false, squash = false, ff = false, ff_only = false;
  bool undo = false;  ///< undo the newest merge; `target` may name a race or a result
  /// False: if another merge of that repository is running, the answer is {"waits_for": "the merge of …"},
  /// and nothing is done.
  bool wait = true;
  bool accept_changes = false, repair_changes = false;
  bool repair_only = false;  ///< restore the repository's own files and merge nothing; `target` as for a
                             ///< merge, or a race; empty: the last race
  std::vector<std::string> allow;    ///< kinds of git::Consent
  std::vector<std::string> parts;    ///< paths of the result; empty: all
  std::vector<std::string> without;  ///< new files of the result, or directories of new files
  bool with_generated = false;       ///< new files of kinds that the base has none of, too
  Environment environment;           ///< variables of the client that signing needs
};

/// POST /v1/combine: `hydra merge a:src/x.c b:tests/`.
struct CombineRequest {
  std::vector<std::string> parts;  ///< RESULT:PATH
  std::string directory;
};

/// A comment on lines of a result.
struct ReviewComment {
  std::string path, text;
  std::int64_t line = 0, end = 0;  ///< first and last line, from 1; `end` 0: one line
  std::string at;                  ///< place of the comment, for messages: "review.txt:3"
};

/// POST /v1/races/RACE/retry: runs agents of an ended race again.
struct RetryRequest {
  std::vector<std::string> agents;      ///< names in the race
  std::string message{};                ///< message to the agents; empty: continue
  std::vector<ReviewComment> review{};  ///< comments on the result of `reviewed`; part of the message
  std::string reviewed{};               ///< name in the race; empty: the first of `agents`
  std::optional<double> budget_usd{};
  std::optional<std::uint64_t> budget_tokens{};
  Environment environment{};  ///< keys and tokens
};

/// POST /v1/races/RACE/cancel
struct CancelRequest {
  /// Empty: the whole race. The member must be present, so that forgetting a name does not cancel the whole
  /// race.
  std::optional<std::string> agent;
};

/// POST /v1/races/RACE/rescore
struct RescoreRequest {
  std::map<std::string, double> weights;  ///< by dimension; missing ones stay unchanged
};

/// POST /v1/races/RACE/approve: a person's decisions about an ended race.
struct ApproveRequest {
  std::vector<std::string> tests, deleted;  ///< tests of the base, by name
  std::vector<std::string> accept;          ///< RULE:PATH
  std::vector<std::string> unprotected;     ///< paths or patterns
  std::string author;                       ///< one line; empty: the git user when the race began
};

/// POST /v1/races/RACE/rate: a person's rating of a result.
struct RateRequest {
  std::string agent;        ///< name in the race
  std::int64_t rating = 0;  ///< 1 to 5
  std::string note;         ///< one line; may be empty
  std::string author;       ///< one line; empty: the git user
};

/// POST /v1/races/RACE/try: runs results for a person, until the connection closes.
struct TryRequest {
  std::vector<std::string> agents;  ///< names in the race, each once
  std::string run;                  ///< command; empty: [workspace] run of the race
  Environment environment;          ///< keys and tokens
};

/// POST /v1/races/RACE/restore
struct RestoreRequest {
  bool wait = true;   ///< see MergeRequest
  std::string agent;  ///< agent whose worktree is wanted as a separate directory; empty: all missing
                      ///< worktrees
};

/// POST /v1/clean
struct CleanRequest {
  std::string race;        ///< empty: all
  std::string repository;  ///< repository to which "last" refers
  bool apply = false;
  bool wait = true;                                      ///< see MergeRequest; only for one race
  std::int64_t older_than_ms = 0;                        ///< since the race's end, for workspaces
  std::int64_t keep_ms = std::int64_t{30} * 86'400'000;  ///< for captures and evidence; 0: they are deleted
                                                         ///< immediately
  std::uint64_t min_bytes = 0;                           ///< smaller items stay
  bool uncaptured = false;  ///< only for one race: include workspaces whose content is in no capture
  /// With `apply`: paths, and names of templates, of a plan that was shown; nothing else is removed.
  std::optional<std::vector<std::string>> only;
};

/// POST /v1/shutdown
struct ShutdownRequest {
  bool drain = false;  ///< ignored: the daemon always drains, and no client sends this member any more
};

/// POST /v1/ui
struct UiRequest {
  int port = 0;  ///< 0: any free port
  std::vector<int> allow_ports;
  std::string race;
  Environment environment;
};
/// POST /ui/session, from a browser
struct SessionRequest {
  std::string code;
};

/// POST /v1/history/import
struct ImportRequest {
  std::string lines;       ///< of `hydra export --format jsonl`
  std::int64_t first = 1;  ///< number of the first one, for messages
};

/// POST /v1/history/forget
struct ForgetRequest {
  std::optional<std::string> race;  ///< empty: everything
};

}  // namespace hydra::wire
