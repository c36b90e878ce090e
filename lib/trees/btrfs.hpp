// trees: btrfs subvolumes, without the btrfs tools: a snapshot copies a whole tree in a few milliseconds.
#pragma once

#include "base/result.hpp"

#include <filesystem>

namespace hydra::trees {

/// Returns whether a new directory in `directory` would be on btrfs.
bool on_btrfs(const std::filesystem::path& directory);
/// Returns whether `path` is a subvolume's root.
bool is_subvolume(const std::filesystem::path& path);

/// Creates an empty subvolume; `path` must not exist.
Result<void> create_subvolume(const std::filesystem::path& path);
/// Makes a writable snapshot of the subvolume `from`; `to` must not exist and be on its file system.
Result<void> snapshot_subvolume(const std::filesystem::path& from, const std::filesystem::path& to);
/// Deletes the subvolume with its content, also as an ordinary user. A missing subvolume is success.
Result<void> delete_subvolume(const std::filesystem::path& path);

}  // namespace hydra::trees
