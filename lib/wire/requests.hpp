// wire: what the daemon is asked. Members that are not said keep the defaults here; those that must be said,
// and those that are taken on the unix socket alone, are marked in json_requests.cpp.
#pragma once

#include "model/config.hpp"
#include "model/race_spec.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hydra::wire {

/// The asking process's, by name.
using Environment = std::map<std::string, std::string>;

/// A call that needs no words.
struct Nothing {};

/// POST /v1/races
struct RaceRequest {
  /// The race's id, chosen by the client (10 of [0-9a-z]), so that a request whose answer was lost can be
  /// made again: the race that it has made is answered then. Empty: a new one.
  std::string id;
  std::string directory;  ///< where the user stands
  std::string task;
  std::vector<model::AgentEntry> agents;
  model::Config config;                       ///< complete: descriptors of all asked agents included
  std::string base;                           ///< empty: HEAD
  std::string kind;                           ///< of task; empty: its words decide
  std::string until;                          ///< "green" (see RaceSpec), or empty
  std::map<std::string, std::string> labels;  ///< see RaceSpec
  bool include_dirty = false, fresh_baseline = false;
  bool check_only = false;  ///< no agents: the baseline's checks alone
  bool auto_merge = false;  ///< [merge] automatic
  int rounds = 1;           ///< 1 to 10; see RaceSpec
  Environment environment;  ///< what is no plain variable stays in memory
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
  std::string race, agent;  ///< the same in two words; `race` empty: as `target` says
  std::string directory;    ///< where the user stands; empty: the repository of `race`
  std::string message;
  std::string expected_ref;  ///< branch that the user was asked about; empty: the one of the checkout
  std::string preview;       ///< of a dry run's answer: the merge is of just what that has shown
  bool dry_run = false, squash = false, ff = false, ff_only = false;
  bool undo = false;  ///< takes the newest merge back; `target` may name a race or a result
  /// False: where another merge of that repository is under way the answer is {"waits_for": "the merge of
  /// …"}, and nothing is done.
  bool wait = true;
  bool accept_changes = false, repair_changes = false;
  bool repair_only = false;  ///< puts the repository's own files back and merges nothing; `target` as for a
                             ///< merge, or a race; empty: the last race
  std::vector<std::string> allow;  ///< kinds of git::Consent
  std::vector<std::string> parts;  ///< only these paths of the result; empty: all
  Environment environment;         ///< what signing needs of the client's
};

/// POST /v1/combine: `hydra merge a:src/x.c b:tests/`.
struct CombineRequest {
  std::vector<std::string> parts;  ///< RESULT:PATH
  std::string directory;
};

/// POST /v1/races/RACE/retry: an agent of a race that has ended runs once more.
struct RetryRequest {
  std::string agent;    ///< name in the race
  std::string message;  ///< what it is told; empty: to go on
  std::optional<double> budget_usd;
  std::optional<std::uint64_t> budget_tokens;
  Environment environment;  ///< keys and tokens
};

/// POST /v1/races/RACE/cancel
struct CancelRequest {
  /// Empty: the whole race. Said in full: what lacks a name by mistake must not end everything.
  std::optional<std::string> agent;
};

/// POST /v1/races/RACE/rescore
struct RescoreRequest {
  std::map<std::string, double> weights;  ///< by dimension; what is missing stays
};

/// POST /v1/races/RACE/approve: what a person decides about a race that has ended.
struct ApproveRequest {
  std::vector<std::string> tests, deleted;  ///< of the base, by name
  std::vector<std::string> accept;          ///< RULE:PATH
  std::vector<std::string> unprotected;     ///< paths or patterns
  std::string author;                       ///< one line; empty: whom git named when the race began
};

/// POST /v1/races/RACE/rate: what a person thinks of a result.
struct RateRequest {
  std::string agent;        ///< name in the race
  std::int64_t rating = 0;  ///< 1 to 5
  std::string note;         ///< one line; may be empty
  std::string author;       ///< one line; empty: who git says the user is
};

/// POST /v1/races/RACE/restore
struct RestoreRequest {
  bool wait = true;   ///< see MergeRequest
  std::string agent;  ///< whose worktree is wanted, as a directory of its own; empty: those that are gone
};

/// POST /v1/clean
struct CleanRequest {
  std::string race;        ///< empty: all
  std::string repository;  ///< whose last race is meant by "last"
  bool apply = false;
  bool wait = true;                                      ///< see MergeRequest; of one race only
  std::int64_t older_than_ms = 0;                        ///< since the race's end, for workspaces
  std::int64_t keep_ms = std::int64_t{30} * 86'400'000;  ///< for captures and evidence; 0: they go for good
  std::uint64_t min_bytes = 0;                           ///< smaller things stay
  bool uncaptured = false;  ///< of one race: workspaces too whose content is in no capture
  /// With `apply`: paths, and names of templates, of a plan that was shown; nothing else goes.
  std::optional<std::vector<std::string>> only;
};

/// POST /v1/shutdown
struct ShutdownRequest {
  bool drain = false;  ///< nobody asks any more: it always does
};

/// POST /v1/ui
struct UiRequest {
  int port = 0;  ///< 0: any free one
  std::vector<int> allow_ports;
  std::string race;
  Environment environment;
};
/// POST /ui/session, of a browser
struct SessionRequest {
  std::string code;
};

/// POST /v1/history/forget
struct ForgetRequest {
  std::optional<std::string> race;  ///< empty: everything
};

}  // namespace hydra::wire
