// git, inside only: reading trees and blobs, by libgit2 where it can open the objects, by the git program
// otherwise; and the objects that agents borrow.
#pragma once

#include "base/result.hpp"
#include "git/environment.hpp"
#include "git/store/object_database.hpp"
#include "git/store/rules.hpp"

#include <limits>
#include <optional>
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

/// Everything of a commit in git's order, asked of the git program.
Result<std::vector<TreeFile>> ask_for_files(const Command& git, const std::string& commit);
/// Bytes of blobs by the git program, in the order asked; absent for one that is missing, no blob, or larger
/// than `max_bytes`, and for those that would bring all of them above `max_total`.
Result<std::vector<std::optional<std::string>>> ask_for_blobs(
    const Command& git, const std::vector<std::string>& names,
    std::size_t max_bytes = std::numeric_limits<std::size_t>::max(),
    std::size_t max_total = std::numeric_limits<std::size_t>::max());

/// Everything of a commit of the user's repository, in git's order.
Result<std::vector<TreeFile>> tree_files(const Command& git, const model::RepositoryFacts& facts,
                                         const std::string& commit);

/// Reads the rule files and gitlinks of the base.
Result<BaseRules> read_base_rules(const Command& git, const model::RepositoryFacts& facts);

/// Makes `place`, which is not there yet, an object directory with what a race's base reaches and nothing
/// else, so that an agent's repository has no other branch and no earlier race to look into
/// (docs/integrity.md, "No answers to find"). Packs are made once a base and kept below `cache` (empty: they
/// are not), by repository and commit; the next base of the same history adds what is new since then. They
/// are shared by hard links, so that either may go without the other. `tags`: the packed-refs of a private
/// repository, whose tag objects go in too. Blocking; the first time in a repository as long as a clone of
/// it.
Result<void> make_base_objects(const Command& git, const model::RepositoryFacts& facts,
                               const std::string& tags, const fs::path& cache, const fs::path& place);

}  // namespace hydra::git
