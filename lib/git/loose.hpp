// git, inside only: single objects of a store through libgit2, which saves a program each. Nothing comes back
// where libgit2 can't (sha256, odd repositories): the caller then asks git.
#pragma once

#include "model/race_spec.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace hydra::git {

namespace fs = std::filesystem;

/// Bytes of a blob below `objects` or its alternates.
std::optional<std::string> read_blob(const fs::path& objects, const std::string& id);

/// Writes a commit of `tree` on top of the race's base with one fixed time; its id.
std::optional<std::string> write_commit(const fs::path& objects, const model::RepositoryFacts& facts,
                                        const std::string& tree, const std::string& message,
                                        std::int64_t unix_seconds);

}  // namespace hydra::git
