// git, inside only: the commits that an agent made itself. They are no part of its result, which is what its
// directory holds; people are told how many there are, and what git refuses in them.
#pragma once

#include "git/environment.hpp"
#include "model/race_spec.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace hydra::git {

struct OwnCommits {
  std::int64_t count = 0;             ///< reachable from its HEAD, branches and tags, and not from the base
  std::vector<std::string> warnings;  ///< what git refuses in them, by paths; why they were not looked at
};

/// Reads refs and objects of the repository in `work`, and runs nothing of its configuration. `store`: git in
/// Hydra's store at `store_dir`.
OwnCommits own_commits(const Command& store, const fs::path& store_dir, const fs::path& work,
                       const model::RepositoryFacts& facts, const std::filesystem::path& lender);

}  // namespace hydra::git
