// client: starts the daemon on demand. Two concurrent callers end with one daemon: hydrad takes a lock, and
// the loser exits.
#pragma once

#include "base/paths.hpp"
#include "base/result.hpp"
#include "client/client.hpp"

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace hydra::client {

/// Finds hydrad beside this program, or else the first one in $PATH. `environment`: none found.
Result<std::filesystem::path> find_daemon();

struct DaemonOptions {
  std::filesystem::path program{};            ///< empty: find_daemon()
  std::chrono::milliseconds deadline{10000};  ///< excludes waiting for a live daemon that is not ready yet
  /// Called every few seconds with the activity of a daemon that is not ready yet; may be empty.
  std::function<void(const std::string& sentence)> tell{};
  std::chrono::milliseconds tell_every{5000};
};

/// Connects to the daemon. If none answers, first asks a service manager that listens at start.sock in the
/// runtime directory; otherwise starts the daemon in a new session, as `hydrad --ready-fd 3`. The daemon
/// writes one byte to descriptor 3 (or closes it) when its socket accepts. A daemon that exits with 0 or 75
/// before that lost the race for the lock. On failure the Error shows the log's last lines.
Result<Client> ensure_daemon(const Paths& paths, const DaemonOptions& options = {});

/// The deadline of the first answer of a daemon.
inline constexpr std::chrono::seconds kFirstContact{3};
/// The error of a daemon that holds the lock and does not answer.
Error silent_daemon(const Paths& paths);
/// Returns whether the holder of the lock is stopped, by SIGSTOP or a debugger.
bool is_stopped(const Paths& paths);

enum class Stop { asked, killed, not_running };
/// Asks the daemon to stop, and waits for its end; who does not answer gets SIGTERM, and then SIGKILL.
Result<Stop> stop_daemon(const Paths& paths);

/// Variables of this process's environment for the daemon: no keys, no tokens. Each race brings its own
/// environment.
std::vector<std::string> daemon_environment(char** environment);

}  // namespace hydra::client
