// integrity, inside only: the protected paths of a race, from its frozen configuration and the base's tree.
#pragma once

#include "git/repository.hpp"
#include "integrity/protect/known_rules.hpp"
#include "integrity/protect/protected_paths.hpp"
#include "model/race_spec.hpp"

namespace hydra::integrity {

/// The rules refer to the base and to the store: neither may be copied apart.
struct RaceRules {
  RaceRules(git::Store store_in, const model::RaceSpec& spec, std::vector<std::string> base_paths);
  RaceRules(const RaceRules&) = delete;
  RaceRules& operator=(const RaceRules&) = delete;

  git::Store store;
  trees::BaseTree base;
  ProtectedPaths paths;
};

}  // namespace hydra::integrity
