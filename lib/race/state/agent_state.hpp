// race: one agent in the fold of its race, and its attempts.
#pragma once

#include "model/event.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::race {

/// An attempt that another one followed.
struct EarlierAttempt {
  int number = 1;
  model::AgentEnded ended;
  std::optional<model::StopRequested> stop;
  std::string branch;         ///< under which its result is kept; may be empty
  bool same_work = false;     ///< the newest attempt goes on in the workspace as this one left it
  bool counts = false;        ///< against the budget of the newest attempt
  bool same_session = false;  ///< the newest attempt goes on with the session of this one
};

/// Path of the workspace of a result that no agent made in one: it was combined of parts.
inline constexpr std::string_view kNoWorkspace = "-";

struct AgentState {
  model::AgentEntry entry;
  std::string display;
  std::string workspace;  ///< path; empty until it is ready
  std::string workspace_error;
  int attempts = 0;     ///< number of the newest attempt that was started
  int due = 1;          ///< number of the attempt that runs or is to run
  std::string attempt;  ///< key of the newest attempt
  std::int64_t started_ms = 0, ended_ms = 0;
  Uptime started_up{};  ///< the moment of started_ms
  std::optional<model::AgentEnded> ended;
  std::optional<model::Capture> capture;
  std::string capture_error;
  std::optional<model::Integrity> integrity;  ///< known from when its check workspace is made
  std::vector<std::string>
      repository_changed;  ///< of the user's, by the end of its run: see RepositoryCompared
  bool cancelled = false;
  bool give_up = false;  ///< no automatic retry
  int retries = 0;       ///< automatic ones since the race or the last `hydra retry` began
  std::optional<model::StopRequested> stop;    ///< of the newest attempt
  std::optional<model::RetryRequested> retry;  ///< what the newest attempt is, where it is not the first
  std::vector<EarlierAttempt> earlier;         ///< oldest first
  std::string branch;                          ///< full name, once published
  std::string branch_refused;                  ///< why it has none, where it was to have one

  /// The attempt that is due was started.
  [[nodiscard]] bool begun() const { return attempts >= due; }
  /// It never will be.
  [[nodiscard]] bool never_runs() const { return (cancelled || stop) && !begun(); }
};

}  // namespace hydra::race
