// race: the runs of twins: which files of the base get other expected values, and the trees with them.
// Blocking: asks git, writes those of hidden tests below a directory of the race.
#pragma once

#include "git/repository.hpp"
#include "integrity/protect/known_rules.hpp"
#include "race/state/twins.hpp"

#include <filesystem>
#include <vector>

namespace hydra::race {

struct TwinPlaces {
  std::filesystem::path hidden;        ///< the user's hidden tests as they were taken
  std::filesystem::path hidden_twins;  ///< where their twins go
};

Result<model::TwinPlan> plan_twin_runs(integrity::KnownRules& known, const git::Store& store,
                                       const model::RaceSpec& spec, const std::vector<TwinWish>& wishes,
                                       const TwinPlaces& places);

}  // namespace hydra::race
