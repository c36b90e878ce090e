// Carries out the command about twins.
#include "race/checks/checks.hpp"
#include "race/checks/twins_plan.hpp"

namespace hydra::race {

void Checks::plan_twins(const RacePtr& race) {
  const auto wishes = twin_wishes(race->state);
  background(
      [rules = race->rules, store_copy = *race->store, spec = race->state.spec, wishes,
       places = TwinPlaces{race->layout.hidden_tests(), race->layout.hidden_twins()},
       history = race->layout.history()]() -> Result<model::TwinPlan> {
        HYDRA_TRY(auto plan, plan_twin_runs(*rules, store_copy, spec, wishes, places));
        if (plan.reason.empty()) HYDRA_CHECK(store_copy.write_history(history));
        return plan;
      },
      [this, race, wishes](Result<model::TwinPlan> plan) {
        const auto& id = race->state.spec.id;
        if (!lives(race) || race->state.cancelled) return;
        if (plan.ok()) return emit(id, model::TwinsPlanned{std::move(*plan)});
        // The race is ranked without them, and says so.
        emit(id, model::Note{
                     "", "the tests could not be run with other expected values: " + describe(plan.error())});
        model::TwinPlan none;
        none.reason = "failed";
        for (const auto& wish : wishes) {
          model::PlannedRun run;
          run.result = wish.owner;
          none.runs.push_back({run, wish.commit, wish.copy});
        }
        emit(id, model::TwinsPlanned{std::move(none)});
      });
}

}  // namespace hydra::race
