// race: notifications about the end of a race ([notify]): a command with JSON on its standard input, the same
// JSON by POST, and a desktop message. Blocking, for a pool thread; no failure here fails a race.
#pragma once

#include "base/result.hpp"
#include "exec/job.hpp"
#include "model/config.hpp"

#include <chrono>
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

namespace hydra::race {

struct State;

/// The content of a notification: names, states and numbers of agents, never their output.
struct Notification {
  std::string json;   ///< docs/configuration.md, schema 1; UTF-8, one line
  std::string title;  ///< "Hydra: race r-1 is done"
  std::string text;   ///< "winner: claude, 91.5 points"
};
Notification notification_of(const State& state);

struct NotifyContext {
  exec::Env env;  ///< complete environment of the command; its PATH finds the command, curl and notify-send
  exec::Env session;  ///< additional variables for notify-send to reach the session bus; empty: no bus
  std::filesystem::path cwd;               ///< the user's repository
  std::chrono::milliseconds limit{10000};  ///< limit of each of the three
  std::stop_token stop{};                  ///< a stop request kills slow receivers immediately
};

/// Sends the notification. Returns one sentence per failure; a URL is shown by its host only, since paths of
/// webhooks are secret. A missing session bus or notify-send is no failure.
std::vector<std::string> notify(const model::NotifyConfig& config, const Notification& what,
                                const NotifyContext& context);

/// Returns the variables by which a child reaches the session bus; empty: none.
exec::Env session_bus();

}  // namespace hydra::race
