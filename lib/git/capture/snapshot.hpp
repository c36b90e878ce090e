// git, inside only: a commit of the user's checkout as it stands, without touching their index.
#pragma once

#include "base/result.hpp"
#include "git/environment.hpp"
#include "model/race_spec.hpp"

namespace hydra::git {

/// Makes tracked changes and untracked files that are not ignored a commit on top of HEAD in the user's
/// object store; `facts.base` becomes that commit where anything differs. Nothing else of the repository
/// changes.
Result<void> snapshot_checkout(const Command& git, model::RepositoryFacts& facts);

}  // namespace hydra::git
