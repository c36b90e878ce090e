// git, inside only: copies objects from Hydra's store into the user's repository.
#pragma once

#include "base/result.hpp"
#include "git/environment.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace hydra::git {

struct KeptPack {
  fs::path keep;  ///< file that keeps the pack; empty: the pack was present before
};

/// Imports commits (all above `base`) into the user's object store as one kept pack, checked by git first. On
/// an Error the user's store has none of the objects; `refused` names git's findings by path. The keep file
/// contains "hydra", and `of` when that is not empty. `directory`: the store's.
Result<KeptPack> import_commits(const Command& store, const fs::path& directory, const Command& user,
                                const fs::path& objects, const std::vector<std::string>& commits,
                                const std::string& base, const std::string& of = {});
/// Findings of git's own check, by path, for objects reachable from `wanted` (tips, and "^" before excluded
/// commits, one a line); leaves no objects. `objects`: the store's; `of`: names the scratch directory.
Result<std::vector<std::string>> what_git_refuses(const Command& store, const fs::path& objects,
                                                  const std::string& wanted, const std::string& of);
/// Removes the keep file, since a ref names the objects now.
void release(const KeptPack& kept);
/// Removes files left by killed imports of `of`.
void release_all(const fs::path& objects, const std::string& of);

/// Copies git-lfs contents that a capture's filters put into Hydra's store to the user's repository, before a
/// branch names them. Existing files are never overwritten. Nothing to copy is no error.
Result<void> copy_large_files(const fs::path& store, const model::RepositoryFacts& facts);

}  // namespace hydra::git
