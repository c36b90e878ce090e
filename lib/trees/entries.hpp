// trees: one entry of an open directory, never through a symbolic link. What layers and directories are
// written with.
#pragma once

#include "base/fd.hpp"
#include "base/result.hpp"
#include "exec/job.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <vector>

namespace hydra::trees {

namespace fs = std::filesystem;

/// The components of a relative path; Errc::usage for one that leads elsewhere.
Result<std::vector<std::string>> components(const fs::path& path);

/// An open directory; `io` when it is none or a link. For reading, so it can be listed and synced.
Result<UniqueFd> open_directory(const fs::path& path);
Result<UniqueFd> open_directory_at(int parent, const std::string& name);

/// lstat of an entry: true and `facts`, or false where there is none.
Result<bool> look_at(int parent, const std::string& name, struct stat& facts);

/// A new entry; it must not exist.
Result<void> make_entry(int parent, const std::string& name, mode_t mode, std::string_view bytes);
Result<void> make_directory(int parent, const std::string& name, mode_t mode);
/// Whatever is there, with all below it.
Result<void> remove_entry(int parent, const std::string& name);

/// Calls `each` with every name but "." and "..", until it returns false.
Result<void> list(int directory, const std::function<bool(const std::string& name)>& each);

}  // namespace hydra::trees
