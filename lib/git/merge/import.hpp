// git, inside only: objects on their way from Hydra's store into the user's repository.
#pragma once

#include "base/result.hpp"
#include "git/environment.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace hydra::git {

struct KeptPack {
  fs::path keep;  ///< the file that keeps the pack; empty: the pack was there before
};

/// Brings commits (all above `base`) into the user's object store as one kept pack, checked by git first: on
/// an Error nothing of them is there, and `refused` names what git's check found, by its paths. The keep file
/// says "hydra", and of what where `of` is not empty. `directory`: of the store.
Result<KeptPack> import_commits(const Command& store, const fs::path& directory, const Command& user,
                                const fs::path& objects, const std::vector<std::string>& commits,
                                const std::string& base, const std::string& of = {});
/// What git's own check says of the objects that `wanted` (tips, and "^" before what is left out, a line
/// each) reaches, by their paths; nothing of them stays. `objects`: of the store; `of`: a name for its
/// scratch directory.
Result<std::vector<std::string>> what_git_refuses(const Command& store, const fs::path& objects,
                                                  const std::string& wanted, const std::string& of);
/// Removes the keep file: a ref names the objects now.
void release(const KeptPack& kept);
/// Removes what imports of `of` left which were killed.
void release_all(const fs::path& objects, const std::string& of);

/// Content of git-lfs stands beside the objects: what a capture's filters put into Hydra's store must be in
/// the user's repository before a branch names it. Copies what the store has and the repository has not; what
/// stands there is never written over. Nothing to do is no error.
Result<void> copy_large_files(const fs::path& store, const model::RepositoryFacts& facts);

}  // namespace hydra::git
