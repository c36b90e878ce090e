// git: Hydra's traces in the user's repository besides results, and their removal: the pin of a race's base,
// and the metadata of a linked worktree.
#pragma once

#include "base/result.hpp"
#include "model/race_spec.hpp"

#include <filesystem>
#include <string>

namespace hydra::git {

/// "refs/hydra/base/RACE": the ref that keeps the race's base in the user's repository.
std::string base_pin(const std::string& race);
/// Deletes base_pin() if it still names the race's base. A missing repository is success.
Result<void> unpin_base(const model::RaceSpec& spec);

/// Removes the metadata of the linked worktree `workspace`, if its metadata names that directory. The
/// directory itself stays.
void forget_worktree(const model::RepositoryFacts& repository, const std::filesystem::path& workspace);

}  // namespace hydra::git
