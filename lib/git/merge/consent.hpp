// git, inside only: what of a merge needs the user's consent (Consent in repository.hpp).
#pragma once

#include "git/merge/merge.hpp"

#include <string>
#include <vector>

namespace hydra::git {

/// Sorted by kind. `git` reads the objects of both sides; `commit` is the merged one; `run_from_tree` are
/// paths that git runs something of (Hooks::run_from_tree).
Result<std::vector<Consent>> consent_needed(const Command& git, const std::string& commit,
                                            const std::vector<RawEntry>& changes,
                                            const std::vector<std::string>& run_from_tree);

/// Links of `commit` that `changes` bring or bend and that lead out of the tree or into a `.git`, sorted. One
/// whose target goes up ("..") behind another link counts too: what that one leads to may change.
Result<std::vector<std::string>> outside_links(const Command& git, const std::string& commit,
                                               const std::vector<RawEntry>& changes);

/// `usage`, naming the kinds that there are, where one of `kinds` is none.
Result<void> check_kinds(const std::vector<std::string>& kinds);

}  // namespace hydra::git
