// trees: hidden tests. Copied from a directory of the user before any agent starts, kept in Hydra's state,
// and laid over the tree of a check workspace; never in a worktree, commit or template (docs/integrity.md).
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
  std::string digest;              ///< digest of paths, modes and bytes
};

/// Copies the regular files below `source` to `to` (which must not exist). Refuses, naming the path: links
/// and special files, an entry named .git, a source without files, more than the limits above. Blocking.
Result<HiddenTests> take_hidden_tests(const fs::path& source, const fs::path& to);

/// Lays the files that take_hidden_tests() kept in `kept` over a tree; existing entries are replaced.
Result<void> lay_over(trees::TreeWriter& writer, const fs::path& kept, const timespec& time);

/// Returns whether the test's name has the path or module of a hidden file. Names from runners that print
/// neither are not recognised.
bool is_hidden_test(std::string_view test_name, const std::vector<std::string>& hidden_paths);

}  // namespace hydra::trees
