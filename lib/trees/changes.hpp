// trees: selects the candidate's changes for a check workspace, and how the workspace must start.
#pragma once

#include "base/result.hpp"
#include "git/repository.hpp"
#include "model/race_spec.hpp"
#include "trees/rebuild.hpp"

#include <string>
#include <vector>

namespace hydra::trees {

struct ChangePlan {
  std::vector<git::TreeChange> apply;
  bool cold = false;                 ///< start without the base's build results
  bool setup = false;                ///< run the set-up again
  std::vector<std::string> reasons;  ///< reasons for `cold` and `setup`, for people
  std::vector<LeftOutPath> left_out;
};

/// Converts git's changes to those of trees/rebuild.hpp.
std::vector<Change> to_changes(const std::vector<git::TreeChange>& tree_changes);

/// Plans by the rules of trees/rebuild.hpp. Blocking: asks git for ignored paths.
Result<ChangePlan> plan_changes(const git::Store& store, const model::RaceSpec& spec,
                                std::vector<git::TreeChange> tree_changes, const BaseTree& base);

}  // namespace hydra::trees
