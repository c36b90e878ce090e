// race: a race's hidden tests, and checks that agents cannot see their source. Blocking.
#pragma once

#include "git/repository.hpp"
#include "model/race_spec.hpp"
#include "trees/hidden_tests.hpp"

namespace hydra::race {

namespace fs = std::filesystem;

struct TakenTests {
  fs::path source;  ///< directory of the user; empty: not configured
  trees::HiddenTests tests;
};

/// Copies [evaluation] hidden, relative to the repository, to `to`. Refused if agents would see the source: a
/// directory around the repository, or inside paths that [workspace] copies.
Result<TakenTests> take_hidden(const model::Config& config, const model::RepositoryFacts& facts,
                               const fs::path& to);

/// Returns an error that names the first hidden path contained in the base, since the base is in every
/// agent's workspace.
Result<void> hidden_stays_hidden(const git::Store& store, const model::RaceSpec& spec);

}  // namespace hydra::race
