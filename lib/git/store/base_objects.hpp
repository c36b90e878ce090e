// git, inside only: an object directory with what a race's base reaches and nothing else, so that an agent's
// repository has no other branch and no earlier race to look into (docs/integrity.md, "No answers to find").
#pragma once

#include "base/result.hpp"
#include "git/environment.hpp"
#include "model/race_spec.hpp"

#include <filesystem>
#include <string>

namespace hydra::git {

/// Fills `place`, which is not there yet. Packs are made once a base and kept below `cache` (empty: they are
/// not), by repository and commit; the next base of the same history adds what is new since then. They are
/// shared by hard links, so that either may go without the other. `tags`: the packed-refs of a private
/// repository, whose tag objects go in too. Blocking; the first time in a repository as long as a clone of
/// it.
Result<void> make_base_objects(const Command& git, const model::RepositoryFacts& facts,
                               const std::string& tags, const std::filesystem::path& cache,
                               const std::filesystem::path& place);

}  // namespace hydra::git
