// base: reads files that another user or program may have placed. Only regular files are read, symlinks are
// not followed, reads do not block, sizes are bounded.
#pragma once

#include "base/result.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

namespace hydra {

/// Reads a whole file. `refused` for a symlink as last component, a FIFO, directory, device or more than
/// `max_bytes`; `not_found`; `io`. The message is a short predicate ("is a symbolic link").
Result<std::string> read_regular_file(const std::filesystem::path& path, std::size_t max_bytes);

/// Reads a file below an open directory: no component of `relative` may be a symlink, "." or "..".
Result<std::string> read_regular_file_at(int directory, const std::filesystem::path& relative,
                                         std::size_t max_bytes);

/// As read_regular_file_at(), but returns the last `max_bytes` of a longer file, which may begin within a
/// line.
Result<std::string> read_regular_tail_at(int directory, const std::filesystem::path& relative,
                                         std::size_t max_bytes);

/// As read_regular_file_at(), but returns at most `max_bytes` from `offset`; empty at or after the end.
Result<std::string> read_regular_range_at(int directory, const std::filesystem::path& relative,
                                          std::uint64_t offset, std::size_t max_bytes);

}  // namespace hydra
