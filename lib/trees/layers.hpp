// trees: writing a candidate's changes into a workspace from outside, while nothing runs in it: into the
// upper layer of an overlay that is not mounted, or into a copied tree. Symbolic links in the tree are never
// followed, whoever made them (toolchains reference, section 1, rules 3 and 4).
#pragma once

#include "base/result.hpp"
#include "exec/job.hpp"

#include <ctime>
#include <memory>
#include <string_view>

namespace hydra::trees {

namespace fs = std::filesystem;

/// Paths are relative to the tree, without empty, "." and ".." components; others are Errc::usage. Where a
/// path leads through a file or link, that is replaced by a directory for put(), and is "nothing there" for
/// the others: what git does. A failed call may have done a part of its work.
class TreeWriter {
 public:
  TreeWriter() = default;
  TreeWriter(const TreeWriter&) = delete;
  TreeWriter& operator=(const TreeWriter&) = delete;
  virtual ~TreeWriter() = default;

  /// Makes or replaces `path`; its mtime is now. `mode` as git stores it: a regular file of `bytes` with the
  /// permissions that are given (0100644, 0100755), a link to `bytes` (0120000), or an empty directory
  /// (0040000, 0160000), which leaves one that exists as it is. Missing parents are made with 0755.
  virtual Result<void> put(const fs::path& path, mode_t mode, std::string_view bytes) = 0;
  /// Removes a file, link or whole directory. Nothing there is success.
  virtual Result<void> remove(const fs::path& path) = 0;
  /// Of what was put; Errc::not_found where nothing was. A link's own time is set.
  virtual Result<void> set_mtime(const fs::path& path, const timespec& time) = 0;
  /// Once, at the end: directories from which remove() took the last entry go away, as with git, and then
  /// their parents.
  virtual Result<void> finish() = 0;
};

/// Writes into `overlay.upper`, with whiteouts and opaque marks as the kernel makes them; `as` must be how it
/// is mounted. Locks `upper` for its lifetime: Errc::conflict while a job has it mounted. Errc::unsupported
/// for paths below a directory that a job as root has renamed.
Result<std::unique_ptr<TreeWriter>> layer_writer(const exec::OverlayMount& overlay, exec::OverlayAs as);

/// Writes into a tree of its own (a copy, a snapshot).
Result<std::unique_ptr<TreeWriter>> directory_writer(const fs::path& root);

}  // namespace hydra::trees
