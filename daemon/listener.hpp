// hydrad: the sockets on which the daemon listens.
#pragma once

#include "base/fd.hpp"
#include "base/result.hpp"

#include <filesystem>
#include <sys/types.h>
#include <utility>

namespace hydra {

/// Creates the socket with mode 0600. An existing socket belongs to a dead daemon, since this one holds the
/// lock.
Result<UniqueFd> listen_on(const std::filesystem::path& path);

/// Returns device and inode of a path without following links; {0, 0}: no such file.
std::pair<dev_t, ino_t> identity(const std::filesystem::path& path);

/// Returns the service manager's listening unix socket (LISTEN_FDS, sd_listen_fds(3)); empty: none. Call
/// once, before other descriptors are opened; removes the variables, so that no child uses them.
UniqueFd inherited_listener();

/// Tells the service manager (NOTIFY_SOCKET, sd_notify(3), `Type=notify`) that a daemon answers: this one or
/// the holder of the lock. Call once; removes the variable from the environment.
void tell_manager_ready();

}  // namespace hydra
