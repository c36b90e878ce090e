// base: files that somebody else may have put there. Regular files only, links are never followed, nothing is
// waited for, sizes are bounded.
#pragma once

#include "base/result.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

namespace hydra {

/// A whole file. `refused` for a symbolic link (as the last component), a FIFO, a directory, a device, and
/// for more than `max_bytes`; `not_found`; `io`. The message says it in a few words ("is a symbolic link").
Result<std::string> read_regular_file(const std::filesystem::path& path, std::size_t max_bytes);

/// The same below an open directory: no component of `relative` may be a symbolic link, "." or "..".
Result<std::string> read_regular_file_at(int directory, const std::filesystem::path& relative,
                                         std::size_t max_bytes);

/// The same, but of a longer file its last `max_bytes`, which may begin anywhere in a line.
Result<std::string> read_regular_tail_at(int directory, const std::filesystem::path& relative,
                                         std::size_t max_bytes);

/// The same, but its bytes from `offset` on, at most `max_bytes`; empty at its end and behind it.
Result<std::string> read_regular_range_at(int directory, const std::filesystem::path& relative,
                                          std::uint64_t offset, std::size_t max_bytes);

}  // namespace hydra
