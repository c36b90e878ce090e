// trees: writes a candidate's changes into a workspace from outside, while nothing runs in it: into the upper
// layer of an unmounted overlay, or into a copied tree. Symbolic links in the tree are never followed
// (docs/workspaces.md).
#pragma once

#include "base/result.hpp"
#include "exec/job.hpp"

#include <ctime>
#include <memory>
#include <string_view>

namespace hydra::trees {

namespace fs = std::filesystem;

/// Paths are relative to the tree, without empty, "." and ".." components; others are Errc::usage. As in git,
/// put() replaces a file or link on the way to a path by a directory, and for the other functions such a path
/// does not exist. A failed call may have done a part of its work.
class TreeWriter {
 public:
  TreeWriter() = default;
  TreeWriter(const TreeWriter&) = delete;
  TreeWriter& operator=(const TreeWriter&) = delete;
  virtual ~TreeWriter() = default;

  /// Makes or replaces `path`; its mtime is now. `mode` as git stores it: a regular file of `bytes` with the
  /// given permissions (0100644, 0100755), a link to `bytes` (0120000), or an empty directory (0040000,
  /// 0160000); an existing directory stays as it is. Missing parents are made with 0755.
  virtual Result<void> put(const fs::path& path, mode_t mode, std::string_view bytes) = 0;
  /// Removes a file, link or whole directory. A missing path is success.
  virtual Result<void> remove(const fs::path& path) = 0;
  /// Sets the mtime of a path written by put(); Errc::not_found for other paths. A link's own time is set.
  virtual Result<void> set_mtime(const fs::path& path, const timespec& time) = 0;
  /// Called once, at the end: removes directories that remove() emptied, and then their empty parents, as git
  /// does.
  virtual Result<void> finish() = 0;
};

/// Writes into `overlay.upper`, with whiteouts and opaque marks as the kernel makes them; `as` must equal the
/// mode of its mounts. Locks `upper` for its lifetime: Errc::conflict while a job has it mounted.
/// Errc::unsupported for paths below a directory that a job has renamed as root.
Result<std::unique_ptr<TreeWriter>> layer_writer(const exec::OverlayMount& overlay, exec::OverlayAs as);

/// Writes into a complete tree (a copy, a snapshot).
Result<std::unique_ptr<TreeWriter>> directory_writer(const fs::path& root);

}  // namespace hydra::trees
