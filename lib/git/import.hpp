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

/// Brings commits (all above `base`) into the user's object store as one kept pack, checked by git. The keep
/// file says "hydra", and of what where `of` is not empty.
Result<KeptPack> import_commits(const Command& store, const Command& user, const fs::path& objects,
                                const std::vector<std::string>& commits, const std::string& base,
                                const std::string& of = {});
/// Removes the keep file: a ref names the objects now.
void release(const KeptPack& kept);
/// Removes the keep files that imports of `of` left which were killed.
void release_all(const fs::path& objects, const std::string& of);

}  // namespace hydra::git
