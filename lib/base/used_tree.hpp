// base: a copy of a tree that somebody has written in, put back to what its copy was. What was not touched is
// known by inode and ctime, which no program without privileges can set, so it costs one look a file.
#pragma once

#include "base/clone_tree.hpp"
#include "base/result.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hydra {

/// A copy as it was when it was done.
struct TreeManifest {
  CopiedEntry root;
  std::vector<CopiedEntry> entries;  ///< everything below, sorted by directory and then by name
};

/// Whether on this file system every change of a file, also by a shared mapping, changes its ctime. Only ext4
/// is taken for such a one: tmpfs lets a page be read first and then be written through the mapping unseen,
/// and xfs swaps the contents of two files unseen. On ext4 one call does that too, which hydra-shim refuses
/// to every program in a sandbox (shim/calls).
bool tells_changes(const std::filesystem::path& directory);

/// Nothing where the report lists no entries.
std::optional<TreeManifest> manifest_of(CloneReport report);
/// Waits until the file system's clock has passed the newest ctime of the manifest, so that whatever is
/// written from now on can be told; to be called before anybody writes. Uses a file of this name beside the
/// tree; at most some 0.2 s, then an error: the clock stands still or was set back.
Result<void> outlast(const TreeManifest& manifest, const std::filesystem::path& marker);

/// As a file. Nothing for bytes that are none, or of another `key`.
std::string to_bytes(const TreeManifest& manifest, std::string_view key);
std::optional<TreeManifest> manifest_from_bytes(std::string_view bytes, std::string_view key);

struct ResetReport {
  std::uint64_t kept = 0;     ///< files and links that were not touched
  std::uint64_t copied = 0;   ///< files, links and directories made again
  std::uint64_t removed = 0;  ///< entries taken out; one for a whole directory
  std::uint64_t bytes = 0;    ///< that the tree takes on disk, about
  TreeManifest manifest;      ///< of now
};

/// Makes `tree`, which clone_tree(from, tree) made and `made` describes, equal to a fresh copy: everything
/// whose inode or ctime is another one is removed and copied again, what is new is removed, what is missing
/// is copied; modes and mtimes of directories are put back. Follows no links. No process may have a file of
/// it open any more. What is removed is moved into `trash`, a directory of the same file system, where it
/// can. Error: what can't be put back (a tree more than 64 directories deep, attributes or flags that are
/// another's, entries that can't be removed). The tree is of no use then.
Result<ResetReport> reset_tree(const std::filesystem::path& from, const std::filesystem::path& tree,
                               TreeManifest made, const std::filesystem::path& trash);

}  // namespace hydra
