// trees: copies whole trees, in parallel and with the times that builds compare: the basis of workspaces
// where neither overlays nor snapshots work (docs/workspaces.md).
#pragma once

#include "base/result.hpp"

#include <filesystem>

namespace hydra::trees {

/// Copies a file or tree to `to`, which must not exist: bytes (by reflink where the file system can), holes,
/// permissions without setuid and setgid, mtimes with nanoseconds, symbolic links as links, and attributes
/// user.*; no sockets, devices and FIFOs. The caller becomes the owner. Follows no link and does not change
/// `from`; hard links are not kept. Fails on trees much deeper than the limit of open files. `threads`: 1 to
/// 16; 0: the number of cores, between 2 and 4. A failed call removes its copies; after a power cut they
/// stay: copy beside the place, then rename.
Result<void> clone_tree(const std::filesystem::path& from, const std::filesystem::path& to,
                        unsigned threads = 0);

/// Replaces the content at `to` by a copy of `from`.
Result<void> copy_over(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace hydra::trees
