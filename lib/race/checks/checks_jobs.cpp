// Queueing and running the jobs of checks; and the set-up of a single subject whose manifests differ from the
// base's.
#include "base/strings.hpp"
#include "checks/evidence.hpp"
#include "integrity/seal/seal.hpp"
#include "race/checks/checks.hpp"
#include "race/endings.hpp"
#include "race/jobs.hpp"
#include "race/state/cross.hpp"
#include "race/variables.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hydra::race {
namespace {

int slots_of(int configured) {
  if (configured > 0) return configured;
  // Builds and test runners start their own workers: two cores for each check.
  return std::max(1, static_cast<int>(usable_cpus().size()) / 2);
}

}  // namespace

Checks::Checks(Engine& engine_, Templates& templates_)
    : Owner(engine_),
      templates(templates_),
      check_slots(slots_of(options.check_slots), options.check_slots == 0 && usable_cpus().size() > 1),
      cpu_groups(usable_cpus(), check_slots.limit()) {}

bool agents_alive(const Race& race) {
  return std::any_of(race.state.agents.begin(), race.state.agents.end(),
                     [](const auto& agent) { return agent.begun() && !agent.ended; });
}

namespace {

Result<void> lay_out(const Paths& paths, const Race& race, const Subject& subject, exec::JobSpec& job) {
  HYDRA_CHECK(hide_own(job, hidden_places(paths, race.state.spec), race.layout.hidden(subject)));
  HYDRA_CHECK(make_dirs(job.attempt_dir / "reports", 0700));
  for (const auto& overlay : job.sandbox.overlays)
    for (const auto& directory : {overlay.upper, overlay.work}) HYDRA_CHECK(make_dirs(directory, 0700));
  return {};
}

}  // namespace

void Checks::submit(const RacePtr& race, const Subject& subject, const exec::JobSpec& job,
                    const std::function<void(const exec::JobResult&)>& ended) {
  race->running_checks[subject].insert(job.key);
  const auto over = [this, race, subject, ended](const exec::JobResult& result) {
    executor.release(result.key);
    race->running_checks[subject].erase(result.key);
    ended(result);
  };
  if (const auto submitted = executor.submit(job, over); !submitted.ok())
    over(not_started(job.key, describe(submitted.error())));
}

void Checks::submit_check(const RacePtr& race, const Subject& subject, exec::JobSpec job,
                          const std::function<void(const exec::JobResult&)>& ended, Share share) {
  if (const auto made = lay_out(options.paths, *race, subject, job); !made.ok())
    return ended(not_started(job.key, describe(made.error())));
  // A configured number of checks means that the user has planned the CPUs.
  const auto group = race->own_check_slots ? std::nullopt : cpu_groups.lease(share);
  if (group) job.limits.cpus = cpu_groups.cpus(*group);
  const auto leased = engine.ports.lease(job.env);
  submit(race, subject, job, [this, group, share, leased, ended](const exec::JobResult& result) {
    if (group) cpu_groups.release(*group, share);
    engine.ports.release(leased);
    ended(result);
  });
}

int Checks::priority_of(const Subject& subject, model::Dimension dimension) {
  const bool configured = subject.kind == Kind::baseline || subject.kind == Kind::result;
  if (!configured) return 2;
  return dimension == model::Dimension::build ? 0 : 1;
}

void Checks::run_in_slot(const RacePtr& race, const Subject& subject, const SlotWish& wish,
                         std::function<std::optional<exec::JobSpec>()> job,
                         std::function<void(const exec::JobResult&, bool alone)> ended) {
  const auto start = [this, race, subject, share = wish.share, job = std::move(job),
                      ended = std::move(ended)] {
    auto& slots = slots_of_checks(*race);
    auto made = job();
    if (!made) return slots.release(share);
    const bool has_company = slots.running() > 1;
    const auto over = [this, race, share, ended, has_company,
                       granted = slots.granted()](const exec::JobResult& result) {
      auto& its_slots = slots_of_checks(*race);
      // Jobs that started later disturb as much.
      const bool undisturbed = !has_company && its_slots.granted() == granted;
      its_slots.release(share);
      ended(result, undisturbed);
    };
    submit_check(race, subject, *std::move(made), over, share);
  };
  slots_of_checks(*race).acquire(wish.tag, wish.priority, wish.alone, start, race->state.spec.created_ms,
                                 wish.share);
}

// Returns why a check of that subject does not run yet, for people; empty: the check runs, or waits for no
// slot.
std::string Checks::check_waits(const Race& race, const Subject& subject) {
  const auto& pool = slots_of_checks(race);
  const auto running = race.running_checks.find(subject);
  const bool template_of = subject.of_baseline() && pool.waits(race.state.spec.id + "/template");
  if ((running != race.running_checks.end() && !running->second.empty()) ||
      (!template_of && !pool.waits(tag(race, subject))))
    return {};
  std::vector<std::string> holders;
  for (const auto& [id, other] : races) {
    if (&slots_of_checks(*other) != &pool) continue;
    for (const auto& [whose, keys] : other->running_checks)
      if (!keys.empty())
        holders.push_back(id + "/" +
                          (whose.kind == Kind::baseline    ? "baseline"
                           : whose.kind == Kind::judgement ? "a judge"
                                                           : text(whose)));
  }
  return fmt::format("waiting for a check slot ({} of {} held{}{})", pool.held(), pool.limit(),
                     holders.empty() ? "" : " by ", join(holders, ", "));
}

void Checks::set_up_subject(const RacePtr& race, const Subject& subject, const model::WorkspaceFacts& facts) {
  const auto& spec = race->state.spec;
  const auto workspace = workspace_of(*race, subject, facts);
  const model::SubjectReady ready{subject, workspace.host.string(), facts};
  if (!spec.config.workspace.setup || !facts.setup) return emit(spec.id, ready);
  const auto number = CheckRun{life_of(race->state, subject), CheckRun::Why::setup, 0}.number();
  run_in_slot(
      race, subject, {tag(*race, subject), priority_of(subject, model::Dimension::build)},
      [this, race, subject, workspace, number]() -> std::optional<exec::JobSpec> {
        if (!lives(race)) return std::nullopt;
        auto job = check_job(race->state.spec, subject, "setup", *race->state.spec.config.workspace.setup,
                             number, workspace, race->layout, agents_alive(*race), race->tools);
        pass_variables(race->state.spec, race->secrets, job);
        return job;
      },
      [this, race, subject, workspace, ready, number](const exec::JobResult& result, bool) {
        const auto& id = race->state.spec.id;
        if (!lives(race)) return;
        if (result.end == exec::End::exited && result.code == 0) return seal_set_up(race, workspace, ready);
        if (race->state.cancelled && result.end == exec::End::cancelled) return;  // no verdict
        const auto& keys = race->state.spec.config;
        const auto log = race->layout.attempt(subject, "setup", number) / "stdout.log";
        emit(id, model::SubjectFailed{
                     subject, how_it_ended(keys, "set-up", "setup", result), result.key,
                     checks::advice_of_log(log, result.out, "setup", race->tools, subject.of_baseline(),
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
