// hydrad: the sockets that it is reached at.
#pragma once

#include "base/fd.hpp"
#include "base/result.hpp"

#include <filesystem>
#include <sys/types.h>
#include <utility>

namespace hydra {

/// Mode 0600. A socket that is there is of a dead daemon: this one holds the lock.
Result<UniqueFd> listen_on(const std::filesystem::path& path);

/// What a path names, links not followed. {0, 0}: nothing.
std::pair<dev_t, ino_t> identity(const std::filesystem::path& path);

/// The listening unix socket that a service manager has opened for this process (LISTEN_FDS,
/// sd_listen_fds(3)); empty: none, or it is no such socket. The variables are taken out of the environment,
/// so that no child takes them for its own. Call once, before other descriptors are opened.
UniqueFd inherited_listener();

/// Where a service manager waits for it (NOTIFY_SOCKET, sd_notify(3), `Type=notify`): a daemon answers now,
/// this one or the one that has the lock. Once; the variable is taken out of the environment.
void tell_manager_ready();

}  // namespace hydra
