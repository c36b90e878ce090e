// checks: selects the files of a result that are its author's tests, and everything that travels with them to
// other results (docs/selection.md). Pure.
#pragma once

#include "git/repository.hpp"
#include "integrity/protect/protected_paths.hpp"

#include <string>
#include <vector>

namespace hydra::checks {

/// A change with more test files is a vendored tree, not an author's tests.
inline constexpr std::size_t kMostCrossFiles = 500;

/// Returns the regular files that the changes add or modify and that are tests, test helpers, fixtures or
/// data; sorted by path. Excludes the product, files that run inside the runner or configure it, links, and
/// files that a crate lists as modules.
std::vector<git::TreeChange> cross_files(const std::vector<git::TreeChange>& changes,
                                         const integrity::ProtectedPaths& rules);

/// Digest of paths, modes and contents: equal texts mean equal files.
std::string digest_of(const std::vector<git::TreeChange>& files);

}  // namespace hydra::checks
