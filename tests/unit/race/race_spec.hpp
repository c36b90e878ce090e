// Specification of the races in unit tests: no machine, no repository.
#pragma once

#include "model/race_spec.hpp"

#include <string>
#include <vector>

namespace hydra::race {

/// A race of these agents on the tree `base`, with all three checks.
inline model::RaceSpec race_spec(const std::vector<std::string>& agents) {
  model::RaceSpec spec;
  spec.id = "r";
  spec.repository.base_tree = "base";
  spec.config.scoring.build_command = "make";
  spec.config.scoring.test_command = "make test";
  spec.config.scoring.lint_command = "make lint";
  for (const auto& name : agents) spec.agents.push_back({name, name, ""});
  return spec;
}

}  // namespace hydra::race
