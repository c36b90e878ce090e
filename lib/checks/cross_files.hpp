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

/// Regular files that the changes add or modify and that are tests, their helpers, fixtures or data; sorted
/// by path. Never the product, runner code or configuration, links, or modules that a crate lists.
std::vector<git::TreeChange> cross_files(const std::vector<git::TreeChange>& changes,
                                         const integrity::ProtectedPaths& rules);

/// Digest of paths, modes and contents: equal texts mean equal files.
std::string digest_of(const std::vector<git::TreeChange>& files);

}  // namespace hydra::checks
