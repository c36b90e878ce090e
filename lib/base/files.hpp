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

/// Reads the whole file; `io` if the file cannot be read or is larger than `max_bytes`.
Result<std::string> read_file(const fs::path& path, std::size_t max_bytes = 256u << 20);
/// Writes all bytes to a descriptor; `path` is used in the message only.
Result<void> write_all(int fd, std::string_view bytes, const fs::path& path);
/// Writes the file in place (create or truncate). Not durable.
Result<void> write_file(const fs::path& path, std::string_view bytes, mode_t mode = 0644);
/// Writes all or nothing, by a temporary file beside `path` and rename. `durable`: fsync of file and
/// directory.
Result<void> write_file_atomic(const fs::path& path, std::string_view bytes, bool durable,
                               mode_t mode = 0644);
/// Makes the directory and its parents; each new directory gets `mode`.
Result<void> make_dirs(const fs::path& path, mode_t mode = 0755);
/// Removes a tree without following symlinks; adds the permissions that it needs. A missing tree is success.
Result<void> remove_tree(const fs::path& path);
/// Calls fsync on a directory.
Result<void> sync_dir(const fs::path& dir);

}  // namespace hydra
