// Runs of agents from start to end. Every run must end in an event, or the race would never end.
#include "race/agents/agents.hpp"

#include "base/strings.hpp"
#include "race/agents/secrets.hpp"
#include "race/agents/sign_in.hpp"
#include "race/agents/verdict.hpp"
#include "race/endings.hpp"
#include "race/job_parts.hpp"
#include "race/jobs.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hydra::race {
namespace {

Result<exec::JobSpec> job_of(const Paths& paths, const Race& race, const AgentState& agent, int number) {
  const auto& spec = race.state.spec;
  const auto hidden = race.layout.hidden(agent.entry.name);
  HYDRA_TRY(auto job, agent_job(spec, agent, number, race.layout, race.secrets));
  HYDRA_CHECK(hide_source(job, spec.hidden_source, hidden));
  HYDRA_CHECK(hide_own(job, hidden_from_agents(paths, spec), hidden));
  return job;
}

}  // namespace

Agents::Agents(Engine& engine_, Merges& merges_, Templates& templates_, Upkeep& upkeep_)
    : Owner(engine_),
      merges(merges_),
      templates(templates_),
      upkeep(upkeep_),
      watch_timer(engine_.loop),
      provider_timer(engine_.loop) {}

void Agents::start_agent(const RacePtr& race, const std::string& name, int number) {
  const auto* agent = race->state.agent(name);
  race->queue[name].stage = AgentQueueEntry::Stage::running;
  race->live.erase(name);  // state of an earlier attempt, or of the queueing time
  engine.secrets.remember(race->state.spec, race->secrets);
  auto job = job_of(options.paths, *race, *agent, number);
  const auto ports = job.ok() ? engine.ports.lease(job->env) : std::vector<int>{};
  // Without a program that listens no test expects the variable, and some expect none.
  if (!ports.empty() && race->state.spec.config.workspace.run)
    detail::set(job->env, "PORT", std::to_string(ports[0]));
  const auto ended = [this, race, name, ports](const exec::JobResult& result) {
    engine.ports.release(ports);
    agent_ended(race, name, result);
  };
  const auto submitted = job.ok() ? executor.submit(*job, ended) : Result<void>(job.error());
  if (!submitted.ok()) {
    auto failed = not_started(race->layout.key(name, "agent", number), describe(submitted.error()));
    failed.isolation = race->state.spec.isolation;
    return ended(failed);
  }
  // A stop requested during the start: the stop command came before the job existed.
  if (agent->cancelled || agent->stop) executor.cancel(job->key);
  watch_agents();
}

void Agents::agent_ended(const RacePtr& race, const std::string& name, const exec::JobResult& result) {
  const auto& agent = *race->state.agent(name);
  Attempt attempt;
  attempt.descriptor = race->state.spec.config.agents.at(agent.entry.id);
  attempt.options = reader_options(race->state.spec, agent);
  attempt.result = result;
  attempt.directory = race->layout.attempt(name, "agent", std::max(1, agent.attempts));
  attempt.run_dir = race->layout.run(name);
  attempt.home = attempt.run_dir / "config";
  if (agent.retry) attempt.session = agent.retry->session;
  attempt.stop = agent.stop;
  attempt.cancelled = agent.cancelled;
  attempt.own_session = own_session(race->state.spec, agent, result.key);
  auto& live = race->live[name];
  attempt.silent_ms = live.watch.silent_ms();
  const auto leaving_ms =
      std::clamp<std::int64_t>(live.watch.leaving_ms(), 0, std::max<std::int64_t>(result.wall_ms, 0));
  live.stopping = true;  // prevents further stops
  if (live.reader && !live.skipped && result.out.hole_to > result.out.hole_from) {
    attempt.live = std::move(live.reader);
    attempt.live_offset = static_cast<std::uint64_t>(live.offset);
  }
  struct Ended {
    Judged judged;
    std::string sign_in;  ///< note about the sign-in file; may be empty
  };
  background(
      [attempt, spec = race->state.spec, agent, layout = race->layout] {
        return Ended{read_and_judge(attempt), carry_sign_in_back(spec, agent, layout)};
      },
      [this, race, name, result, leaving_ms](Result<Ended> made) {
        Ended ended;
        if (made.ok()) {
          ended = std::move(*made);
        } else {
          ended.judged.verdict.outcome = model::Outcome::lost;
          ended.judged.verdict.message = describe(made.error());
        }
        // Release the sign-in only now, after it was carried back.
        leave_agent(race, name);
        executor.release(result.key);
        auto& [judged, sign_in] = ended;
        const auto& id = race->state.spec.id;
        engine.secrets.remember(race->state.spec, race->secrets);  // also reads a renewed sign-in
        if (judged.incomplete)
          emit(id,
               model::Note{Subject::of(name),
                           "its output was longer than the 5 MiB that are kept of it: it used more than is "
                           "shown"});
        if (!sign_in.empty()) emit(id, model::Note{Subject::of(name), sign_in});
        note_budget(race, name, judged.verdict);
        race->live.erase(name);
        auto facts = job_facts(result);
        facts.leaving_ms = leaving_ms;
        emit(id, model::AgentEnded{name, std::move(facts), std::move(judged.verdict)});
      });
}

// Keys are never stored: an agent that starts after a restart may lack its key.
void Agents::note_lost_keys(const RacePtr& race) {
  const auto& spec = race->state.spec;
  for (const auto& agent : race->state.agents) {
    if (agent.ended || agent.begun() || agent.never_runs() || !spec.config.agents.contains(agent.entry.id))
      continue;
    std::vector<std::string> lost;
    for (const auto& name : spec.config.agents.at(agent.entry.id).auth_env)
      if (std::find(spec.secret_names.begin(), spec.secret_names.end(), name) != spec.secret_names.end() &&
          !race->secrets.contains(name))
        lost.push_back(name);
    if (lost.empty()) continue;
    emit(spec.id,
         model::Note{Subject::of(agent.entry.name),
                     fmt::format("{} went with the daemon that was restarted, since keys are never "
                                 "stored; if it is refused now, `hydra retry {}` from a shell that has it",
                                 join(lost, ", "), agent.entry.name)});
  }
}

}  // namespace hydra::race
