// trees: which of a candidate's changes go into a check workspace, and what they ask of its start.
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
  bool cold = false;                 ///< begin without build results of the base
  bool setup = false;                ///< run the set-up again
  std::vector<std::string> reasons;  ///< of both, for people
  std::vector<LeftOutPath> left_out;
};

/// Git's changes in the words of trees/rebuild.hpp.
std::vector<Change> to_changes(const std::vector<git::TreeChange>& tree_changes);

/// Blocking: asks git for what it ignores. The rules themselves are those of trees/rebuild.hpp.
Result<ChangePlan> plan_changes(const git::Store& store, const model::RaceSpec& spec,
                                std::vector<git::TreeChange> tree_changes, const BaseTree& base);

}  // namespace hydra::trees
