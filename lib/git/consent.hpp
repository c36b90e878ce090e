// git, inside only: what of a merge needs the user's explicit word (Consent in repository.hpp).
#pragma once

#include "git/merge.hpp"

#include <string>
#include <vector>

namespace hydra::git {

/// Sorted by kind. `git` reads the objects of both sides.
Result<std::vector<Consent>> consent_needed(const Command& git, const std::vector<RawEntry>& changes);

}  // namespace hydra::git
