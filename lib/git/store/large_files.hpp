// git, inside only: content of git-lfs, which stands beside the objects: what a capture's filters put into
// Hydra's store must be in the user's repository before a branch names it.
#pragma once

#include "base/result.hpp"
#include "model/race_spec.hpp"

#include <filesystem>

namespace hydra::git {

namespace fs = std::filesystem;

/// Copies large files that the store has and the user's repository has not. What stands there is never
/// written over. Nothing to do is no error.
Result<void> copy_large_files(const fs::path& store, const model::RepositoryFacts& facts);

}  // namespace hydra::git
