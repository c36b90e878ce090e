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

/// Brings commits (all above `base`) into the user's object store as one kept pack, checked by git.
Result<KeptPack> import_commits(const Command& store, const Command& user, const fs::path& objects,
                                const std::vector<std::string>& commits, const std::string& base);
/// Removes the keep file: a ref names the objects now.
void release(const KeptPack& kept);

}  // namespace hydra::git
