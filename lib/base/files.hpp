// base: reading and writing whole files, durably where asked, and removing trees without following links.
#pragma once

#include "base/result.hpp"

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <sys/types.h>

namespace hydra {

namespace fs = std::filesystem;

/// The whole file; `io` when it can't be read or is larger than `max_bytes`.
Result<std::string> read_file(const fs::path& path, std::size_t max_bytes = 256u << 20);
/// Writes all of it to a descriptor; `path` is for the message.
Result<void> write_all(int fd, std::string_view bytes, const fs::path& path);
/// Writes the file in place (create or truncate). Not durable.
Result<void> write_file(const fs::path& path, std::string_view bytes, mode_t mode = 0644);
/// Writes whole or not at all: temporary file beside it, rename. `durable`: fsync of file and directory too.
Result<void> write_file_atomic(const fs::path& path, std::string_view bytes, bool durable,
                               mode_t mode = 0644);
/// mkdir -p; every directory that it makes gets `mode`.
Result<void> make_dirs(const fs::path& path, mode_t mode = 0755);
/// Removes a tree below an open parent directory: never follows a symlink, never leaves the file system
/// entry's own tree, gives itself the rights that it needs. Nothing there is success.
Result<void> remove_tree(const fs::path& path);
/// fsync of a directory.
Result<void> sync_dir(const fs::path& dir);

}  // namespace hydra
