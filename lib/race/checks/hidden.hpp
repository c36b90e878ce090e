// race: the hidden tests of a race: where they may come from, so that they are hidden. Blocking.
#pragma once

#include "git/repository.hpp"
#include "model/race_spec.hpp"
#include "trees/hidden_tests.hpp"

namespace hydra::race {

namespace fs = std::filesystem;

struct TakenTests {
  fs::path source;  ///< empty: none are configured
  trees::HiddenTests tests;
};

/// Copies [evaluation] hidden, relative to the repository, to `to`. Refused where agents would see them:
/// around the repository, or in what [workspace] copies into their workspaces.
Result<TakenTests> take_hidden(const model::Config& config, const model::RepositoryFacts& facts,
                               const fs::path& to);

/// What the base holds is in every agent's workspace: an error that names the first path.
Result<void> hidden_stays_hidden(const git::Store& store, const model::RaceSpec& spec);

}  // namespace hydra::race
