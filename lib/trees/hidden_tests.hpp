// trees: hidden tests. Taken from a directory of the user before any agent starts, kept in Hydra's state,
// and laid over the tree of a check workspace: in no worktree, no commit, no template (docs/integrity.md).
#pragma once

#include "base/result.hpp"
#include "trees/layers.hpp"

#include <ctime>
#include <filesystem>
#include <string>
#include <vector>

namespace hydra::trees {

namespace fs = std::filesystem;

inline constexpr std::size_t kMostHiddenFiles = 10'000;
inline constexpr std::uint64_t kMostHiddenBytes = 256ull << 20;

struct HiddenTests {
  std::vector<std::string> paths;  ///< relative to the tree, sorted bytewise
  std::string digest;              ///< of paths, modes and bytes
};

/// Copies the regular files below `source` to `to` (which must not exist). Refused, naming the path: links
/// and special files, anything called .git, no file at all, more than the limits above. Blocking.
Result<HiddenTests> take_hidden_tests(const fs::path& source, const fs::path& to);

/// Lays the files that take_hidden_tests() kept in `kept` over a tree; what stands there is replaced.
Result<void> lay_over(trees::TreeWriter& writer, const fs::path& kept, const timespec& time);

/// Whether a test of this name comes from one of the hidden files: by its path or module in it. Names of
/// runners that print neither are not known as hidden.
bool is_hidden_test(const std::string& test_name, const std::vector<std::string>& hidden_paths);

}  // namespace hydra::trees
