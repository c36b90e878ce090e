// Carries out the set-up of a subject of its own: one whose manifests are not the base's.
#include "checks/evidence.hpp"
#include "integrity/seal/seal.hpp"
#include "race/checks/checks.hpp"
#include "race/endings.hpp"
#include "race/jobs.hpp"
#include "race/state/cross.hpp"

namespace hydra::race {

void Checks::set_up_subject(const RacePtr& race, const std::string& subject,
                            const model::WorkspaceFacts& facts) {
  const auto& spec = race->state.spec;
  const auto workspace = workspace_of(*race, subject, facts);
  const model::SubjectReady ready{subject, workspace.host.string(), facts};
  if (!spec.config.workspace.setup || !facts.setup) return emit(spec.id, ready);
  const auto number = CheckRun{life_of(race->state, subject), CheckRun::Why::setup, 0}.number();
  run_in_slot(
      race, subject, {tag(*race, subject), is_cross(subject) ? 2 : 0},  // cross runs hold nobody up
      [this, race, subject, workspace, number]() -> std::optional<exec::JobSpec> {
        if (!lives(race)) return std::nullopt;
        return check_job(race->state.spec, subject, "setup", *race->state.spec.config.workspace.setup, number,
                         workspace, race->layout, agents_alive(*race), race->tools);
      },
      [this, race, subject, workspace, ready, number](const exec::JobResult& result, bool) {
        const auto& id = race->state.spec.id;
        if (!lives(race)) return;
        if (result.end == exec::End::exited && result.code == 0) return seal_set_up(race, workspace, ready);
        if (race->state.cancelled && result.end == exec::End::cancelled) return;  // no verdict about it
        const auto& keys = race->state.spec.config;
        const auto log = race->layout.attempt(subject, "setup", number) / "stdout.log";
        emit(id, model::SubjectFailed{
                     subject, how_it_ended(keys, "set-up", "setup", result), result.key,
                     checks::advice_of_log(log, result.out, "setup", race->tools,
                                           commit_subject(subject) == model::kBaseline,
                                           keys.workspace.setup_network || keys.sandbox.check_network),
                     result.end == exec::End::cancelled});
      });
}

void Checks::seal_set_up(const RacePtr& race, const trees::Workspace& workspace,
                         const model::SubjectReady& ready) {
  background(
      [rules = race->rules, store_copy = *race->store, spec = race->state.spec, workspace,
       seal = race->layout.seal(ready.subject)] {
        return integrity::seal_after_set_up(*rules, store_copy, spec, workspace, seal);
      },
      [this, race, ready](const Result<void>& sealed) {
        if (!lives(race)) return;
        if (sealed.ok()) return emit(race->state.spec.id, ready);
        emit(race->state.spec.id, model::SubjectFailed{ready.subject, describe(sealed.error()), {}, {}});
      });
}

}  // namespace hydra::race
