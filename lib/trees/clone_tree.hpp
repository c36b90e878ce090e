// trees: copying whole trees, in parallel and with the times that builds look at: what a workspace is made of
// where neither overlays nor snapshots work (toolchains reference, sections 1 and 5).
#pragma once

#include "base/result.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace hydra::trees {

struct CloneReport {
  std::uint64_t files = 0, directories = 0, links = 0;  ///< links: symbolic
  std::uint64_t bytes = 0;                              ///< of the files' sizes
  std::uint64_t hard_links = 0;  ///< files that had other names: each name is a file of its own in the copy
  std::uint64_t skipped_count = 0;
  std::vector<std::string> skipped;  ///< sockets, devices and FIFOs, relative; the first 20 of them
  std::uint64_t changed_count = 0;
  std::vector<std::string> changed;  ///< files that were written to meanwhile; the first 20 of them
  bool reflinked = false;            ///< contents are shared with the original until one is written
};

/// Copies a file or tree to `to`, which must not exist: bytes (by reflink where the file system can), holes,
/// permissions without setuid and setgid, mtimes with their nanoseconds, symbolic links as they are, and the
/// attributes user.*. Owner is whoever calls. Nothing is followed or changed in `from`; hard links are not
/// kept. Far deeper than a process may open files it fails. `threads`: 1 to 16, 0 for the machine's cores
/// between 2 and 4. What fails removes what it has made; so does not a power cut: copy beside the place, then
/// rename.
Result<CloneReport> clone_tree(const std::filesystem::path& from, const std::filesystem::path& to,
                               unsigned threads = 0);

/// clone_tree() without its report.
Result<void> copy_tree(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace hydra::trees
