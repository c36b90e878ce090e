// race: what the user is told when a race has ended ([notify]): a command with JSON on its standard input,
// the same JSON by POST, and a line on the desktop. Blocking, for a pool thread; nothing here fails a race.
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

/// What is told. Of agents it holds names, states and numbers, never a word of their output.
struct Notification {
  std::string json;   ///< docs/notifications.md, schema 1; UTF-8, one line
  std::string title;  ///< "Hydra: race r-1 is done"
  std::string text;   ///< "winner: claude, 91.5 points"
};
Notification notification_of(const State& state);

struct NotifyContext {
  exec::Env env;              ///< the command's whole environment; PATH finds it, curl and notify-send
  exec::Env session;          ///< for notify-send in addition: how the session bus is reached; empty: no bus
  std::filesystem::path cwd;  ///< the user's repository
  std::chrono::milliseconds limit{10000};  ///< of each of the three
  std::stop_token stop{};                  ///< asked for: whoever does not listen is let go at once
};

/// Tells. One sentence for each that did not work; the address is named by its host only, since paths of
/// webhooks are secrets. A desktop without a session bus or notify-send is no failure.
std::vector<std::string> notify(const model::NotifyConfig& config, const Notification& what,
                                const NotifyContext& context);

/// How this process reaches the session bus: variables for a child; empty where there is none.
exec::Env session_bus();

}  // namespace hydra::race
