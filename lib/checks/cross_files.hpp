// checks: which files of a result are its author's tests, with all that travels with them to other results
// (docs/selection.md). Pure.
#pragma once

#include "git/repository.hpp"
#include "integrity/protect/protected_paths.hpp"

#include <string>
#include <vector>

namespace hydra::checks {

/// More files than this are no author's tests, but a vendored tree.
inline constexpr std::size_t kMostCrossFiles = 500;

/// Regular files that these changes add or modify and that are tests, their helpers, fixtures or data; sorted
/// by path. Never the product, never what runs inside the runner or configures it, never a link; and nothing
/// that a crate lists as a module of its own.
std::vector<git::TreeChange> cross_files(const std::vector<git::TreeChange>& changes,
                                         const integrity::ProtectedPaths& rules);

/// What tells these files from others: paths, modes and contents. Equal texts are equal files.
std::string digest_of(const std::vector<git::TreeChange>& files);

}  // namespace hydra::checks
