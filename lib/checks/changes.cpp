#include "checks/changes.hpp"

namespace hydra::checks {

Result<ChangePlan> plan_changes(const git::Store& store, const model::RaceSpec&, const std::string& commit) {
  ChangePlan plan;
  HYDRA_TRY(plan.apply, store.changes(commit));
  for (const auto& change : plan.apply)
    if (change.status == 'D') {
      plan.cold = true;
      plan.reasons.push_back("'" + change.path + "' was deleted");
      break;
    }
  return plan;
}

}  // namespace hydra::checks
