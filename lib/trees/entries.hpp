// trees: access to one entry of an open directory, never through a symbolic link. Writers of layers and
// directories use these functions.
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

/// Splits a relative path into components; Errc::usage for a path that leaves the tree.
Result<std::vector<std::string>> components(const fs::path& path);

/// Opens a directory for listing and syncing; `io` for a link or another kind of file.
Result<UniqueFd> open_directory(const fs::path& path);
Result<UniqueFd> open_directory_at(int parent, const std::string& name);

/// lstat of an entry: true and `facts`; false: missing.
Result<bool> look_at(int parent, const std::string& name, struct stat& facts);

/// Makes a new entry, which must not exist.
Result<void> make_entry(int parent, const std::string& name, mode_t mode, std::string_view bytes);
Result<void> make_directory(int parent, const std::string& name, mode_t mode);
/// Removes an entry of any kind, with everything below.
Result<void> remove_entry(int parent, const std::string& name);

/// Calls `each` with every name except "." and "..", until it returns false.
Result<void> list(int directory, const std::function<bool(const std::string& name)>& each);

}  // namespace hydra::trees
