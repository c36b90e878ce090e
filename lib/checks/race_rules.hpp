// checks, inside only: the protected paths of a race, from its frozen configuration and the base's tree.
#pragma once

#include "checks/protected_paths.hpp"
#include "git/repository.hpp"
#include "model/race_spec.hpp"

#include <memory>

namespace hydra::checks {

/// The rules refer to the base and to the store: neither may be copied apart.
struct RaceRules {
  RaceRules(git::Store store_in, const model::RaceSpec& spec, std::vector<std::string> base_paths);
  RaceRules(const RaceRules&) = delete;
  RaceRules& operator=(const RaceRules&) = delete;

  git::Store store;
  BaseTree base;
  ProtectedPaths paths;
};

/// Blocking: asks git once, and once more for each manifest that the commands lead to.
Result<std::unique_ptr<RaceRules>> race_rules(const git::Store& store, const model::RaceSpec& spec);

}  // namespace hydra::checks
