// client: starting the daemon on demand. Two callers at once end with one daemon: hydrad takes a lock, the
// loser goes.
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

/// hydrad beside this program, else the first one in $PATH. `environment` when there is none.
Result<std::filesystem::path> find_daemon();

struct DaemonOptions {
  std::filesystem::path program{};            ///< empty: find_daemon()
  std::chrono::milliseconds deadline{10000};  ///< for everything but a daemon that lives and is not ready yet
  /// Told every few seconds what a daemon that is not ready yet does; may be empty.
  std::function<void(const std::string& sentence)> tell{};
  std::chrono::milliseconds tell_every{5000};
};

/// A connection to the daemon. Where none answers, a service manager that listens at start.sock in the
/// runtime directory is asked first; else the daemon is started in a session of its own. It is called as
/// `hydrad --ready-fd 3` and writes one byte there (or closes it) when its socket accepts. A daemon that
/// leaves with 0 or 75 without that lost the race for the lock to another one. On failure the Error shows the
/// log's last lines.
Result<Client> ensure_daemon(const Paths& paths, const DaemonOptions& options = {});

/// What of this process's environment the daemon gets: no keys, no tokens. Each race brings its own
/// environment.
std::vector<std::string> daemon_environment(char** environment);

}  // namespace hydra::client
