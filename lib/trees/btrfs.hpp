// trees: subvolumes of btrfs, without its tools: a snapshot is a whole tree in a few milliseconds.
#pragma once

#include "base/result.hpp"

#include <filesystem>

namespace hydra::trees {

/// Whether a new directory in `directory` would be on btrfs.
bool on_btrfs(const std::filesystem::path& directory);
/// Whether it is a subvolume's root.
bool is_subvolume(const std::filesystem::path& path);

/// An empty subvolume; `path` must not exist.
Result<void> create_subvolume(const std::filesystem::path& path);
/// A writable snapshot of the subvolume `from`; `to` must not exist, on the same file system.
Result<void> snapshot_subvolume(const std::filesystem::path& from, const std::filesystem::path& to);
/// The subvolume and all in it, also as an ordinary user. Nothing there is success.
Result<void> delete_subvolume(const std::filesystem::path& path);

}  // namespace hydra::trees
