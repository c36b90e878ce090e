// trees: copying whole trees, in parallel and with the times that builds look at: what a workspace is made of
// where neither overlays nor snapshots work (toolchains reference, sections 1 and 5).
#pragma once

#include "base/result.hpp"

#include <filesystem>

namespace hydra::trees {

/// Copies a file or tree to `to`, which must not exist: bytes (by reflink where the file system can), holes,
/// permissions without setuid and setgid, mtimes with their nanoseconds, symbolic links as they are, and the
/// attributes user.*; no sockets, devices and FIFOs. Owner is whoever calls. Nothing is followed or changed
/// in `from`; hard links are not kept. Far deeper than a process may open files it fails. `threads`: 1 to 16,
/// 0 for the machine's cores between 2 and 4. What fails removes what it has made; so does not a power cut:
/// copy beside the place, then rename.
Result<void> clone_tree(const std::filesystem::path& from, const std::filesystem::path& to,
                        unsigned threads = 0);

/// Copies it in the place of what is at `to`.
Result<void> copy_over(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace hydra::trees
