// Carries out the commands about twins and cross tests: plans, workspaces, cache and summary.
#include "checks/evidence.hpp"
#include "race/checks/checks.hpp"
#include "race/checks/cross_plan.hpp"
#include "race/checks/twins_plan.hpp"
#include "race/state/cross.hpp"
#include "race/state/green.hpp"

#include <algorithm>

namespace hydra::race {

void Checks::plan_twins(const RacePtr& race) {
  const auto wishes = twin_wishes(race->state);
  background(
      [rules = race->rules, store_copy = *race->store, spec = race->state.spec, wishes,
       needed = needed_tests(race->state),
       places = TwinPlaces{race->layout.hidden_tests(), race->layout.hidden_twins()},
       history = race->layout.history()]() -> Result<model::TwinPlan> {
        HYDRA_TRY(auto plan, plan_twin_runs(*rules, store_copy, spec, wishes, needed, places));
        if (plan.reason.empty()) HYDRA_CHECK(store_copy.write_history(history));
        return plan;
      },
      [this, race, wishes](Result<model::TwinPlan> plan) {
        const auto& id = race->state.spec.id;
        if (!lives(race) || race->state.cancelled) return;
        if (plan.ok()) return emit(id, model::TwinsPlanned{std::move(*plan)});
        // The race is ranked without twins, and a note says so.
        emit(id, model::Note{
                     {}, "the tests could not be run with other expected values: " + describe(plan.error())});
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

void Checks::plan_cross(const RacePtr& race) {
  auto given = cross_inputs(race->state);
  const bool early = agents_under_way(race->state);
  given.alone = race->state.spec.until_green;
  background(
      [rules = race->rules, store_copy = *race->store, spec = race->state.spec, inputs = given,
       history = race->layout.history()]() -> Result<PlannedCross> {
        HYDRA_TRY(auto planned, plan_cross_tests(*rules, store_copy, spec, inputs));
        if (planned.reason.empty()) HYDRA_CHECK(store_copy.write_history(history));
        return planned;
      },
      [this, race, given, early](Result<PlannedCross> planned) {
        const auto& id = race->state.spec.id;
        if (!lives(race) || race->state.cancelled) return;
        if (early) {
          // Emitted even without runs: an empty plan records that these results need none.
          model::CrossPlan plan;
          if (planned.ok() && planned->reason.empty()) plan = std::move(planned->plan);
          for (const auto& result : given.results) plan.early_of.push_back(result.owner.agent);
          if (plan.early_of.empty()) plan.early_of.emplace_back(model::kBaseline);
          return emit(id, model::CrossPlanned{std::move(plan)});
        }
        if (planned.ok() && planned->reason.empty())
          return emit(id, model::CrossPlanned{std::move(planned->plan)});
        // The race is ranked without cross tests.
        model::CrossTested none;
        none.matrix.reason = planned.ok() ? planned->reason : "failed";
        if (!planned.ok())
          emit(id, model::Note{{}, "the cross tests could not be planned: " + describe(planned.error())});
        emit(id, std::move(none));
      });
}

void Checks::prepare_cross(const RacePtr& race, const Subject& subject) {
  const auto* run = cross_run(race->state, subject);
  if (!run) return;
  if (race->state.spec.fresh_baseline || run->key.empty()) return make_subject(race, subject);
  const auto go_on = [this, race, subject, key = run->key] {
    take_from_cache(race, subject, checks::cross_key(race->baseline_key, key));
  };
  if (!race->baseline_key.empty()) return go_on();
  with_baseline_key(race, go_on);
}

void Checks::remember_cross(const RacePtr& race, const Subject& subject) {
  const auto* run = cross_run(race->state, subject);
  const auto* at = race->state.subject(subject);
  if (!run || !at || !fully_checked(race->state, subject)) return;
  if (!race->baseline_key.empty() && !run->key.empty() && at->error.empty() && checks::cacheable(at->checks))
    engine.put_cached(checks::cross_key(race->baseline_key, run->key), at->checks);
  // The workspace would only use disk space until the race ends.
  if (race->workspaces)
    background([workspaces = race->workspaces, subject] { workspaces->discard(subject); });
}

trees::Workspace Checks::cross_workspace(const Race& race, const Subject& subject,
                                         const model::WorkspaceFacts& facts) {
  auto workspace = race.workspaces->at(subject, facts);
  if (race.state.spec.tree_rung == model::TreeRung::unshared) return workspace;
  // Hydra's objects contain every agent's commits with their names, and the user's objects contain published
  // branches: only the base's history stays visible.
  const auto objects = race.store->objects_dirs();
  const auto empty = race.layout.hidden("objects");
  (void)make_dirs(empty, 0700);
  for (auto& bind : workspace.binds) {
    if (std::find(objects.begin(), objects.end(), bind.host) == objects.end()) continue;
    bind.host = bind.host == objects.front() ? race.layout.history() : empty;
  }
  return workspace;
}

void Checks::sum_cross(const RacePtr& race) {
  emit(race->state.spec.id, model::CrossTested{cross_matrix(race->state)});
}

}  // namespace hydra::race
