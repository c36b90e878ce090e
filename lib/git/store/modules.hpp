// git, inside only: submodules. Their files come from the user's own clones: no workspace fetches.
#pragma once

#include "git/environment.hpp"
#include "git/store/objects.hpp"

#include <optional>
#include <string>
#include <vector>

namespace hydra::git {

/// A submodule of a commit.
struct Submodule {
  Gitlink link;
  fs::path clone;  ///< git directory of the user's that has the commit; empty: none
};

/// Lists the submodules of `commit`, which `git` can read. `above`: git directories that may hold clones of
/// them (in modules/); `checkout`: directory with their own checkouts, may be empty.
Result<std::vector<Submodule>> submodules_of(const Command& git, const std::string& commit,
                                             const std::vector<fs::path>& above, const fs::path& checkout);
Result<std::vector<Submodule>> submodules_of(const Command& git, const model::RepositoryFacts& facts,
                                             const std::string& commit);

/// `git` that can also read the objects of that clone.
Command reading(Command git, const fs::path& clone);

/// Fills the empty directories of the submodules of `commit` below `directory`, recursively. No .git is
/// written; submodules without a clone stay empty.
Result<void> fill_submodules(const Command& git, const model::RepositoryFacts& facts,
                             const std::string& commit, const fs::path& directory);

/// Paths of the base's submodules, recursively, that no clone of the user's can fill.
Result<std::vector<std::string>> unfilled_submodules(const Command& git, const model::RepositoryFacts& facts);

}  // namespace hydra::git
