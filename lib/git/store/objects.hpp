// git, inside only: reads trees and blobs, by libgit2 when it can open the objects, by git otherwise; and
// makes the object directories that agents borrow.
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

/// Rules of a base that decide how directories are captured.
struct BaseRules {
  std::vector<RuleFile> attributes, ignores;
  std::vector<Gitlink> gitlinks;
};

/// All files of a commit in git's order, listed by the git program.
Result<std::vector<TreeFile>> ask_for_files(const Command& git, const std::string& commit);
/// Bytes of blobs by the git program, in the order asked; absent: missing, no blob, larger than `max_bytes`,
/// or a blob with which the sum would exceed `max_total`.
Result<std::vector<std::optional<std::string>>> ask_for_blobs(
    const Command& git, const std::vector<std::string>& names,
    std::size_t max_bytes = std::numeric_limits<std::size_t>::max(),
    std::size_t max_total = std::numeric_limits<std::size_t>::max());

/// All files of a commit of the user's repository, in git's order.
Result<std::vector<TreeFile>> tree_files(const Command& git, const model::RepositoryFacts& facts,
                                         const std::string& commit);

/// Reads the rule files and gitlinks of the base.
Result<BaseRules> read_base_rules(const Command& git, const model::RepositoryFacts& facts);

/// Makes `place`, which must not exist, an object directory with only the objects that a race's base reaches,
/// so that an agent's repository has no other branch and no earlier race to look into (docs/integrity.md, "No
/// answers to find"). Packs are made once a base and kept below `cache` (empty: not kept), by repository and
/// commit; the next base of that history adds its new objects. Packs are shared by hard links, so that either
/// side may be removed. `tags`: the packed-refs of a private repository, whose tag objects are included.
/// Blocking; the first call for a repository takes as long as a clone.
Result<void> make_base_objects(const Command& git, const model::RepositoryFacts& facts,
                               const std::string& tags, const fs::path& cache, const fs::path& place);

}  // namespace hydra::git
