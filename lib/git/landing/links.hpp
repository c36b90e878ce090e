// git, inside only: where the symbolic links of a merged tree lead, followed through each other as the kernel
// follows them.
#pragma once

#include "git/landing/merge.hpp"

#include <string>
#include <vector>

namespace hydra::git {

/// Links of `commit` that `changes` bring or bend and that lead out of the tree or into a `.git`, sorted. One
/// whose target goes up ("..") behind another link counts too: what that one leads to may change.
Result<std::vector<std::string>> outside_links(const Command& git, const std::string& commit,
                                               const std::vector<RawEntry>& changes);

}  // namespace hydra::git
