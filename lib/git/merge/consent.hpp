// git, inside only: changes of a merge that need the user's consent (Consent in repository.hpp).
#pragma once

#include "git/merge/merge.hpp"

#include <string>
#include <vector>

namespace hydra::git {

/// Returns the kinds, sorted. `git` reads the objects of both sides; `commit` is the merged commit; git runs
/// programs from the paths `run_from_tree` (Hooks::run_from_tree).
Result<std::vector<Consent>> consent_needed(const Command& git, const std::string& commit,
                                            const std::vector<RawEntry>& changes,
                                            const std::vector<std::string>& run_from_tree);

/// Links of `commit` that `changes` add or retarget and that lead out of the tree or into a `.git`, sorted. A
/// target that goes up ("..") behind another link counts too: the other link may change.
Result<std::vector<std::string>> outside_links(const Command& git, const std::string& commit,
                                               const std::vector<RawEntry>& changes);

/// Error `usage`, naming the known kinds, when one of `kinds` is unknown.
Result<void> check_kinds(const std::vector<std::string>& kinds);

}  // namespace hydra::git
