// git, inside only: reading trees and blobs. libgit2 where it can open the objects, the git program
// otherwise.
#pragma once

#include "base/result.hpp"
#include "git/environment.hpp"
#include "git/store/object_database.hpp"
#include "git/store/rules.hpp"

#include <string>
#include <vector>

namespace hydra::git {

struct Gitlink {
  std::string path, commit;
};

/// What of a base decides how directories are captured.
struct BaseRules {
  std::vector<RuleFile> attributes, ignores;
  std::vector<Gitlink> gitlinks;
};

/// Everything of a commit of the user's repository, in git's order.
Result<std::vector<TreeFile>> tree_files(const Command& git, const model::RepositoryFacts& facts,
                                         const std::string& commit);

/// Reads the rule files and gitlinks of a commit. `objects`: the object directory to look in first.
Result<BaseRules> read_base_rules(const Command& git, const model::RepositoryFacts& facts);

}  // namespace hydra::git
