// race: plans the runs of twins: base files with changed expected values, and trees that contain them.
// Blocking: runs git, writes twins of hidden tests below a directory of the race.
#pragma once

#include "git/repository.hpp"
#include "integrity/protect/known_rules.hpp"
#include "race/state/twins.hpp"

#include <filesystem>
#include <vector>

namespace hydra::race {

struct TwinPlaces {
  std::filesystem::path hidden;        ///< copy of the user's hidden tests
  std::filesystem::path hidden_twins;  ///< destination of their twins
};

/// `needed`: see needed_tests().
Result<model::TwinPlan> plan_twin_runs(integrity::KnownRules& known, const git::Store& store,
                                       const model::RaceSpec& spec, const std::vector<TwinWish>& wishes,
                                       const std::vector<std::string>& needed, const TwinPlaces& places);

}  // namespace hydra::race
