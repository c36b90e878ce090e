// How the jobs of checks get their turn on this machine, and run.
#include "base/strings.hpp"
#include "race/checks/checks.hpp"
#include "race/endings.hpp"
#include "race/jobs.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hydra::race {
namespace {

int slots_of(int configured) {
  if (configured > 0) return configured;
  // Builds and test runners start workers of their own: two cores for each (toolchains reference, section 6).
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

Result<void> lay_out(const Paths& paths, const Race& race, const std::string& subject, exec::JobSpec& job) {
  HYDRA_CHECK(hide_own(job, hidden_places(paths, race.state.spec), race.layout.hidden(subject + ".checks")));
  HYDRA_CHECK(make_dirs(job.attempt_dir / "reports", 0700));
  for (const auto& overlay : job.sandbox.overlays)
    for (const auto& directory : {overlay.upper, overlay.work}) HYDRA_CHECK(make_dirs(directory, 0700));
  return {};
}

}  // namespace

void Checks::submit_check(const RacePtr& race, const std::string& subject, exec::JobSpec job,
                          const std::function<void(const exec::JobResult&)>& ended, Share share) {
  race->running_checks[subject].insert(job.key);
  const auto over = [this, race, subject, ended](const exec::JobResult& result) {
    executor.release(result.key);
    race->running_checks[subject].erase(result.key);
    ended(result);
  };
  if (const auto made = lay_out(options.paths, *race, subject, job); !made.ok())
    return over(not_started(job.key, describe(made.error())));
  // Who sets a number of checks has thought about their CPUs.
  const auto group = race->own_check_slots ? std::nullopt : cpu_groups.lease(share);
  if (group) job.limits.cpus = cpu_groups.cpus(*group);
  const auto leased = ports.lease(race->state.spec.config.workspace.ports);
  for (std::size_t i = 0; i < leased.size(); ++i)
    job.env.emplace_back("HYDRA_PORT_" + std::to_string(i), std::to_string(leased[i]));
  const auto give_back = [this, group, share, leased] {
    if (group) cpu_groups.release(*group, share);
    ports.release(leased);
  };
  const auto submitted = executor.submit(job, [give_back, over](const exec::JobResult& result) {
    give_back();
    over(result);
  });
  if (submitted.ok()) return;
  give_back();
  over(not_started(job.key, describe(submitted.error())));
}

void Checks::run_in_slot(const RacePtr& race, const std::string& subject, const SlotWish& wish,
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
      // Company that came later disturbs as much.
      const bool undisturbed = !has_company && its_slots.granted() == granted;
      its_slots.release(share);
      ended(result, undisturbed);
    };
    submit_check(race, subject, *std::move(made), over, share);
  };
  slots_of_checks(*race).acquire(wish.tag, wish.priority, wish.alone, start, race->state.spec.created_ms,
                                 wish.share);
}

// For people: why a check of that subject does not run yet; empty: it runs, or waits for nothing of the kind.
std::string Checks::check_waits(const Race& race, const std::string& subject) {
  const auto& pool = slots_of_checks(race);
  const auto running = race.running_checks.find(subject);
  const bool template_of =
      commit_subject(subject) == model::kBaseline && pool.waits(race.state.spec.id + "/template");
  if ((running != race.running_checks.end() && !running->second.empty()) ||
      (!template_of && !pool.waits(tag(race, subject))))
    return {};
  std::vector<std::string> holders;
  for (const auto& [id, other] : races) {
    if (&slots_of_checks(*other) != &pool) continue;
    for (const auto& [whose, keys] : other->running_checks)
      if (!keys.empty())
        holders.push_back(id + "/" +
                          (whose == model::kBaseline              ? "baseline"
                           : whose.starts_with(model::kJudgeMark) ? "a judge"
                                                                  : whose));
  }
  return fmt::format("waiting for a check slot ({} of {} held{}{})", pool.held(), pool.limit(),
                     holders.empty() ? "" : " by ", join(holders, ", "));
}

}  // namespace hydra::race
